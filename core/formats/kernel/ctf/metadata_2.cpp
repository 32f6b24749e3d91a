#include "core/formats/kernel/ctf/metadata_2.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/ascii.h"
#include "core/formats/kernel/ctf/metadata_2_classes.h"
#include "core/formats/kernel/ctf/metadata_2_names.h"
#include "core/formats/kernel/ctf/metadata_2_text.h"

namespace weft::formats::ctf {
namespace {

constexpr char kSeparator = '\x1E';

}  // namespace

bool is_metadata_2(std::string_view head) {
  const auto is_before_text = [](char c) { return c == kSeparator || is_space(c); };
  const auto* const text = std::ranges::find_if_not(head, is_before_text);
  return text != head.end() && *text == '{' && head.substr(0, head.find('{')).contains(kSeparator);
}

Result<std::string> metadata_1_of(std::string_view metadata_2) {
  constexpr std::string_view kBad = "its metadata cannot be understood";
  const auto is_shallow = [](int depth, Json::parse_event_t, const Json&) {
    if (depth > static_cast<int>(kMostDepth)) throw Unreadable{"fields within fields without end"};
    return true;
  };
  Metadata2Classes classes;
  size_t begin = metadata_2.find(kSeparator);
  try {
    for (size_t end = 0; begin < metadata_2.size(); begin = end) {
      end = std::min(metadata_2.find(kSeparator, begin + 1), metadata_2.size());
      const std::string_view fragment = metadata_2.substr(begin + 1, end - begin - 1);
      if (!trimmed(fragment).empty()) classes.add(Json::parse(fragment, is_shallow));
    }
    classes.resolve_aliases();
    give_names_1(classes);
    return metadata_1_text(classes);
  } catch (const Json::parse_error& error) {
    return fail(fmt::format("{}: byte {}: no JSON", kBad, begin + error.byte));
  } catch (const Json::exception&) {
    return fail(fmt::format("{}: it is not as CTF 2 says", kBad));
  } catch (const Unreadable& what) {
    if (begin < metadata_2.size())
      return fail(fmt::format("{}: fragment at byte {}: {}", kBad, begin, what.reason));
    return fail(fmt::format("is CTF 2 with {}, which CTF 1.8, that Babeltrace 2.0 reads, lacks",
                            what.reason));
  }
}

}  // namespace weft::formats::ctf
