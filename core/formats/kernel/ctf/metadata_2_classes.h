// The classes that metadata of CTF 2 is made of: fragments of JSON, gathered, in which no name of a
// field class is left to resolve.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats::ctf {

using Json = nlohmann::ordered_json;

inline constexpr size_t kMostDepth = 64;  // of JSON
inline constexpr const char* kElement = "element-field-class";

// Why the metadata cannot be understood; thrown, and caught by metadata_1_of().
struct Unreadable {
  std::string reason;
};

// Counts what is done, since aliases within aliases, and locations that are looked for, can be few
// and mean many.
class Visits {
 public:
  // Throws Unreadable.
  void visit(size_t depth);

 private:
  size_t count_ = 0;
};

// The scope of a field class, and its name in version 1.8.
struct Scope {
  std::string_view origin, key, path;
};
inline constexpr Scope kPacketHeader{"packet-header", "packet-header-field-class",
                                     "trace.packet.header"};
inline constexpr Scope kPacketContext{"packet-context", "packet-context-field-class",
                                      "stream.packet.context"};
inline constexpr Scope kEventHeader{"event-record-header", "event-record-header-field-class",
                                    "stream.event.header"};
inline constexpr Scope kCommonContext{"event-record-common-context",
                                      "event-record-common-context-field-class",
                                      "stream.event.context"};
inline constexpr Scope kSpecificContext{"event-record-specific-context",
                                        "specific-context-field-class", "event.context"};
inline constexpr Scope kPayload{"event-record-payload", "payload-field-class", "event.fields"};
inline constexpr const Scope* kScopes[] = {&kPacketHeader,  &kPacketContext,   &kEventHeader,
                                           &kCommonContext, &kSpecificContext, &kPayload};

// A member of an object: null, "" or `otherwise` where there is none of that kind.
const Json& member(const Json& object, const char* key);
std::string text(const Json& object, const char* key);
uint64_t number(const Json& object, const char* key, uint64_t otherwise);

bool is_array_class(const Json& field);
std::string uuid_text(const Json& bytes);  // "" where it is none

class Metadata2Classes {
 public:
  // Throws Unreadable, as resolve_aliases() does.
  void add(Json fragment);
  // After the last fragment.
  void resolve_aliases();

  std::string uuid;
  Json trace = Json::object();
  std::vector<Json> clocks;
  std::map<uint64_t, Json> streams;
  std::vector<Json> events;

 private:
  void resolve_aliases(Json& value, size_t depth);

  std::map<std::string, Json> aliases_;
  Visits visits_;
};

}  // namespace weft::formats::ctf
