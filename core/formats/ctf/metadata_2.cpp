#include "core/formats/ctf/metadata_2.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace weft::formats::ctf {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostDepth = 64;  // of JSON
constexpr size_t kMostValues = 10'000'000;
constexpr const char* kElement = "element-field-class";

// Where a field's class stands, and what 1.8 calls that place.
struct Scope {
  std::string_view origin, key, path;
};
constexpr Scope kPacketHeader{"packet-header", "packet-header-field-class", "trace.packet.header"};
constexpr Scope kPacketContext{"packet-context", "packet-context-field-class",
                               "stream.packet.context"};
constexpr Scope kEventHeader{"event-record-header", "event-record-header-field-class",
                             "stream.event.header"};
constexpr Scope kCommonContext{"event-record-common-context",
                               "event-record-common-context-field-class", "stream.event.context"};
constexpr Scope kSpecificContext{"event-record-specific-context", "specific-context-field-class",
                                 "event.context"};
constexpr Scope kPayload{"event-record-payload", "payload-field-class", "event.fields"};
constexpr const Scope* kScopes[] = {&kPacketHeader,  &kPacketContext,   &kEventHeader,
                                    &kCommonContext, &kSpecificContext, &kPayload};

constexpr std::string_view kClockRole = "default-clock-timestamp";
constexpr std::pair<std::string_view, std::string_view> kNamesOfRoles[] = {
    {"packet-magic-number", "magic"},
    {"metadata-stream-uuid", "uuid"},
    {"data-stream-class-id", "stream_id"},
    {"data-stream-id", "stream_instance_id"},
    {"packet-total-length", "packet_size"},
    {"packet-content-length", "content_size"},
    {"packet-end-default-clock-timestamp", "timestamp_end"},
    {"discarded-event-record-counter-snapshot", "events_discarded"},
    {"packet-sequence-number", "packet_seq_num"},
    {"event-record-class-id", "id"},
};

struct Unreadable {
  std::string reason;
};

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

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

// What 1.8 takes for a name; an underscore before it, which Babeltrace drops, keeps it from being a
// word of the language.
std::string identifier(std::string_view name) {
  std::string out = "_";
  for (const char c : name) {
    const bool is_letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += is_letter ? c : '_';
  }
  return out;
}

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

std::string ranges_text(std::string_view label, const Json& ranges) {
  std::string out;
  for (const Json& range : ranges) {
    if (!range.is_array() || range.size() != 2 || !range[0].is_number_integer() ||
        !range[1].is_number_integer())
      throw Unreadable{"a range that is none"};
    out += fmt::format("{}{} = {} ... {}", out.empty() ? "" : ", ", in_quotes(label),
                       range[0].dump(), range[1].dump());
  }
  return out;
}

class Writer {
 public:
  void read(Json fragment) {
    const std::string type = text(fragment, "type");
    if (type == "preamble") {
      uuid_ = uuid_text(member(fragment, "uuid"));
    } else if (type == "field-class-alias") {
      aliases_[text(fragment, "name")] = member(fragment, "field-class");
    } else if (type == "trace-class") {
      trace_ = std::move(fragment);
    } else if (type == "clock-class") {
      clocks_.push_back(std::move(fragment));
    } else if (type == "data-stream-class") {
      streams_[number(fragment, "id", 0)] = std::move(fragment);
    } else if (type == "event-record-class") {
      events_.push_back(std::move(fragment));
    } else {
      throw Unreadable{fmt::format("it is a '{}'", type)};
    }
  }

  std::string write() {
    resolve_all();
    std::string body = trace_text();
    for (const Json& clock : clocks_) body += clock_text(clock);
    for (const auto& [id, stream] : streams_) body += stream_text(id, stream);
    for (const Json& event : events_) body += event_text(event);
    return "/* CTF 1.8 */\n" + body;
  }

 private:
  // --- Aliases; and what selects an option becomes an enumeration of the options -----------------

