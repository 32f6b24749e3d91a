#include "app/opening/reader_process.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/early_end.h"
#include "core/io/temporary_file.h"
#include "core/trace/event_wire.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPipeBytes = 1 << 20;

// What a reader that is started again is told of the parts of a trace.
struct Parts {
  std::vector<std::string> left_out;
  bool are_tried = false;  // each alone, before anything is given
};

// How a reader's process ended before its reading did.
struct Death {
  std::string how;
  std::vector<std::string> touched;  // parts of the trace that it read
  bool has_given = false, has_events = false;
  uint64_t bytes_done = 0;
};

// nullopt: everything was read, or the sink wants no more.
Result<std::optional<Death>> read_once(const ReaderJob& job, const Parts& parts,
                                       trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(auto pipe, Pipe::open());
  auto& [from, to] = pipe;
  (void)::fcntl(to.get(), F_SETPIPE_SZ, static_cast<int>(kPipeBytes));  // fewer switches
  // Whatever the reader writes on its way is removed when it has ended, however it ends.
  WEFT_TRY_ASSIGN(const io::TemporaryFolder scratch, io::TemporaryFolder::create());
  std::vector<std::string> words = {WEFT_VERSION, job.format, job.origin.string(),
                                    std::to_string(job.memory_bytes), job.path.string()};
  for (const auto& [key, value] : job.options) words.push_back(fmt::format("{}={}", key, value));
  if (parts.are_tried) words.emplace_back("--");
  words.insert(words.end(), parts.left_out.begin(), parts.left_out.end());
  WEFT_TRY_ASSIGN(Process process,
                  start_child(job.program, std::move(words), job.input, to.get(), scratch.path()));
  to = {};  // the reader has it
  trace::WirePlayer player(sink);
  const auto wants_more = [&] { return sink.keep_going(); };
  const auto play = [&](std::span<const std::byte> bytes) { return player.take(bytes); };
  WEFT_TRY_ASSIGN(std::string end, listen(from.get(), process, job.patience, wants_more, play));
  if (!sink.keep_going()) return std::nullopt;
  if (end.empty()) end = process.wait();
  if (player.ended()) {
    WEFT_TRY(*player.ended());
    return std::nullopt;
  }
  return Death{std::move(end), player.touched(), player.has_given(), player.has_events(),
               player.bytes_done()};
}

}  // namespace

Result<std::string> read_apart(const ReaderJob& job, trace::EventSink& sink) {
  Parts parts;
  for (;;) {
    WEFT_TRY_ASSIGN(const std::optional<Death> death, read_once(job, parts, sink));
    if (!death) return std::string();
    const bool is_of_one = death->touched.size() == 1;
    if (!death->has_given && (is_of_one || (!parts.are_tried && !death->touched.empty()))) {
      if (is_of_one) {
        sink.loss(fmt::format("{} cannot be read: its reader ({}) stopped: {}",
                              printable(death->touched[0]), job.format, death->how),
                  trace::LossPlace::nowhere());
        parts.left_out.push_back(death->touched[0]);
      }
      parts.are_tried = true;
      continue;
    }
    if (!death->has_events) {
      return fail(fmt::format("its reader ({}) stopped before anything was read: {}", job.format,
                              death->how));
    }
    sink.loss("the rest, for the reader stopped: " + death->how, death->bytes_done);
    return death->how;
  }
}

Result<std::string> read_copy_apart(ReaderJob job, io::Source& source, trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(const io::Copy copy, io::copy_of(source));
  job.path = "/proc/self/fd/0";
  job.input = ::fileno(copy.file.get());
  WEFT_TRY_ASSIGN(std::string death, read_apart(job, sink));
  if (copy.cut) formats::report_early_end(sink, *copy.cut, source.offset());
  return death;
}

}  // namespace weft::app
