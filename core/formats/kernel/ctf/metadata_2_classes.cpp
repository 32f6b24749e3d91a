#include "core/formats/kernel/ctf/metadata_2_classes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace weft::formats::ctf {
namespace {

// What an extension changes is not known, so what needs one is not read.
void check_preamble(const Json& preamble) {
  constexpr uint64_t kVersion = 2;
  const uint64_t version = number(preamble, "version", kVersion);
  if (version != kVersion) throw Unreadable{fmt::format("it is of version {}", version)};
  const Json& extensions = member(preamble, "extensions");
  if (extensions.is_object() && !extensions.empty())
    throw Unreadable{fmt::format("it needs the extension '{}'", extensions.begin().key())};
}

}  // namespace

void Visits::visit(size_t depth) {
  constexpr size_t kMostVisits = 10'000'000;
  if (depth > kMostDepth || ++count_ > kMostVisits)
    throw Unreadable{"fields within fields without end"};
}

const Json& member(const Json& object, const char* key) {
  static const Json kNone;
  const auto at = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && at != object.end() ? *at : kNone;
}

std::string text(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

uint64_t number(const Json& object, const char* key, uint64_t otherwise) {
  const Json& value = member(object, key);
  return value.is_number_unsigned() ? value.get<uint64_t>() : otherwise;
}

bool is_array_class(const Json& field) { return text(field, "type").ends_with("-length-array"); }

std::string uuid_text(const Json& bytes) {
  std::string out;
  if (!bytes.is_array() || bytes.size() != 16) return out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out +=
        fmt::format("{:02x}", bytes[i].is_number_unsigned() ? bytes[i].get<unsigned>() & 255U : 0);
  }
  return out;
}

void Metadata2Classes::add(Json fragment) {
  const std::string type = text(fragment, "type");
  if (type == "preamble") {
    check_preamble(fragment);
    uuid = uuid_text(member(fragment, "uuid"));
  } else if (type == "field-class-alias") {
    aliases_[text(fragment, "name")] = member(fragment, "field-class");
  } else if (type == "trace-class") {
    trace = std::move(fragment);
  } else if (type == "clock-class") {
    clocks.push_back(std::move(fragment));
  } else if (type == "data-stream-class") {
    const uint64_t id = number(fragment, "id", 0);
    streams[id] = std::move(fragment);
  } else if (type == "event-record-class") {
    events.push_back(std::move(fragment));
  } else {
    throw Unreadable{fmt::format("it is a '{}'", type)};
  }
}

void Metadata2Classes::resolve_aliases() {
  resolve_aliases(trace, 0);
  for (auto& [id, stream] : streams) resolve_aliases(stream, 0);
  for (Json& event : events) resolve_aliases(event, 0);
}

void Metadata2Classes::resolve_aliases(Json& value, size_t depth) {
  constexpr std::array<std::string_view, 3> kOfUsers = {"attributes", "environment", "extensions"};
  visits_.visit(depth);
  if (!value.is_structured()) return;
  for (auto& item : value.items()) {
    const std::string_view key = item.key();
    if (std::ranges::find(kOfUsers, key) != kOfUsers.end()) continue;
    Json& below = item.value();
    const bool is_class = key.ends_with("field-class");
    for (size_t i = depth; is_class && below.is_string(); ++i) {
      visits_.visit(i);
      const auto alias = aliases_.find(below.get<std::string>());
      if (alias == aliases_.end()) throw Unreadable{"a name that stands for no field class"};
      below = alias->second;
    }
    resolve_aliases(below, depth + 1);
  }
}

}  // namespace weft::formats::ctf
