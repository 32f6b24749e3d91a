// The classes that metadata of CTF 2 is made of: fragments of JSON, gathered, in which no name of a
// field class is left to resolve and every option of a variant has a name that 1.8 takes.
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
const Scope* scope_of(std::string_view origin);  // null: there is none

// A member of an object: null, "" or `otherwise` where there is none of that kind.
const Json& member(const Json& object, const char* key);
std::string text(const Json& object, const char* key);
uint64_t number(const Json& object, const char* key, uint64_t otherwise);

std::string uuid_text(const Json& bytes);  // "" where it is none
// Returns a valid identifier of version 1.8; a leading underscore, which Babeltrace removes, keeps
// it from being a keyword.
std::string identifier(std::string_view name);

// The location of an array's length or a variant's selector.
struct FieldLocation {
  std::string origin;             // "" where it is not said
  std::vector<std::string> path;  // names of members
};
FieldLocation location_of(const Json& location);

class Metadata2Classes {
 public:
  // Throws Unreadable, as resolve() does.
  void add(Json fragment);
  // After the last fragment.
  void resolve();

  std::string uuid;
  Json trace = Json::object();
  std::vector<Json> clocks;
  std::map<uint64_t, Json> streams;
  std::vector<Json> events;

 private:
  void resolve_aliases(Json& value, size_t depth);
  void name_options_of(Json& own, Json& stream);
  void name_options(Json& field, Json& own, Json& stream, size_t depth);
  void name_options_of_variant(Json& variant, Json& own, Json& stream);
  Json* field_at(const FieldLocation& location, Json& own, Json& stream);
  Json* follow(Json& field, const FieldLocation& location, size_t depth);
  void visit(size_t depth);

  std::map<std::string, Json> aliases_;
  size_t visited_ = 0;
};

}  // namespace weft::formats::ctf
