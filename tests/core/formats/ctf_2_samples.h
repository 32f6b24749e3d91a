// Traces of CTF 2 made by the tests: the bytes of write_ctf_fields(), described in JSON.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/core/formats/ctf_samples.h"

namespace weft::test {

// Writes fragments, each behind an '@'.
inline void write_metadata_2(const std::filesystem::path& folder, std::string fragments) {
  std::ranges::replace(fragments, '@', '\x1E');
  write_file(folder / "metadata", fragments);
}

// A CTF 2 trace with names for classes, enumerations that are integers with mappings, and an option
// selected by the ranges of an integer, as in the specification; the clock as in its drafts.
inline void write_ctf_2(const std::filesystem::path& folder) {
  write_ctf_fields(folder);
  const std::filesystem::path metadata =
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats/ctf_2/all_kinds.metadata";
  std::filesystem::copy_file(metadata, folder / "metadata",
                             std::filesystem::copy_options::overwrite_existing);
}

// Two variants with one selector that call different numbers alike; an option whose name is a word
// of CTF 1.8, and one that is not a name there. The time is in a variant of the header that the id
// selects, as LTTng has it.
inline void write_ctf_2_variants(const std::filesystem::path& folder) {
  const std::string metadata = R"(
@{"type": "preamble", "version": 2}
@{"type": "field-class-alias", "name": "text", "field-class": {"type": "null-terminated-string"}}
@{"type": "field-class-alias", "name": "u8", "field-class": {
   "type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"}}
@{"type": "field-class-alias", "name": "u32", "field-class": {
   "type": "fixed-length-unsigned-integer", "length": 32, "byte-order": "little-endian"}}
@{"type": "trace-class", "packet-header-field-class": {"type": "structure", "member-classes": [
   {"name": "magic", "field-class": "u32"}, {"name": "stream", "field-class": "u32"}]}}
@{"type": "clock-class", "id": "clock", "frequency": 1000000000}
@{"type": "data-stream-class", "default-clock-class-id": "clock",
  "packet-context-field-class": {"type": "structure", "member-classes": [
   {"name": "times", "field-class": {"type": "static-length-blob", "length": 16}},
   {"name": "content", "field-class": {"type": "fixed-length-unsigned-integer", "length": 64,
     "byte-order": "little-endian", "roles": ["packet-content-length"]}},
   {"name": "total", "field-class": {"type": "fixed-length-unsigned-integer", "length": 64,
     "byte-order": "little-endian", "roles": ["packet-total-length"]}},
   {"name": "rest", "field-class": {"type": "static-length-blob", "length": 12}}]},
  "event-record-header-field-class": {"type": "structure", "member-classes": [
   {"name": "id", "field-class": {"type": "fixed-length-unsigned-integer", "length": 16,
     "byte-order": "little-endian", "roles": ["event-record-class-id"]}},
   {"name": "v", "field-class": {"type": "variant", "options": [
     {"name": "extended", "selector-field-ranges": [[0, 65535]], "field-class": {
       "type": "structure", "member-classes": [{"name": "time", "field-class": {
         "type": "fixed-length-unsigned-integer", "length": 64, "byte-order": "little-endian",
         "roles": ["default-clock-timestamp"]}}]}}],
    "selector-field-location": {"origin": "event-record-header", "path": ["id"]}}}]}}
@{"type": "event-record-class", "id": 2, "name": "two variants",
  "payload-field-class": {"type": "structure", "member-classes": [
   {"name": "tag", "field-class": "u8"},
   {"name": "first", "field-class": {
     "type": "variant", "selector-field-location": {"path": ["tag"]}, "options": [
      {"name": "string", "selector-field-ranges": [[0, 0]], "field-class": "text"},
      {"name": "number", "selector-field-ranges": [[1, 1]], "field-class": "u8"}]}},
   {"name": "second", "field-class": {
     "type": "variant", "selector-field-location": {"path": ["tag"]}, "options": [
      {"name": "number", "selector-field-ranges": [[0, 0]], "field-class": "u8"},
      {"name": "a b", "selector-field-ranges": [[1, 1]], "field-class": "text"}]}}]}}
)";
  write_metadata_2(folder, metadata);
  write_file(folder / "stream",
             CtfStream()
                 .event(2, 1, CtfFields().number(uint8_t{0}).text("one").number(uint8_t{2}))
                 .event(2, 2, CtfFields().number(uint8_t{1}).number(uint8_t{3}).text("four"))
                 .packet()
                 .bytes());
}

