#include "core/formats/kernel/ctf/pairs.h"

#include <fmt/core.h>

#include "core/formats/kernel/ctf/event.h"

namespace weft::formats::ctf {
namespace {

struct PairOfWords {
  std::string_view begin, end;
};
constexpr PairOfWords kPairs[] = {
    {"begin", "end"},  {"start", "end"},  {"start", "stop"}, {"entry", "exit"},
    {"enter", "exit"}, {"begin", "done"}, {"start", "done"}, {"acquire", "release"},
};

std::optional<std::string> stem_of(std::string_view name, std::string_view word,
                                   std::string_view other, const bt_stream_class& stream) {
  if (!name.ends_with(word)) return std::nullopt;
  const std::string_view stem = name.substr(0, name.size() - word.size());
  if (stem.empty() || !has_event(stream, fmt::format("{}{}", stem, other))) return std::nullopt;
  const std::string_view text = stem.substr(0, stem.find_last_not_of("_:-. ") + 1);
  return std::string(text);
}

}  // namespace

std::optional<HalfOfPair> half_of_pair(std::string_view name, const bt_stream_class& stream) {
  for (const PairOfWords& words : kPairs) {
    if (auto stem = stem_of(name, words.begin, words.end, stream))
      return HalfOfPair{true, std::move(*stem)};
    if (auto stem = stem_of(name, words.end, words.begin, stream))
      return HalfOfPair{false, std::move(*stem)};
  }
  return std::nullopt;
}

}  // namespace weft::formats::ctf