  void resolve_all() {
    resolve_aliases(trace_, 0);
    for (auto& [id, stream] : streams_) resolve_aliases(stream, 0);
    for (Json& event : events_) resolve_aliases(event, 0);
    for (auto& [id, stream] : streams_) name_options_of(stream, stream);
    for (Json& event : events_) {
      const auto stream = streams_.find(number(event, "data-stream-class-id", 0));
      name_options_of(event, stream == streams_.end() ? event : stream->second);
    }
  }

  void name_options_of(Json& own, Json& stream) {
    for (const Scope* scope : kScopes) {
      if (const auto at = own.find(std::string(scope->key)); at != own.end())
        name_options(*at, own, stream, 0);
    }
  }

  void resolve_aliases(Json& value, size_t depth) {
    // Aliases within aliases can be few and mean many.
    if (depth > kMostDepth || ++visited_ > kMostValues)
      throw Unreadable{"fields within fields without end"};
    if (!value.is_structured()) return;
    for (auto& item : value.items()) {
      Json& below = item.value();
      const bool is_class = std::string_view(item.key()).ends_with("field-class");
      if (is_class && below.is_string()) {
        const auto alias = aliases_.find(below.get<std::string>());
        if (alias == aliases_.end()) throw Unreadable{"a name that stands for no field class"};
        below = alias->second;
      }
      resolve_aliases(below, depth + 1);
    }
  }

  // What `field` holds; `own` is the event or stream that it is of, whose packets and headers are
  // of `stream`.
  void name_options(Json& field, Json& own, Json& stream, size_t depth) {
    if (!field.is_object() || depth > kMostDepth) return;
    if (text(field, "type") == "variant" && field.contains("options")) {
      // It holds no field, so nothing that is being walked through moves when it grows.
      Json* selector = field_at(member(field, "selector-field-location"), own, stream);
      if (selector == nullptr || !is_leaf(*selector))
        throw Unreadable{"a variant whose selector is not found"};
      Json mappings = Json::object();
      for (Json& option : field["options"]) {
        if (text(option, "name").empty()) option["name"] = fmt::format("option{}", mappings.size());
        mappings[text(option, "name")] = member(option, "selector-field-ranges");
      }
      (*selector)["mappings"] = std::move(mappings);
    }
    for (const char* key : {"member-classes", "options"}) {
      if (!field.contains(key)) continue;
      for (Json& each : field[key]) {
        if (each.is_object() && each.contains("field-class"))
          name_options(each["field-class"], own, stream, depth + 1);
      }
    }
    if (field.contains(kElement)) name_options(field[kElement], own, stream, depth + 1);
  }

  static bool is_leaf(const Json& field) {
    return field.is_object() && !field.contains("member-classes") && !field.contains("options") &&
           !field.contains(kElement);
  }

  static std::pair<std::string, std::vector<std::string>> location_of(const Json& location) {
    const Json& path = location.is_array() ? location : member(location, "path");
    std::pair<std::string, std::vector<std::string>> found{text(location, "origin"), {}};
    for (const Json& name : path) {
      if (name.is_string()) found.second.push_back(name.get<std::string>());
    }
    const bool is_draft = location.is_array() && !found.second.empty();
    if (is_draft && scope_of(found.second.front()) != nullptr) {
      found.first = found.second.front();
      found.second.erase(found.second.begin());
    }
    return found;
  }

  static const Scope* scope_of(std::string_view origin) {
    const auto* const scope = std::ranges::find(kScopes, origin, &Scope::origin);
    return scope == std::end(kScopes) ? nullptr : *scope;
  }

  // A location without an origin is looked for in everything that the event or stream has.
  Json* field_at(const Json& location, Json& own, Json& stream) {
    const auto [origin, path] = location_of(location);
    for (const Scope* scope : kScopes) {
      if (!origin.empty() && origin != scope->origin) continue;
      for (Json* holder : {&own, &stream, &trace_}) {
        const auto at = holder->find(std::string(scope->key));
        if (at == holder->end()) continue;
        if (Json* found = follow(*at, path, origin.empty(), 0)) return found;
      }
    }
    return nullptr;
  }