// Arrays of arrays, of texts and of bytes, whose lengths are given or counted.
inline void write_ctf_2_arrays(const std::filesystem::path& folder) {
  const std::string metadata = R"(
@{"type": "preamble", "version": 2}
@{"type": "field-class-alias", "name": "u8", "field-class": {
   "type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"}}
@{"type": "trace-class"}
@{"type": "data-stream-class"}
@{"type": "event-record-class", "name": "arrays", "payload-field-class": {
   "type": "structure", "member-classes": [
   {"name": "rows", "field-class": {"type": "static-length-array", "length": 2,
     "element-field-class": {"type": "static-length-array", "length": 3,
       "element-field-class": "u8"}}},
   {"name": "count", "field-class": "u8"},
   {"name": "texts", "field-class": {"type": "dynamic-length-array",
     "length-field-location": {"origin": "event-record-payload", "path": ["count"]},
     "element-field-class": {"type": "static-length-string", "length": 2}}},
   {"name": "bytes", "field-class": {"type": "static-length-array", "length": 2,
     "element-field-class": {"type": "dynamic-length-blob",
       "length-field-location": {"origin": "event-record-payload", "path": ["count"]}}}}]}}
)";
  write_metadata_2(folder, metadata);
  const std::string event = "\1\2\3\4\5\6\3ontoxy\7\x8\x9\xA\xB\xC";
  write_file(folder / "stream", event);
}

// Features of CTF 2 that CTF 1.8 lacks.
inline void write_ctf_2_of_its_own(const std::filesystem::path& folder) {
  write_file(folder / "metadata",
             "\x1E{\"type\":\"preamble\",\"version\":2}\n\x1E{\"type\":\"trace-class\"}\n"
             "\x1E{\"type\":\"data-stream-class\"}\n"
             "\x1E{\"type\":\"event-record-class\",\"name\":\"e\",\"payload-field-class\":"
             "{\"type\":\"structure\",\"member-classes\":[{\"name\":\"n\",\"field-class\":"
             "{\"type\":\"variable-length-unsigned-integer\"}}]}}\n");
  write_file(folder / "stream", "\1");
}

