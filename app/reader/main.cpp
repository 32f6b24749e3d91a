// Does for a weftscope that has started it (app/opening/reader_process.h) what may go wrong, and
// answers on file descriptor 3. Not for people.
//
//   weftscope-reader VERSION FORMAT ORIGIN MEMORY PATH [KEY=VALUE…] [-- PART…]
//                                                reads a trace: its events. With "--" each of its
//                                                parts is tried before, and those named left out
//   weftscope-reader --describe PLUGIN           what a plugin reads, as JSON
//   weftscope-reader --sniff PLUGIN              how sure it is of what files begin with, a line
//   for
//                                                each that comes on standard input, behind its size
//                                                (uint32_t), until none comes for a second
//   weftscope-reader --unpack archive|page       unpacks what comes on standard input
//                                                (app/base/unpack_wire.h) into $TMPDIR
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/unpack_wire.h"
#include "app/reader/input.h"
#include "app/reader/sandbox.h"
#include "app/reader/unpack.h"
#include "core/base/large_vector.h"
#include "core/base/numbers.h"
#include "core/base/write_all.h"
#include "core/formats/format_json.h"
#include "core/formats/formats.h"
#include "core/formats/plugin/plugin.h"
#include "core/formats/user_formats.h"
#include "core/trace/event_wire.h"

namespace weft::app {
namespace {

constexpr int kPipe = 3;

struct Job {
  std::string version;  // of who asks
  std::string format;
  std::string origin;  // the file that defines the format; empty: it is built in
  uint64_t memory_bytes = 0;
  std::string path;
  std::map<std::string, std::string> options;
  std::vector<std::string> left_out;  // parts
  bool are_parts_tried = false;
};

std::optional<Job> job_from(std::span<char* const> words) {
  if (words.size() < 6) return std::nullopt;
  const auto memory_bytes = parse_number<uint64_t>(words[4]);
  if (!memory_bytes) return std::nullopt;
  Job job{words[1], words[2], words[3], *memory_bytes, words[5], {}, {}, false};
  for (const std::string_view word : words.subspan(6)) {
    if (job.are_parts_tried) {
      job.left_out.emplace_back(word);
      continue;
    }
    job.are_parts_tried = word == "--";
    if (job.are_parts_tried) continue;
    const size_t at = word.find('=');
    if (at == std::string_view::npos) return std::nullopt;
    job.options.emplace(word.substr(0, at), word.substr(at + 1));
  }
  return job;
}

void close_sandbox(Purpose purpose = Purpose::kReading) {
  (void)enter_sandbox(std::filesystem::temp_directory_path(), purpose);
}

void answer(std::string_view text) { (void)write_all(kPipe, text); }

// Answers what the viewer asks about a plugin, which it does not load itself.
void ask_plugin(std::string_view what, const char* file) {
  const auto plugin = formats::load_plugin(file);
  close_sandbox();
  if (!plugin) return answer(nlohmann::json{{"error", plugin.error().message}}.dump());
  if (what == "--describe") return answer(formats::json_from_format(*plugin).dump());
  uint32_t size = 0;
  std::vector<std::byte> head(formats::kHeadBytes);
  constexpr int kPatienceMs = 1000;
  while (fill(std::as_writable_bytes(std::span(&size, 1)), kPatienceMs) && size <= head.size() &&
         fill(std::span(head).first(size), kPatienceMs))
    answer(fmt::format("{}\n", plugin->sniff(std::span(head).first(size))));
}

// Nothing more is taken before the answer: who sends would wait for that, too.
void unpack(std::string_view what) {
  close_sandbox(Purpose::kUnpacking);
  const auto packing =
      what == word_of(io::Packing::kPage) ? io::Packing::kPage : io::Packing::kArchive;
  const std::string unpacked = unpack_input(packing);
  ::close(STDIN_FILENO);
  answer(unpacked);
}

// What many names take of the reader's memory; what is beyond it lies in files.
constexpr uint64_t kNamesShare = 4;

Status read(const Job& job, trace::WireWriter& sink) {
  if (job.version != WEFT_VERSION) {
    return fail(
        fmt::format("weftscope is of version {}, its weftscope-reader of {}: install both anew",
                    job.version, WEFT_VERSION));
  }
  if (!job.origin.empty()) {
    WEFT_TRY_ASSIGN(formats::Format format, formats::format_from_file(job.origin));
    WEFT_TRY(formats::add_format(std::move(format)));
  }
  close_sandbox();
  WEFT_TRY_ASSIGN(auto source, io::Source::open(job.path));
  WEFT_TRY_ASSIGN(const formats::Inputs recognised,
                  formats::recognise_single(std::move(source), job.format));
  const formats::Input& input = recognised.inputs.front();
  limit_large_arrays(job.memory_bytes / kNamesShare, std::filesystem::temp_directory_path());
  ThreadPool pool;
  const formats::ReadContext context{.pool = pool,
                                     .memory_bytes = job.memory_bytes,
                                     .options = job.options,
                                     .changed = io::last_change(input.source->path()),
                                     .risky = {.on_touch = [&](auto names) { sink.touch(names); },
                                               .left_out = job.left_out,
                                               .are_tried = job.are_parts_tried}};
  try {
    return formats::read(*input.format, *input.source, sink, context);
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  }
}

}  // namespace
}  // namespace weft::app

int main(int argc, char** argv) {
  const std::string_view first = argc == 3 ? argv[1] : "";
  if (first == "--describe" || first == "--sniff") {
    weft::app::ask_plugin(first, argv[2]);
    ::_exit(0);
  }
  if (first == "--unpack") {
    weft::app::unpack(argv[2]);
    ::_exit(0);
  }
  const auto job = weft::app::job_from({argv, static_cast<size_t>(argc)});
  if (!job) {
    std::fputs("weftscope-reader is started by weftscope\n", stderr);
    return 2;
  }
  ::signal(SIGPIPE, SIG_IGN);
  weft::trace::WireWriter sink(weft::app::kPipe);
  sink.end(weft::app::read(*job, sink));
  // Nothing is left to do; exit handlers of libraries might not work in the sandbox.
  ::_exit(0);
}
