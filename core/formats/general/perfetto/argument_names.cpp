#include "core/formats/general/perfetto/argument_names.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/io/decompress.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostKeptBytes = 32 << 20;

// "name" of a message, an enumeration or a field; "package" of a file.
std::string_view text_of(std::string_view message, uint32_t number) {
  std::string_view text;
  for_each_field(message, [&](const Field& field) {
    if (field.number == number) text = field.bytes;
  });
  return text;
}

std::string within(std::string_view scope, std::string_view name) {
  return name.empty() ? std::string(scope) : std::string(scope) + "." + std::string(name);
}

}  // namespace

bool ArgumentNames::describe(std::string_view message) {
  constexpr uint64_t kMostBytes = 16 << 20;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    std::string unpacked;
    std::string_view set;
    if (field.number == 1) set = field.bytes;
    if (field.number == 2) {
      is_good &=
          io::decompress(io::Compression::kZlib, field.bytes, kMostBytes, unpacked).has_value();
      set = unpacked;
    }
    // A field may refer to something that follows it.
    is_good &= add_files(set, true) && add_files(set, false);
  });
  return is_good;
}

bool ArgumentNames::add_files(std::string_view set, bool are_enumerations) {
  bool is_good = true;
  is_good &= for_each_field(set, [&](const Field& field) {
    if (field.number == 1) is_good &= add_file(field.bytes, are_enumerations);
  });
  return is_good;
}

bool ArgumentNames::add_file(std::string_view file, bool are_enumerations) {
  const std::string package = within("", text_of(file, 2));
  bool is_good = true;
  is_good &= for_each_field(file, [&](const Field& field) {
    if (field.number == 4) is_good &= add_message(field.bytes, package, are_enumerations, 0);
    if (field.number == 5 && are_enumerations) is_good &= add_enumeration(field.bytes, package);
    if (field.number == 7 && !are_enumerations) is_good &= add_field(field.bytes, nullptr);
  });
  return is_good;
}

bool ArgumentNames::add_message(std::string_view message, std::string_view scope,
                                bool are_enumerations, int depth) {
  constexpr int kMostDepth = 16;
  const std::string name = within(scope, text_of(message, 1));
  if (depth > kMostDepth || !may_keep(sizeof(MessageNames) + name.size())) return false;
  MessageNames* const names = are_enumerations ? nullptr : &messages_[name];
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 3) is_good &= add_message(field.bytes, name, are_enumerations, depth + 1);
    if (field.number == 4 && are_enumerations) is_good &= add_enumeration(field.bytes, name);
    if (field.number == 2 && !are_enumerations) is_good &= add_field(field.bytes, names);
    if (field.number == 6 && !are_enumerations) is_good &= add_field(field.bytes, nullptr);
  });
  return is_good;
}

bool ArgumentNames::add_enumeration(std::string_view message, std::string_view scope) {
  constexpr uint64_t kMostValue = 4096;  // others, and negative ones, are shown as numbers
  std::string whole_name = within(scope, text_of(message, 1));
  if (!may_keep(whole_name.size())) return false;
  std::vector<std::string_view>& words = enumerations_[std::move(whole_name)];
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number != 2) return;
    uint64_t value = 0;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 2) value = inner.value;
    });
    if (value > kMostValue) return;
    const std::string_view word = text_of(field.bytes, 1);
    const size_t size = std::max<size_t>(words.size(), value + 1);
    is_good &= may_keep(word.size() + (size - words.size()) * sizeof(std::string_view));
    if (!is_good) return;
    words.resize(size);
    if (words[value].empty()) words[value] = kept(word);
  });
  return is_good;
}

bool ArgumentNames::add_field(std::string_view field, MessageNames* of) {
  uint32_t number = 0;
  uint64_t type = 0;
  std::string_view name, extended, type_name;
  const bool is_good = for_each_field(field, [&](const Field& inner) {
    if (inner.number == 1) name = inner.bytes;
    if (inner.number == 2) extended = inner.bytes;
    if (inner.number == 3) number = inner.uint32();
    if (inner.number == 5) type = inner.value;
    if (inner.number == 6) type_name = inner.bytes;
  });
  if (of == nullptr) of = extended == ".perfetto.protos.TrackEvent" ? &track_event_ : nullptr;
  if (of == nullptr) return is_good;
  // What the trace says of extensions counts more than the table.
  const bool is_extension = of == &track_event_;
  if (is_extension ? described_.contains(number) : of->fields.contains(number)) return is_good;
  const auto values = enumerations_.find(type_name);
  const size_t words = values == enumerations_.end() ? 0 : values->second.size();
  if (!may_keep(sizeof(FieldName) + name.size() + type_name.size() +
                words * sizeof(std::string_view)))
    return false;
  of->fields.insert_or_assign(number, field_name(type, name, type_name));
  if (is_extension) described_.insert(number);
  return is_good;
}

FieldName ArgumentNames::field_name(uint64_t type, std::string_view name,
                                    std::string_view type_name) {
  enum Type : uint64_t { kDouble = 1, kFloat = 2, kBool = 8, kMessage = 11, kSint32 = 17, kSint64 };
  using Form = FieldName::Form;
  FieldName made;
  made.name = kept(name);
  if (type == kMessage) {
    const auto [it, is_new] = messages_.try_emplace(std::string(type_name));
    made.message = it->first;
    made.names = &it->second;
  }
  if (const auto words = enumerations_.find(type_name); words != enumerations_.end())
    made.values = words->second;
  made.form = type == kDouble                      ? Form::kDouble
              : type == kFloat                     ? Form::kFloat
              : type == kBool                      ? Form::kFlag
              : type == kSint32 || type == kSint64 ? Form::kSigned
                                                   : Form::kPlain;
  return made;
}

bool ArgumentNames::may_keep(size_t bytes) {
  kept_bytes_ += bytes;
  return kept_bytes_ <= kMostKeptBytes;
}

std::string_view ArgumentNames::kept(std::string_view text) {
  return texts_.emplace_back(valid_utf8(text));
}

}  // namespace weft::formats::perfetto
