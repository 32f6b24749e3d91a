// Input that can be understood only as a whole, since what its begin refers to stands at its end.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/mapped_file.h"
#include "core/io/source.h"
#include "core/io/temporary_file.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// Appends what is left of the source until there are more than `most` bytes. At an error what was
// read before it is there.
Status read_up_to(io::Source& source, uint64_t most, std::string& bytes);

// All that a source has. A plain file is mapped; what is longer than a few megabytes and comes
// otherwise is written to a temporary file, and that is mapped: memory does not grow with it.
class WholeInput {
 public:
  static constexpr uint64_t kAny = std::numeric_limits<uint64_t>::max();
  // What ends early is a loss, and there up to its end. An error where there is more than `most`.
  static Result<WholeInput> read(io::Source& source, trace::EventSink& sink, uint64_t most = kAny);
  // Tells the sink where a mapped file was cut meanwhile.
  ~WholeInput();
  WholeInput(WholeInput&&) noexcept = default;
  WholeInput& operator=(WholeInput&&) = delete;

  // As long as this lives. 64 zero bytes follow.
  std::string_view bytes() const;
  bool is_early() const { return is_early_; }

 private:
  explicit WholeInput(trace::EventSink& sink) : sink_(&sink) {}

  trace::EventSink* sink_;
  std::string owned_;  // with the zeros; empty: it is mapped
  io::TemporaryFile copy_;
  io::MappedFile file_;
  bool is_early_ = false;
};

}  // namespace weft::formats
