// Input that must be available as a whole, e.g. because its beginning refers to its end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/mapped_file.h"
#include "core/io/source.h"
#include "core/io/temporary_file.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// Appends the rest of the source, stopping once `bytes` exceeds `most`. On an error `bytes` keeps
// what was read before.
Status read_up_to(io::Source& source, uint64_t most, std::string& bytes);

// The first bytes of a small file, at most `most`; of one that is cut, those that are there.
Result<std::string> text_up_to(const std::filesystem::path& path, uint64_t most);

// The whole content of a source. A plain file is mapped; other input above a few megabytes is
// written to a temporary file, which is mapped: memory does not grow with the input.
class WholeInput {
 public:
  static constexpr uint64_t kAny = std::numeric_limits<uint64_t>::max();
  // Truncated input is a loss, and available up to its end. Fails if there are more than `most`
  // bytes.
  static Result<WholeInput> read(io::Source& source, trace::EventSink& sink, uint64_t most = kAny);
  // Reports a loss if a mapped file was truncated meanwhile.
  ~WholeInput();
  WholeInput(WholeInput&&) noexcept = default;
  WholeInput& operator=(WholeInput&&) = delete;

  // Valid as long as this object; 64 zero bytes follow.
  std::string_view bytes() const;
  bool is_early() const { return is_early_; }

 private:
  explicit WholeInput(trace::EventSink& sink) : sink_(&sink) {}

  trace::EventSink* sink_;
  std::string owned_;  // zeros included; empty: mapped
  io::TemporaryFile copy_;
  io::MappedFile file_;
  bool is_early_ = false;
};

}  // namespace weft::formats
