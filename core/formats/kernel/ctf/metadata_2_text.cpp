#include "core/formats/kernel/ctf/metadata_2_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace weft::formats::ctf {
namespace {

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

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
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
  explicit Writer(const Metadata2Classes& classes) : classes_(classes) {}

  std::string write() {
    std::string body = trace_text();
    for (const Json& clock : classes_.clocks) body += clock_text(clock);
    for (const auto& [id, stream] : classes_.streams) body += stream_text(id, stream);
    for (const Json& event : classes_.events) body += event_text(event);
    return "/* CTF 1.8 */\n" + body;
  }

 private:
  // --- Blocks ------------------------------------------------------------------------------------

  std::string trace_text() {
    const std::string header = scope_text(classes_.trace, kPacketHeader, "packet.header", "");
    std::string out = "trace { major = 1; minor = 8; byte_order = le;";
    const std::string uuid =
        classes_.uuid.empty() ? uuid_text(member(classes_.trace, "uuid")) : classes_.uuid;
    if (!uuid.empty()) out += fmt::format(" uuid = \"{}\";", uuid);
    out += header + " };\n";
    const Json& environment = member(classes_.trace, "environment");
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

  // "integer { … } _count[3];", or "… _count[3][_length]" of an array of arrays.
  std::string declaration(const Json& field, const std::string& name, size_t depth) {
    constexpr const char* kByte = "integer { size = 8; align = 8; signed = false; base = 16; }";
    constexpr const char* kLetter =
        "integer { size = 8; align = 8; signed = false; encoding = UTF8; }";
    std::string lengths;
    const Json* of = &field;
    for (;; ++depth) {
      if (depth > kMostDepth) throw Unreadable{"fields within fields without end"};
      const std::string type = text(*of, "type");
      const bool is_static = type.starts_with("static-length-");
      if (!is_static && !type.starts_with("dynamic-length-"))
        return fmt::format("{} {}{};", type_text(*of, depth), name, lengths);
      lengths += fmt::format("[{}]", is_static ? std::to_string(number(*of, "length", 0))
                                               : path_text(member(*of, "length-field-location")));
      if (type.ends_with("-blob")) return fmt::format("{} {}{};", kByte, name, lengths);
      if (type.ends_with("-string")) return fmt::format("{} {}{};", kLetter, name, lengths);
      of = &member(*of, kElement);
    }
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

  const Metadata2Classes& classes_;
  const Scope* scope_ = nullptr;                                      // of what is being written
  std::string clock_;                                                 // that its times are of
  std::map<std::pair<std::string, std::string>, std::string> names_;  // by scope and own name
  bool has_stream_ids_ = false, has_event_ids_ = false;
};

}  // namespace

std::string metadata_1_text(const Metadata2Classes& classes) { return Writer(classes).write(); }

}  // namespace weft::formats::ctf
