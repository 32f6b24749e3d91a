#include "core/formats/general/custom/built_in_rules.h"

namespace weft::formats::custom {

std::string with_parts(std::string definition, const PatternParts& parts) {
  for (const auto& [word, part] : parts) {
    for (size_t at = definition.find(word); at != std::string::npos;
         at = definition.find(word, at + part.size()))
      definition.replace(at, word.size(), part);
  }
  return definition;
}

RulesPtr built_in_rules(std::string_view definition) {
  return Rules::compile(definition_from_text(definition).value()).value();
}

}  // namespace weft::formats::custom