// Events of one kind, with the given members, in one stream without packets.
inline void write_ctf_2_event(const std::filesystem::path& folder, const std::string& preamble,
                              const std::string& members, const std::string& data) {
  write_metadata_2(folder, "@" + preamble + R"(
@{"type": "field-class-alias", "name": "u8", "field-class": {
   "type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"}}
@{"type": "trace-class"}
@{"type": "data-stream-class"}
@{"type": "event-record-class", "name": "event", "payload-field-class": {
   "type": "structure", "member-classes": [)" +
                               members + "]}}\n");
  write_file(folder / "stream", data);
}
inline constexpr const char* kPreamble2 = R"({"type": "preamble", "version": 2})";

// Names of fields are any texts, also those that 1.8 takes for packets' and events' own, though no
// role says so: here in the packet's header and context, and in the event's header. Of two fields
// with a role the last has its meaning. White space lies between fragments, and an alias of an
// alias among them.
inline void write_ctf_2_names(const std::filesystem::path& folder) {
  write_metadata_2(folder, R"(
@
@@{"type": "preamble", "version": 2}
@{"type": "field-class-alias", "name": "byte", "field-class": {
   "type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"}}
@{"type": "field-class-alias", "name": "u8", "field-class": "byte"}
@{"type": "field-class-alias", "name": "time", "field-class": {
   "type": "fixed-length-unsigned-integer", "length": 32, "byte-order": "little-endian",
   "roles": ["default-clock-timestamp"]}}
@{"type": "trace-class", "environment": {"odd key": "x", "struct": 1, "a-field-class": "y"},
  "attributes": {"my.org": {"c++-field-class": "Foo"}},
  "packet-header-field-class": {"type": "structure", "member-classes": [
   {"name": "stream_id", "field-class": "u8"}, {"name": "uuid", "field-class": "u8"}]}}
@{"type": "clock-class", "id": "other clock"}
@{"type": "clock-class", "id": "other-clock"}
@{"type": "data-stream-class", "default-clock-class-id": "other-clock",
  "packet-context-field-class": {"type": "structure", "member-classes": [
   {"name": "packet_size", "field-class": "u8"}, {"name": "events_discarded", "field-class": "u8"},
   {"name": "first", "field-class": "time"}, {"name": "second", "field-class": "time"}]},
  "event-record-header-field-class": {"type": "structure", "member-classes": [
   {"name": "id", "field-class": "u8"}, {"name": "the struct!", "field-class": "u8"},
   {"name": "timestamp", "field-class": "u8"}, {"name": "now", "field-class": "time"}]}}
@{"type": "event-record-class", "name": "names",
  "payload-field-class": {"type": "structure", "member-classes": [
   {"name": "a b", "field-class": "u8"}, {"name": "a_b", "field-class": "u8"},
   {"name": "a-b", "field-class": "u8"}, {"name": "_a_b", "field-class": "u8"},
   {"name": "struct", "field-class": "u8"}, {"name": "9x", "field-class": "u8"},
   {"name": "température", "field-class": "u8"}, {"name": "", "field-class": "u8"}]}}
)");
  const std::string packet("\1\2\3\4\xA\0\0\0\x14\0\0\0", 12);
  const std::string header("\5\6\7\x1E\0\0\0", 7);
  write_file(folder / "stream", packet + header + "\1\2\3\4\5\6\7\x8");
}

// Lengths and selectors that are named alike, of which a location means one.
inline void write_ctf_2_locations(const std::filesystem::path& folder) {
  write_ctf_2_event(folder, kPreamble2, R"(
   {"name": "n", "field-class": "u8"},
   {"name": "inner", "field-class": {"type": "structure", "member-classes": [
     {"name": "n", "field-class": "u8"},
     {"name": "of the parent", "field-class": {"type": "dynamic-length-array",
       "length-field-location": {"path": [null, "n"]}, "element-field-class": "u8"}},
     {"name": "of the origin", "field-class": {"type": "dynamic-length-array",
       "length-field-location": {"origin": "event-record-payload", "path": ["n"]},
       "element-field-class": "u8"}},
     {"name": "of its own", "field-class": {"type": "dynamic-length-array",
       "length-field-location": {"path": ["n"]}, "element-field-class": "u8"}},
     {"name": "selected", "field-class": {"type": "variant",
       "selector-field-location": {"path": [null, "n"]}, "options": [
        {"selector-field-ranges": [[1, 1]], "field-class": {"type": "null-terminated-string"}},
        {"selector-field-ranges": [[2, 2]], "field-class": "u8"}]}}]}},
   {"name": "elements", "field-class": {"type": "static-length-array", "length": 2,
     "element-field-class": {"type": "structure", "member-classes": [
       {"name": "n", "field-class": "u8"},
       {"name": "within an array", "field-class": {"type": "variant",
         "selector-field-location": {"origin": "event-record-payload", "path": ["elements", "n"]},
         "options": [
          {"selector-field-ranges": [[1, 1]], "field-class": {"type": "null-terminated-string"}},
          {"selector-field-ranges": [[2, 2]], "field-class": {
            "type": "structure", "member-classes": [
             {"name": "n", "field-class": "u8"},
             {"name": "within an option", "field-class": {"type": "dynamic-length-blob",
               "length-field-location": {"origin": "event-record-payload",
                 "path": ["elements", "within an array", "n"]}}}]}}]}}]}}},
   {"name": "beside", "field-class": {"type": "dynamic-length-array",
     "length-field-location": {"path": ["inner", "x", null, null, "inner", "n"]},
     "element-field-class": "u8"}})",
                    std::string("\2\1\x10\x11\x20\x21\x30\x40\1a\0\2\1\x50\x60", 15));
}

// An array that is aligned beyond its elements, and the structure with it, behind a byte; flags,
// and a Boolean value.
inline void write_ctf_2_kinds(const std::filesystem::path& folder) {
  write_ctf_2_event(folder, kPreamble2, R"(
   {"name": "on", "field-class": {
     "type": "fixed-length-boolean", "length": 8, "byte-order": "little-endian"}},
   {"name": "aligned", "field-class": {"type": "static-length-array", "length": 2,
     "minimum-alignment": 32, "element-field-class": "u8"}},
   {"name": "flags", "field-class": {"type": "fixed-length-bit-map", "length": 8,
     "byte-order": "little-endian", "flags": {"a": [[0, 0]], "b c": [[1, 2], [7, 7]]}}})",
                    std::string("\2\xEE\xEE\xEE\1\2\3\xEE"
                                "\0\xEE\xEE\xEE\3\4\x94\xEE"
                                "\1\xEE\xEE\xEE\5\6\x8",
                                23));
}

