// Traces of CTF 2 made by the tests: the bytes of write_ctf_fields(), described in JSON.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/core/formats/ctf_samples.h"

namespace weft::test {

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
  std::string metadata = R"(
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
  metadata.erase(0, 1);
  std::ranges::replace(metadata, '@', '\x1E');
  write_file(folder / "metadata", metadata);
  write_file(folder / "stream",
             CtfStream()
                 .event(2, 1, CtfFields().number(uint8_t{0}).text("one").number(uint8_t{2}))
                 .event(2, 2, CtfFields().number(uint8_t{1}).number(uint8_t{3}).text("four"))
                 .packet()
                 .bytes());
}

// Arrays of arrays, of texts and of bytes, whose lengths are given or counted.
inline void write_ctf_2_arrays(const std::filesystem::path& folder) {
  std::string metadata = R"(
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
  metadata.erase(0, 1);
  std::ranges::replace(metadata, '@', '\x1E');
  write_file(folder / "metadata", metadata);
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

inline void write_ctf_2_broken(const std::filesystem::path& folder) {
  write_file(folder / "metadata", "\x1E{\"type\":\"preamble\",\"version\":2}\n\x1E{\"type\":\n");
}

inline constexpr CtfSample kCtf2Samples[] = {{"succeed/version_2", write_ctf_2},
                                             {"succeed/version_2_variants", write_ctf_2_variants},
                                             {"succeed/version_2_arrays", write_ctf_2_arrays},
                                             {"fail/version_2", write_ctf_2_of_its_own},
                                             {"fail/broken_json", write_ctf_2_broken}};

}  // namespace weft::test
