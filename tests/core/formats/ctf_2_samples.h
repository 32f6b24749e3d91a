// Traces of CTF 2 made by the tests: the bytes of write_ctf_fields(), described in JSON.
#pragma once

#include <filesystem>

#include "tests/core/formats/ctf_samples.h"

namespace weft::test {

// With names for classes, enumerations that are integers with mappings, and an option that is
// selected by the ranges of an integer, as the specification has it; the clock as its drafts do.
inline void write_ctf_2(const std::filesystem::path& folder) {
  write_ctf_fields(folder);
  const std::filesystem::path metadata =
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats/ctf_2/all_kinds.metadata";
  std::filesystem::copy_file(metadata, folder / "metadata",
                             std::filesystem::copy_options::overwrite_existing);
}

// What CTF 1.8 has no words for.
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
                                             {"fail/version_2", write_ctf_2_of_its_own},
                                             {"fail/broken_json", write_ctf_2_broken}};

}  // namespace weft::test