  static Json* follow(Json& field, const std::vector<std::string>& path, bool anywhere,
                      size_t depth) {
    if (depth > kMostDepth) return nullptr;
    Json* at = &field;
    for (const std::string& name : path) {
      Json* next = nullptr;
      if (at->is_object() && at->contains("member-classes")) {
        for (Json& each : (*at)["member-classes"]) {
          if (text(each, "name") == name && each.contains("field-class"))
            next = &each["field-class"];
        }
      }
      at = next;
      if (at == nullptr) break;
    }
    if (at != nullptr && !path.empty()) return at;
    if (!anywhere || !field.is_object() || !field.contains("member-classes")) return nullptr;
    for (Json& each : field["member-classes"]) {
      if (!each.is_object() || !each.contains("field-class")) continue;
      if (Json* found = follow(each["field-class"], path, anywhere, depth + 1)) return found;
    }
    return nullptr;
  }

  // --- Blocks ------------------------------------------------------------------------------------

  std::string trace_text() {
    const std::string header = scope_text(trace_, kPacketHeader, "packet.header", "");
    std::string out = "trace { major = 1; minor = 8; byte_order = le;";
    const std::string uuid = uuid_.empty() ? uuid_text(member(trace_, "uuid")) : uuid_;
    if (!uuid.empty()) out += fmt::format(" uuid = \"{}\";", uuid);
    out += header + " };\n";
    const Json& environment = member(trace_, "environment");
    if (!environment.is_object() || environment.empty()) return out;
    out += "env {";
    for (const auto& item : environment.items()) {
      const Json& value = item.value();
      const std::string name = identifier(item.key()).substr(1);
      if (value.is_string())
        out += fmt::format(" {} = {};", name, in_quotes(value.get<std::string>()));
      if (value.is_number_integer()) out += fmt::format(" {} = {};", name, value.dump());
    }
    return out + " };\n";
  }

  // CTF 2 calls clocks by an id; its drafts by their names.
  static std::string clock_name(const Json& clock) {
    const std::string id = text(clock, "id");
    return identifier(id.empty() ? text(clock, "name") : id);
  }