// Classes of streams whose numbers are neither in order nor from 0, in one file each.
inline void write_ctf_2_streams(const std::filesystem::path& folder) {
  write_metadata_2(folder, R"(@{"type": "preamble", "version": 2}
@{"type": "field-class-alias", "name": "u8", "field-class": {
   "type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"}}
@{"type": "trace-class", "packet-header-field-class": {"type": "structure", "member-classes": [
   {"name": "class", "field-class": {"type": "fixed-length-unsigned-integer", "length": 8,
     "byte-order": "little-endian", "roles": ["data-stream-class-id"]}}]}}
@{"type": "data-stream-class", "id": 5}
@{"type": "event-record-class", "data-stream-class-id": 5, "name": "of five",
  "payload-field-class": {"type": "structure", "member-classes": [
   {"name": "n", "field-class": "u8"}]}}
@{"type": "data-stream-class", "id": 3}
@{"type": "event-record-class", "data-stream-class-id": 3, "name": "of three",
  "payload-field-class": {"type": "structure", "member-classes": [
   {"name": "n", "field-class": "u8"}]}}
)");
  write_file(folder / "five", "\5\1\2");
  write_file(folder / "three", "\3\1");
}

inline void write_ctf_2_reversed(const std::filesystem::path& folder) {
  write_ctf_2_event(folder, kPreamble2, R"({"name": "n", "field-class": {
   "type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian",
   "bit-order": "last-to-first"}})",
                    "\1");
}

inline void write_ctf_2_text_in_utf_16(const std::filesystem::path& folder) {
  write_ctf_2_event(folder, kPreamble2, R"({"name": "s", "field-class": {
   "type": "static-length-string", "length": 2, "encoding": "utf-16le"}})",
                    "ab");
}

inline void write_ctf_2_short_real(const std::filesystem::path& folder) {
  write_ctf_2_event(folder, kPreamble2, R"({"name": "r", "field-class": {
   "type": "fixed-length-floating-point-number", "length": 16,
   "byte-order": "little-endian"}})",
                    "ab");
}

inline void write_ctf_2_extended(const std::filesystem::path& folder) {
  write_ctf_2_event(folder,
                    R"({"type": "preamble", "version": 2, "extensions": {"space": {"x": 1}}})",
                    R"({"name": "n", "field-class": "u8"})", "\1");
}

inline void write_ctf_2_newer(const std::filesystem::path& folder) {
  write_ctf_2_event(folder, R"({"type": "preamble", "version": 3})",
                    R"({"name": "n", "field-class": "u8"})", "\1");
}

inline void write_ctf_2_unselected(const std::filesystem::path& folder) {
  write_ctf_2_event(folder, kPreamble2, R"(
   {"name": "n", "field-class": "u8"},
   {"name": "v", "field-class": {"type": "variant",
     "selector-field-location": {"path": ["n"]}, "options": [
      {"selector-field-ranges": [], "field-class": "u8"}]}})",
                    "\1\1");
}

// The selector lies in a structure beside the variant.
inline void write_ctf_2_selected_from_elsewhere(const std::filesystem::path& folder) {
  write_ctf_2_event(folder, kPreamble2, R"(
   {"name": "s", "field-class": {"type": "structure", "member-classes": [
     {"name": "n", "field-class": "u8"}]}},
   {"name": "v", "field-class": {"type": "variant",
     "selector-field-location": {"path": ["s", "n"]}, "options": [
      {"selector-field-ranges": [[1, 1]], "field-class": "u8"}]}})",
                    "\1\1");
}

inline void write_ctf_2_broken(const std::filesystem::path& folder) {
  write_file(folder / "metadata", "\x1E{\"type\":\"preamble\",\"version\":2}\n\x1E{\"type\":\n");
}

inline constexpr CtfSample kCtf2Samples[] = {
    {"succeed/version_2", write_ctf_2},
    {"succeed/version_2_variants", write_ctf_2_variants},
    {"succeed/version_2_arrays", write_ctf_2_arrays},
    {"succeed/version_2_names", write_ctf_2_names},
    {"succeed/version_2_locations", write_ctf_2_locations},
    {"succeed/version_2_kinds", write_ctf_2_kinds},
    {"succeed/version_2_streams", write_ctf_2_streams},
    {"fail/version_2", write_ctf_2_of_its_own},
    {"fail/version_2_reversed", write_ctf_2_reversed},
    {"fail/version_2_text_in_utf_16", write_ctf_2_text_in_utf_16},
    {"fail/version_2_short_real", write_ctf_2_short_real},
    {"fail/version_2_extended", write_ctf_2_extended},
    {"fail/version_2_selected_from_elsewhere", write_ctf_2_selected_from_elsewhere},
    {"fail/version_2_unselected", write_ctf_2_unselected},
    {"fail/version_3", write_ctf_2_newer},
    {"fail/broken_json", write_ctf_2_broken},
};

}  // namespace weft::test
