#include "core/formats/kernel/ctf/metadata_2_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/ascii.h"
#include "core/formats/kernel/ctf/escaped_name.h"
#include "core/formats/kernel/ctf/metadata_2_names.h"

namespace weft::formats::ctf {
namespace {

// Words of version 1.8 (TSDL), which cannot be names there.
constexpr std::string_view kKeywords[] = {
    "_Bool",  "_Complex", "_Imaginary", "align",   "callsite", "char",           "clock",
    "const",  "double",   "enum",       "env",     "event",    "floating_point", "float",
    "int",    "integer",  "long",       "short",   "signed",   "stream",         "string",
    "struct", "trace",    "typealias",  "typedef", "unsigned", "variant",        "void"};

bool is_identifier(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_alphanumeric(c) || c == '_'; }) &&
         std::ranges::find(kKeywords, name) == std::end(kKeywords);
}

// Whether a field, or one within it, has a role.
bool holds_role(const Json& field, std::string_view role) {
  const auto is_within = [&](const Json& each) {
    return holds_role(member(each, "field-class"), role);
  };
  return has_role(field, role) || std::ranges::any_of(member(field, "member-classes"), is_within) ||
         std::ranges::any_of(member(field, "options"), is_within);
}

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
    for (size_t i = 0; i < classes_.clocks.size(); ++i) body += clock_text(i);
    for (const auto& [id, stream] : classes_.streams) body += stream_text(id, stream);
    for (const Json& event : classes_.events) body += event_text(event);
    return "/* CTF 1.8 */\n" + body;
  }

 private:
  // --- Blocks ------------------------------------------------------------------------------------

  std::string trace_text() {
    has_stream_ids_ = holds_role(scope_of(classes_.trace, kPacketHeader), kStreamIdRole);
    std::string out = "trace { major = 1; minor = 8; byte_order = le;";
    const std::string uuid =
        classes_.uuid.empty() ? uuid_text(member(classes_.trace, "uuid")) : classes_.uuid;
    if (!uuid.empty()) out += fmt::format(" uuid = \"{}\";", uuid);
    out += scope_text(classes_.trace, kPacketHeader, "packet.header", "") + " };\n";
    const Json& environment = member(classes_.trace, "environment");
    if (!environment.is_object() || environment.empty()) return out;
    out += "env {";
    for (size_t i = 0; const auto& item : environment.items()) {
      const Json& value = item.value();
      const std::string name =
          is_identifier(item.key()) ? item.key() : escaped_name(++i, item.key());
      if (value.is_string())
        out += fmt::format(" {} = {};", name, in_quotes(value.get<std::string>()));
      if (value.is_number_integer()) out += fmt::format(" {} = {};", name, value.dump());
    }
    return out + " };\n";
  }

  // CTF 2 calls clocks by an id; its drafts by their names.
  std::string clock_name(const std::string& id) const {
    const auto clock = std::ranges::find_if(classes_.clocks, [&](const Json& each) {
      return text(each, each.contains("id") ? "id" : "name") == id;
    });
    if (clock == classes_.clocks.end()) throw Unreadable{"a clock that is not described"};
    return clock_name(static_cast<size_t>(clock - classes_.clocks.begin()));
  }
  static std::string clock_name(size_t index) { return fmt::format("clock_{}", index); }

  std::string clock_text(size_t index) const {
    const Json& clock = classes_.clocks[index];
    std::string out = fmt::format("clock {{ name = {}; freq = {};", clock_name(index),
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
    const char* const key = stream.contains("default-clock-class-id") ? "default-clock-class-id"
                                                                      : "default-clock-class-name";
    const std::string id_of_clock = text(stream, key);
    const std::string clock = id_of_clock.empty() ? "" : clock_name(id_of_clock);
    std::string out = "stream {";
    if (has_stream_ids_) out += fmt::format(" id = {};", id);
    out += scope_text(stream, kPacketContext, "packet.context", clock);
    out += scope_text(stream, kEventHeader, "event.header", clock);
    out += scope_text(stream, kCommonContext, "event.context", "");
    return out + " };\n";
  }

  std::string event_text(const Json& event) {
    std::string out = "event { name = " + in_quotes(text(event, "name")) + ";";
    const uint64_t stream_id = number(event, "data-stream-class-id", 0);
    const auto stream = classes_.streams.find(stream_id);
    if (stream != classes_.streams.end() &&
        holds_role(scope_of(stream->second, kEventHeader), kEventIdRole))
      out += fmt::format(" id = {};", number(event, "id", 0));
    if (has_stream_ids_) out += fmt::format(" stream_id = {};", stream_id);
    out += scope_text(event, kSpecificContext, "context", "");
    out += scope_text(event, kPayload, "fields", "");
    return out + " };\n";
  }

  static const Json& scope_of(const Json& holder, const Scope& scope) {
    return member(holder, std::string(scope.key).c_str());
  }

  // `clock` is that which its times are of; empty where they have no meaning.
  std::string scope_text(const Json& holder, const Scope& scope, std::string_view name,
                         const std::string& clock) {
    const Json& field = scope_of(holder, scope);
    if (field.is_null()) return {};
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
      check(*of);
      const std::string type = text(*of, "type");
      const bool is_static = type.starts_with("static-length-");
      if (!is_static && !type.starts_with("dynamic-length-"))
        return fmt::format("{} {}{};", type_text(*of, depth), name, lengths);
      lengths += fmt::format(
          "[{}]", is_static ? std::to_string(number(*of, "length", 0)) : text(*of, kPath1));
      if (type.ends_with("-blob")) return fmt::format("{} {}{};", kByte, name, lengths);
      if (type.ends_with("-string")) return fmt::format("{} {}{};", kLetter, name, lengths);
      of = &member(*of, kElement);
    }
  }

  static void check(const Json& field) {
    const std::string encoding = text(field, "encoding"), order = text(field, "bit-order");
    if (!encoding.empty() && encoding != "utf-8") throw Unreadable{"text in " + encoding};
    const std::string_view usual = byte_order(field) == "be" ? "last-to-first" : "first-to-last";
    if (!order.empty() && order != usual && text(field, "type") != "fixed-length-boolean")
      throw Unreadable{"bits in reverse order"};
  }

  std::string type_text(const Json& field, size_t depth) {
    const std::string type = text(field, "type");
    if (type == "structure") return structure_text(field, depth);
    if (type == "variant") return variant_text(field, depth);
    if (type == "null-terminated-string") return "string { encoding = UTF8; }";
    if (type == "fixed-length-floating-point-number") {
      const uint64_t length = number(field, "length", 0), exponent = length == 32 ? 8 : 11;
      if (length != 32 && length != 64)
        throw Unreadable{fmt::format("floating-point numbers of {} bits", length)};
      return fmt::format(
          "floating_point {{ exp_dig = {}; mant_dig = {}; align = {}; byte_order = {}; }}",
          exponent, length - exponent, number(field, "alignment", 1), byte_order(field));
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
    const Json mappings = mappings_of(field);
    const bool is_time = has_role(field, kClockRole) || has_role(field, kEndClockRole);
    if (is_time && !clock_.empty() && mappings.empty())
      out += fmt::format(" map = clock.{}.value;", clock_);
    out += " }";
    std::string labels;
    for (const auto& item : mappings.items()) {
      const std::string ranges = ranges_text(item.key(), item.value());
      labels += (labels.empty() || ranges.empty() ? "" : ", ") + ranges;
    }
    return labels.empty() ? out : fmt::format("enum : {} {{ {} }}", out, labels);
  }

  // The labels of an integer's values; 1.8 has neither flags nor Boolean values.
  static Json mappings_of(const Json& field) {
    constexpr uint64_t kWordBits = 64;
    Json mappings = member(field, "mappings");
    if (!mappings.is_object()) mappings = Json::object();
    const uint64_t length = number(field, "length", 0);
    if (text(field, "type") == "fixed-length-boolean" && length > 0 && length <= kWordBits) {
      mappings["false"] = {{0, 0}};
      mappings["true"] = {{1, ~uint64_t{0} >> (kWordBits - length)}};
    }
    for (const auto& item : member(field, "flags").items())
      mappings[flag_label(item.key())] = item.value();
    return mappings;
  }

  std::string structure_text(const Json& field, size_t depth) {
    std::string out = "struct {";
    for (const Json& each : member(field, "member-classes"))
      out += " " + declaration(member(each, "field-class"), text(each, kName1), depth + 1);
    return fmt::format("{} }} align({})", out, number(field, "minimum-alignment", 1));
  }

  std::string variant_text(const Json& field, size_t depth) {
    std::string out = fmt::format("variant <{}> {{", text(field, kPath1));
    for (const Json& option : member(field, "options"))
      out += " " + declaration(member(option, "field-class"), text(option, kName1), depth + 1);
    return out + " }";
  }

  static std::string_view byte_order(const Json& field) {
    return text(field, "byte-order") == "big-endian" ? "be" : "le";
  }

  const Metadata2Classes& classes_;
  std::string clock_;  // of the scope that is being written
  bool has_stream_ids_ = false;
};

}  // namespace

std::string metadata_1_text(const Metadata2Classes& classes) { return Writer(classes).write(); }

}  // namespace weft::formats::ctf