  static std::string clock_text(const Json& clock) {
    std::string out = fmt::format("clock {{ name = {}; freq = {};", clock_name(clock),
                                  number(clock, "frequency", 1'000'000'000));
    if (const std::string uuid = uuid_text(member(clock, "uuid")); !uuid.empty())
      out += fmt::format(" uuid = \"{}\";", uuid);
    const Json& offset = member(clock, "offset-from-origin");
    for (const auto& [theirs, ours] : {std::pair("seconds", "offset_s"), {"cycles", "offset"}}) {
      if (member(offset, theirs).is_number_integer())
        out += fmt::format(" {} = {};", ours, member(offset, theirs).dump());
    }
    if (text(clock, "origin") == "unix-epoch") out += " absolute = TRUE;";
    return out + " };\n";
  }

  std::string stream_text(uint64_t id, const Json& stream) {
    const std::string key = stream.contains("default-clock-class-id") ? "default-clock-class-id"
                                                                      : "default-clock-class-name";
    const std::string name = text(stream, key.c_str());
    const std::string clock = name.empty() ? "" : identifier(name);
    std::string out = "stream {";
    if (has_stream_ids_) out += fmt::format(" id = {};", id);
    out += scope_text(stream, kPacketContext, "packet.context", clock);
    out += scope_text(stream, kEventHeader, "event.header", clock);
    out += scope_text(stream, kCommonContext, "event.context", clock);
    return out + " };\n";
  }

  std::string event_text(const Json& event) {
    std::string out = "event { name = " + in_quotes(text(event, "name")) + ";";
    if (has_event_ids_) out += fmt::format(" id = {};", number(event, "id", 0));
    if (has_stream_ids_)
      out += fmt::format(" stream_id = {};", number(event, "data-stream-class-id", 0));
    out += scope_text(event, kSpecificContext, "context", "");
    out += scope_text(event, kPayload, "fields", "");
    return out + " };\n";
  }

  std::string scope_text(const Json& holder, const Scope& scope, std::string_view name,
                         const std::string& clock) {
    const Json& field = member(holder, std::string(scope.key).c_str());
    if (field.is_null()) return {};
    scope_ = &scope;
    clock_ = clock;
    return fmt::format("\n  {} := {};", name, type_text(field, 0));
  }

  // --- Fields ------------------------------------------------------------------------------------

  // "integer { … } _count[3];"
  std::string declaration(const Json& field, const std::string& name, size_t depth) {
    if (depth > kMostDepth) throw Unreadable{"fields within fields without end"};
    const std::string type = text(field, "type");
    const auto array = [&](const std::string& of, const std::string& length) {
      return fmt::format("{} {}[{}];", of, name, length);
    };
    const auto fixed = [&] { return std::to_string(number(field, "length", 0)); };
    const auto counted = [&] { return path_text(member(field, "length-field-location")); };
    constexpr const char* kByte = "integer { size = 8; align = 8; signed = false; base = 16; }";
    constexpr const char* kLetter =
        "integer { size = 8; align = 8; signed = false; encoding = UTF8; }";
    if (type == "static-length-blob") return array(kByte, fixed());
    if (type == "dynamic-length-blob") return array(kByte, counted());
    if (type == "static-length-string") return array(kLetter, fixed());
    if (type == "dynamic-length-string") return array(kLetter, counted());
    const bool is_static = type == "static-length-array";
    if (!is_static && type != "dynamic-length-array")
      return type_text(field, depth) + " " + name + ";";
    // An array of arrays needs a type of its own.
    const Json& element = member(field, kElement);
    const std::string of = text(element, "type");
    if (of.find("-length-array") != std::string::npos || of.find("-length-string") != of.npos ||
        of.find("-length-blob") != of.npos)
      throw Unreadable{"an array of arrays"};
    return array(type_text(element, depth), is_static ? fixed() : counted());
  }

  std::string type_text(const Json& field, size_t depth) {
    const std::string type = text(field, "type");
    const std::string encoding = text(field, "encoding");
    if (!encoding.empty() && encoding != "utf-8") throw Unreadable{"text in " + encoding};
    if (type == "structure") return structure_text(field, depth);
    if (type == "variant") return variant_text(field, depth);
    if (type == "null-terminated-string") return "string { encoding = UTF8; }";
    if (type == "fixed-length-floating-point-number") {
      const uint64_t length = number(field, "length", 0);
      const uint64_t exponent = length == 16 ? 5 : length == 32 ? 8 : length == 64 ? 11 : 15;
      return fmt::format(
          "floating_point {{ exp_dig = {}; mant_dig = {}; align = {}; byte_order = {}; }}",
          exponent, length - std::min(length, exponent), number(field, "alignment", 1),
          byte_order(field));
    }
    if (!type.starts_with("fixed-length-"))
      throw Unreadable{fmt::format("fields of the type '{}'", type)};
    return integer_text(field, type.find("-signed-") != std::string::npos);
  }

  std::string integer_text(const Json& field, bool is_signed) {
    std::string out = fmt::format("integer {{ size = {}; align = {}; signed = {}; byte_order = {};",
                                  number(field, "length", 0), number(field, "alignment", 1),
                                  is_signed, byte_order(field));
    const uint64_t base = number(field, "preferred-display-base", 10);
    if (base == 2 || base == 8 || base == 16) out += fmt::format(" base = {};", base);
    const bool has_mappings = member(field, "mappings").is_object();
    if (has_role(field, kClockRole) && !clock_.empty() && !has_mappings)
      out += fmt::format(" map = clock.{}.value;", clock_);
    out += " }";
    if (!has_mappings) return out;
    std::string labels;
    for (const auto& item : member(field, "mappings").items()) {
      const std::string ranges = ranges_text(item.key(), item.value());
      labels += (labels.empty() || ranges.empty() ? "" : ", ") + ranges;
    }
    return labels.empty() ? out : fmt::format("enum : {} {{ {} }}", out, labels);
  }

  std::string structure_text(const Json& field, size_t depth) {
    std::string out = "struct {";
    for (const Json& each : member(field, "member-classes"))
      out += " " + declaration(member(each, "field-class"), name_of(each), depth + 1);
    return fmt::format("{} }} align({})", out, number(field, "minimum-alignment", 1));
  }

  std::string variant_text(const Json& field, size_t depth) {
    std::string out =
        fmt::format("variant <{}> {{", path_text(member(field, "selector-field-location")));
    for (const Json& option : member(field, "options"))
      out += " " + declaration(member(option, "field-class"), text(option, "name"), depth + 1);
    return out + " }";
  }

  std::string path_text(const Json& location) const {
    const auto [origin, path] = location_of(location);
    const Scope* scope = scope_of(origin);
    // Babeltrace's parser wants a name alone for what selects an option.
    std::string out(scope == nullptr || scope == scope_ ? "" : scope->path);
    for (const std::string& name : path) {
      const auto renamed =
          names_.find({std::string(origin.empty() ? scope_->origin : origin), name});
      out +=
          (out.empty() ? "" : ".") + (renamed == names_.end() ? identifier(name) : renamed->second);
    }
    if (out.empty()) throw Unreadable{"a place of a field that is none"};
    return out;
  }

  // The name that a role has in 1.8, else its own.
  std::string name_of(const Json& each) {
    const Json& field = member(each, "field-class");
    const std::string own = text(each, "name");
    std::string name = identifier(own);
    for (const auto& [role, ours] : kNamesOfRoles) {
      if (!has_role(field, role)) continue;
      name = ours;
      has_stream_ids_ |= role == "data-stream-class-id";
      has_event_ids_ |= role == "event-record-class-id";
    }
    if (has_role(field, kClockRole))
      name = scope_->origin == kPacketContext.origin ? "timestamp_begin" : "timestamp";
    if (scope_->origin == kEventHeader.origin && name == identifier(own)) name = own;
    names_[{std::string(scope_->origin), own}] = name;
    return name;
  }

  static bool has_role(const Json& field, std::string_view role) {
    const Json& roles = member(field, "roles");
    return roles.is_array() && std::ranges::find(roles, Json(role)) != roles.end();
  }

  static std::string_view byte_order(const Json& field) {
    return text(field, "byte-order") == "big-endian" ? "be" : "le";
  }

  std::string uuid_;
  size_t visited_ = 0;
  std::map<std::string, Json> aliases_;
  Json trace_ = Json::object();
  std::vector<Json> clocks_;
  std::map<uint64_t, Json> streams_;
  std::vector<Json> events_;

  const Scope* scope_ = nullptr;                                      // of what is being written
  std::string clock_;                                                 // that its times are of
  std::map<std::pair<std::string, std::string>, std::string> names_;  // by scope and own name
  bool has_stream_ids_ = false, has_event_ids_ = false;
};

}  // namespace

Result<std::string> metadata_1_of(std::string_view metadata_2) {
  constexpr char kSeparator = '\x1E';
  constexpr std::string_view kBad = "its metadata cannot be understood";
  const auto is_shallow = [](int depth, Json::parse_event_t, const Json&) {
    if (depth > static_cast<int>(kMostDepth)) throw Unreadable{"fields within fields without end"};
    return true;
  };
  Writer writer;
  size_t begin = metadata_2.find(kSeparator);
  try {
    for (size_t end = 0; begin < metadata_2.size(); begin = end) {
      end = std::min(metadata_2.find(kSeparator, begin + 1), metadata_2.size());
      writer.read(Json::parse(metadata_2.substr(begin + 1, end - begin - 1), is_shallow));
    }
    return writer.write();
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
