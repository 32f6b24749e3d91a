#include "core/formats/profiles/uftrace/uftrace_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/formats/profiles/uftrace/uftrace_arguments.h"
#include "core/formats/profiles/uftrace/uftrace_events.h"
#include "core/formats/profiles/uftrace/uftrace_pieces.h"
#include "core/formats/profiles/uftrace/uftrace_records.h"
#include "core/formats/profiles/uftrace/uftrace_session.h"
#include "core/formats/stacks/joined_params.h"
#include "core/io/line_reader.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using trace::Category;

constexpr std::string_view kUftraceMagic("Ftrace!\0", 8);
constexpr std::string_view kFunctions = "functions", kScheduler = "scheduler";

constexpr std::streamoff kInfoHeadBytes = 40;

// The head of `info`.
struct Info {
  bool is_little_endian = true;
  uint64_t features = 0;
  static constexpr uint64_t kRelativeSymbols = 1 << 5;
};

Result<Info> info_of(const fs::path& file) {
  constexpr size_t kEndianAt = 14, kFeaturesAt = 16;
  std::string head(kInfoHeadBytes, '\0');
  std::ifstream(file, std::ios::binary).read(head.data(), kInfoHeadBytes);
  if (!head.starts_with(kUftraceMagic)) return fail("has an `info` that is not uftrace's");
  Info info{.is_little_endian = head[kEndianAt] == 1};
  std::memcpy(&info.features, head.data() + kFeaturesAt, sizeof info.features);
  if (!info.is_little_endian) return fail("was recorded on a machine of another byte order");
  return info;
}

// "cmdline:…" and such behind the head.
void say_metadata(const fs::path& file, trace::EventSink& sink) {
  constexpr size_t kMostLines = 100;
  std::ifstream in(file, std::ios::binary);
  in.seekg(kInfoHeadBytes);
  std::string line;
  for (size_t i = 0; i < kMostLines && std::getline(in, line); ++i) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || line.find(":lines=") == colon) continue;
    const std::string value = line.substr(colon + 1);
    const size_t equals = value.find('=');
    const bool is_part = line.starts_with("osinfo:") || line.starts_with("cpuinfo:");
    if (is_part && equals != std::string::npos) {
      sink.set_metadata(valid_utf8(value.substr(0, equals)), valid_utf8(value.substr(equals + 1)));
    } else if (line.starts_with("cmdline:") || line.starts_with("exename:")) {
      sink.set_metadata(valid_utf8(line.substr(0, colon)), valid_utf8(value));
    }
  }
}

// Counts the threads of "taskinfo:tids=42,43" whose records are not there.
void lose_threads(const fs::path& folder, trace::EventSink& sink) {
  constexpr std::string_view kThreads = "taskinfo:tids=";
  std::ifstream in(folder / "info", std::ios::binary);
  in.seekg(kInfoHeadBytes);
  uint64_t missing = 0;
  std::error_code error;
  for (std::string line; std::getline(in, line);) {
    std::string_view threads = line;
    if (!take_prefix(threads, kThreads)) continue;
    while (!threads.empty()) {
      const auto thread = parse_number<int32_t>(take_to(threads, ','));
      missing += thread && !fs::exists(folder / fmt::format("{}.dat", *thread), error) ? 1 : 0;
    }
  }
  if (missing > 0)
    sink.loss("thread whose records (TID.dat) are not there", trace::LossPlace::nowhere(), missing);
}

// The folder that holds `info`, from the source's; nothing where none does, or several.
std::optional<std::string> folder_of(const io::Source& source) {
  std::optional<std::string> folder;
  for (const io::FolderFile& file : source.files()) {
    const fs::path path(file.name);
    if (path.filename() != "info") continue;
    std::string head(kUftraceMagic.size(), '\0');
    std::ifstream(source.path() / path, std::ios::binary).read(head.data(), std::ssize(head));
    if (head != kUftraceMagic) continue;
    if (folder) return std::nullopt;
    folder = path.parent_path().string();
  }
  return folder;
}

class UftraceReader {
 public:
  UftraceReader(const fs::path& folder, const Info& info, trace::EventSink& sink)
      : folder_(folder),
        sessions_(folder, (info.features & Info::kRelativeSymbols) != 0),
        arguments_(folder),
        events_(folder),
        sink_(sink),
        lanes_(sink) {}

  void name_lanes() {
    if (sessions_.without_map() > 0)
      sink_.note("session whose map (sid-….map) is not there: its functions have no names",
                 trace::LossPlace::nowhere(), sessions_.without_map());
    if (sessions_.missing_symbols() > 0)
      sink_.loss("symbol that its file (NAME.sym) lacks: its function has no name",
                 trace::LossPlace::nowhere(), sessions_.missing_symbols());
    for (const uftrace::Session& session : sessions_.all()) {
      lanes_.task(session.process, fs::path(session.program).filename().string(), session.process);
      program_[session.process] = fs::path(session.program).filename();
    }
  }

  // Children are to be read behind their parents.
  int generation_of(std::optional<int32_t> thread) const {
    return thread ? sessions_.generation_of(sessions_.process_of(*thread)) : 0;
  }
  void read_thread(int32_t thread, const std::string& file);
  // Of one CPU; all of them are given together, since threads change from one to another.
  void read_switches(const std::string& file);
  void give_switches();
  void read_messages(const std::string& file);

 private:
  using Entry = uftrace::Record;
  // The data after a record: a call's arguments.
  struct Values {
    std::string bytes = {};
    std::span<const uftrace::Argument> arguments = {};
  };
  // Of a thread whose records are lost, or that was made within calls, the outer ones may be
  // missing.
  struct Call {
    uint64_t address;
    uint32_t depth;
    Time begin;
    uint64_t offset;
    std::string params = {};
  };
  // The calls that a thread was in when it made a process.
  struct Fork {
    Time time;
    int32_t process = 0;
    std::vector<uint64_t> addresses;
  };
  struct Thread {
    int32_t process = 0;
    LaneId lane;
    std::vector<Call> calls;
    uint32_t depth = 0;      // of calls it is in, also of those whose records are missing
    bool is_known = false;   // `depth` is; not before the first record, and behind lost ones
    bool has_depths = true;  // its records say them
    Time last;
  };

  Values values_of(uftrace::Pieces& pieces, const Thread& thread, const Entry& entry);
  void add(Thread& thread, const Entry& entry, const Values& values, uint64_t offset);
  void add_event(const Thread& thread, const Entry& entry, std::string_view values);
  std::string params_of(const Values& values, const trace::LossPlace& place);
  void note_fork(const Thread& thread, Time time);
  void inherit_calls(Thread& thread, const Entry& entry);
  void begin_call(Thread& thread, const Entry& entry, std::string params, uint64_t offset);
  void return_from(Thread& thread, const Entry& entry, std::string params, uint64_t offset);
  void end_calls(Thread& thread, uint32_t depth, Time time);
  void end_call(Thread& thread, Time time);
  EventTypeId type_of(int32_t process, Time time, uint64_t address);
  LaneId lane_of(int32_t thread);
  std::unique_ptr<io::Source> open(const std::string& file);

  fs::path folder_;
  uftrace::Sessions sessions_;
  uftrace::Arguments arguments_;
  uftrace::Events events_;
  trace::EventSink& sink_;
  ftrace::Lanes lanes_;
  std::unordered_map<int32_t, std::string> program_;  // by process
  std::map<std::pair<int32_t, uint64_t>, EventTypeId> types_;
  std::map<std::pair<int32_t, uint64_t>, uftrace::Function> functions_;
  std::vector<Fork> forks_;
  struct Switch {
    Time time;
    int32_t thread;
    uint16_t misc;
  };
  LargeVector<Switch> switches_;
};

LaneId UftraceReader::lane_of(int32_t thread) {
  const int32_t process = sessions_.process_of(thread);
  auto it = program_.find(process);
  if (it == program_.end()) {  // a child without one runs that of its parent
    int32_t parent = process;
    for (int i = sessions_.generation_of(process); i > 0 && it == program_.end(); --i)
      it = program_.find(parent = sessions_.parent_of(parent));
    if (it != program_.end()) {
      it = program_.emplace(process, std::string(it->second)).first;
      lanes_.task(process, it->second, process);
    }
  }
  return lanes_.task(thread, it == program_.end() ? std::string_view() : it->second, process);
}

std::unique_ptr<io::Source> UftraceReader::open(const std::string& file) {
  auto source = io::Source::open(folder_ / file);
  return source ? std::move(*source) : nullptr;  // an empty one has nothing to tell
}

constexpr uint32_t kMostDepth = 1 << 14;  // of calls that are shown

void UftraceReader::read_thread(int32_t number, const std::string& file) {
  const std::unique_ptr<io::Source> source = open(file);
  if (source == nullptr) return;
  Thread thread;
  if (!sessions_.knows(number))
    sink_.loss("thread that task.txt does not name", trace::LossPlace::nowhere());
  thread.process = sessions_.process_of(number);
  thread.lane = lane_of(number);
  if (const auto ahead = open(file)) thread.has_depths = uftrace::says_depths(*ahead);
  uftrace::Pieces pieces(*source);
  for (std::string_view bytes; sink_.keep_going();) {
    bytes = pieces.next(uftrace::kRecordBytes);
    if (bytes.empty()) break;
    const auto entry = uftrace::record_of(bytes);
    if (!entry) {
      sink_.loss("bytes that are not records", pieces.offset());
      pieces.skip(uftrace::kRecordBytes);
      uftrace::take_values(pieces, std::nullopt, thread.last);
      continue;
    }
    const uint64_t offset = pieces.offset();
    pieces.skip(uftrace::kRecordBytes);
    add(thread, *entry, values_of(pieces, thread, *entry), offset);
  }
  if (!pieces.is_at_end()) sink_.loss("record that is cut", pieces.offset());
  end_calls(thread, 0, thread.last);
}

// The values behind a record, and how they are called.
UftraceReader::Values UftraceReader::values_of(uftrace::Pieces& pieces, const Thread& thread,
                                               const Entry& entry) {
  constexpr size_t kMostBytes = 4 << 10;
  if (!entry.has_more) return {};
  if (entry.kind != Entry::Kind::kCall && entry.kind != Entry::Kind::kReturn)
    return {.bytes = uftrace::take_values(pieces, uftrace::Events::bytes_of(pieces.ahead(2)),
                                          entry.time)};
  const auto [it, is_new] = functions_.try_emplace({thread.process, entry.address});
  if (is_new)
    it->second = arguments_.of(sessions_.place_of(thread.process, entry.time, entry.address));
  const bool is_call = entry.kind == Entry::Kind::kCall;
  const auto& arguments = is_call ? it->second.given : it->second.returned;
  const auto size = uftrace::bytes_of(arguments, pieces.ahead(kMostBytes));
  return {.bytes = uftrace::take_values(pieces, size, entry.time), .arguments = arguments};
}

// The object of what the function was given, or returned.
std::string UftraceReader::params_of(const Values& values, const trace::LossPlace& place) {
  if (values.bytes.empty()) return {};
  auto params = uftrace::values_of(values.arguments, values.bytes, arguments_.enumerations());
  if (!params) sink_.note("values of another form than is said", place);
  return params.value_or(std::string());
}

// Notes calls of fork by its names in the C library.
void UftraceReader::note_fork(const Thread& thread, Time time) {
  constexpr size_t kMostForks = 100'000;
  const std::string name = sessions_.name_of(thread.process, time, thread.calls.back().address);
  if (name != "fork" && name != "vfork" && name != "clone" && name != "daemon") return;
  if (forks_.size() == kMostForks) return;
  Fork fork{.time = time, .process = thread.process, .addresses = {}};
  for (const Call& call : thread.calls) fork.addresses.push_back(call.address);
  forks_.push_back(std::move(fork));
}

// A child begins by returning from where its parent forked.
void UftraceReader::inherit_calls(Thread& thread, const Entry& entry) {
  const int32_t parent = sessions_.parent_of(thread.process);
  const Fork* last = nullptr;
  for (const Fork& fork : forks_) {
    const bool is_it = fork.process == parent && fork.time <= entry.time &&
                       fork.addresses.size() == entry.depth + size_t{1} &&
                       fork.addresses.back() == entry.address;
    if (is_it && (last == nullptr || fork.time >= last->time)) last = &fork;
  }
  if (last == nullptr) return;
  uint32_t depth = 0;
  for (const uint64_t address : last->addresses)
    thread.calls.push_back(
        {.address = address, .depth = depth++, .begin = last->time, .offset = 0});
}

void UftraceReader::add_event(const Thread& thread, const Entry& entry, std::string_view values) {
  sink_.give(trace::PunctualEvent{
      .time = entry.time,
      .params = sink_.params(uftrace::Events::params_of(entry.address, values)),
      .lane = thread.lane,
      .type = sink_.type(Category::kPunctual, valid_utf8(events_.name_of(entry.address)))});
}

void UftraceReader::add(Thread& thread, const Entry& entry, const Values& values, uint64_t offset) {
  const trace::LossPlace place(offset, thread.lane, entry.time);
  if (entry.time < thread.last) sink_.note("time runs backwards on a thread", place);
  thread.last = std::max(thread.last, entry.time);
  switch (entry.kind) {
    case Entry::Kind::kCall:
      return begin_call(thread, entry, params_of(values, place), offset);
    case Entry::Kind::kReturn:
      return return_from(thread, entry, params_of(values, place), offset);
    case Entry::Kind::kLost:
      thread.is_known = false;
      return sink_.loss("events lost by the tracer", place, std::max<uint64_t>(1, entry.address));
    case Entry::Kind::kEvent:
      return add_event(thread, entry, values.bytes);
  }
}

// Calls are counted where no depths are written, or below what can be written. Elsewhere a call
// without a return is seen by the depth of the next one.
void UftraceReader::begin_call(Thread& thread, const Entry& entry, std::string params,
                               uint64_t offset) {
  if (!thread.is_known || (thread.has_depths && thread.depth <= uftrace::kMostWrittenDepth))
    thread.depth = entry.depth;
  thread.is_known = true;
  end_calls(thread, thread.depth, entry.time);
  const uint32_t depth = thread.depth++;
  if (depth >= kMostDepth)
    return sink_.loss("calls nested too deep", {offset, thread.lane, entry.time});
  thread.calls.push_back({entry.address, depth, entry.time, offset, std::move(params)});
  note_fork(thread, entry.time);
}

// What returns is said by its address, since the depth is that of the call or one less.
void UftraceReader::return_from(Thread& thread, const Entry& entry, std::string params,
                                uint64_t offset) {
  if (offset == 0) inherit_calls(thread, entry);
  if (!thread.is_known) thread.depth = entry.depth + 1;
  thread.is_known = true;
  end_calls(thread, thread.depth, entry.time);
  thread.depth -= thread.depth > 0 ? 1 : 0;
  if (thread.depth >= kMostDepth) return;  // its call is lost
  const trace::LossPlace place(offset, thread.lane, entry.time);
  if (thread.calls.empty() || thread.calls.back().depth != thread.depth)
    return sink_.note("return without a call", place);
  const auto innermost =
      std::views::reverse(thread.calls) | std::views::take(uftrace::kMostWrittenDepth);
  const auto found = std::ranges::find(innermost, entry.address, &Call::address);
  if (found == innermost.end()) {
    sink_.note("return from another function than was called", place);
  } else {
    thread.depth = found->depth;
    end_calls(thread, thread.depth + 1, entry.time);
  }
  thread.calls.back().params = stacks::joined_params(thread.calls.back().params, params);
  end_call(thread, entry.time);
}

// Ends those from a depth on, whose returns are not there.
void UftraceReader::end_calls(Thread& thread, uint32_t depth, Time time) {
  while (!thread.calls.empty() && thread.calls.back().depth >= depth) {
    const Call& call = thread.calls.back();
    sink_.note("call without a return", {call.offset, thread.lane, call.begin});
    end_call(thread, time);
  }
}

void UftraceReader::end_call(Thread& thread, Time time) {
  const Call call = std::move(thread.calls.back());
  thread.calls.pop_back();
  sink_.give(trace::StateEvent{.begin = call.begin,
                               .duration = std::max(time, call.begin) - call.begin,
                               .params = sink_.params(call.params),
                               .lane = thread.lane,
                               .type = type_of(thread.process, call.begin, call.address),
                               .nesting = static_cast<uint32_t>(thread.calls.size())});
}

// The name of an address is that of its first call: programs are rarely replaced in a process.
EventTypeId UftraceReader::type_of(int32_t process, Time time, uint64_t address) {
  const auto [it, is_new] = types_.try_emplace({process, address}, EventTypeId::none());
  if (is_new) {
    it->second = sink_.type(Category::kState, valid_utf8(sessions_.name_of(process, time, address)),
                            kFunctions);
  }
  return it->second;
}

// Reads perf's switch records: head (type, misc, size), process, thread, time.
void UftraceReader::read_switches(const std::string& file) {
  constexpr uint32_t kSwitch = 14;
  constexpr size_t kHeadBytes = 8, kSwitchBytes = 24, kMiscAt = 4, kSizeAt = 6, kThreadAt = 12,
                   kTimeAt = 16;
  const std::unique_ptr<io::Source> source = open(file);
  if (source == nullptr) return;
  uftrace::Pieces pieces(*source);
  for (std::string_view bytes; sink_.keep_going();) {
    bytes = pieces.next(kHeadBytes);
    if (bytes.empty()) break;
    uint32_t type = 0;
    uint16_t misc = 0, size = 0;
    std::memcpy(&type, bytes.data(), sizeof type);
    std::memcpy(&misc, bytes.data() + kMiscAt, sizeof misc);
    std::memcpy(&size, bytes.data() + kSizeAt, sizeof size);
    if (size < kHeadBytes) return sink_.loss("perf's record without a size", pieces.offset());
    bytes = pieces.next(size);
    if (bytes.empty()) return sink_.loss("perf's record that is cut", pieces.offset());
    if (type == kSwitch && size >= kSwitchBytes) {
      int32_t thread = 0;
      int64_t time = 0;
      std::memcpy(&thread, bytes.data() + kThreadAt, sizeof thread);
      std::memcpy(&time, bytes.data() + kTimeAt, sizeof time);
      switches_.push_back({{time}, thread, misc});
    }
    pieces.skip(size);
  }
}

void UftraceReader::give_switches() {
  constexpr uint16_t kIsOut = 1 << 13, kIsPreempted = 1 << 14;
  std::ranges::stable_sort(switches_, {}, &Switch::time);
  std::unordered_map<int32_t, Switch> out;
  for (const Switch& each : switches_) {
    if ((each.misc & kIsOut) != 0) {
      out.insert_or_assign(each.thread, each);
      continue;
    }
    const auto left = out.extract(each.thread);
    if (left.empty()) continue;
    const Switch& before = left.mapped();
    const bool is_preempted = (before.misc & kIsPreempted) != 0;
    sink_.give(trace::StateEvent{
        .begin = before.time,
        .duration = each.time - before.time,
        .lane = lanes_.below(lane_of(each.thread), kScheduler),
        .type = sink_.type(Category::kState, is_preempted ? "preempted" : "waiting", kScheduler)});
  }
}

// "63939.299067482 a message" of programs beside.
void UftraceReader::read_messages(const std::string& file) {
  const std::unique_ptr<io::Source> source = open(file);
  if (source == nullptr) return;
  LaneId lane = LaneId::none();
  io::LineReader lines(*source, size_t{1} << 16);
  while (const io::Line* const line = lines.next()) {
    std::string_view text = line->text;
    if (line->is_cut || text.empty() || text.starts_with('#')) continue;
    const std::optional<Time> time = uftrace::time_of(take_word(text));
    if (!time) {
      sink_.loss("message without a time", line->offset);
      continue;
    }
    if (lane.is_none()) lane = sink_.add_lane({.name = "messages"});
    sink_.give(
        trace::PunctualEvent{.time = *time,
                             .lane = lane,
                             .type = sink_.type(Category::kPunctual, valid_utf8(trimmed(text)))});
  }
}

}  // namespace

int sniff_uftrace(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kUftraceMagic) ? 100 : 0;
}

int sniff_uftrace_folder(const io::Source& folder) { return folder_of(folder) ? 100 : 0; }

Status read_uftrace(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  const auto below = folder_of(source);
  if (!below) return fail("holds no `info` of uftrace, or several");
  const fs::path folder = source.path() / *below;
  WEFT_TRY_ASSIGN(const Info info, info_of(folder / "info"));
  sink.set_time_base(TimeBase::kNanoseconds);
  say_metadata(folder / "info", sink);
  lose_threads(folder, sink);
  UftraceReader reader(folder, info, sink);
  reader.name_lanes();
  uint64_t bytes_done = 0;
  const auto listed = source.files();
  std::vector<io::FolderFile> files(listed.begin(), listed.end());
  std::ranges::stable_sort(files, {}, [&](const io::FolderFile& file) {
    return reader.generation_of(parse_number<int32_t>(fs::path(file.name).stem().string()));
  });
  for (const io::FolderFile& file : files) {
    bytes_done += file.size_bytes;
    const fs::path path(file.name);
    if (path.parent_path() != *below || path.extension() != ".dat") continue;
    const std::string name = path.filename().string(), stem = path.stem().string();
    if (const auto thread = parse_number<int32_t>(stem); thread && *thread > 0) {
      reader.read_thread(*thread, name);
    } else if (stem.starts_with("perf-cpu")) {
      reader.read_switches(name);
    } else if (stem == "extern") {
      reader.read_messages(name);
    } else if (stem.starts_with("kernel-cpu") && file.size_bytes > 0) {
      sink.loss("the kernel's records in " + printable(name) + " are not read",
                trace::LossPlace::nowhere());
    }
    sink.progress(bytes_done, source.disk_bytes_total());
    if (!sink.keep_going()) break;
  }
  reader.give_switches();
  return {};
}

}  // namespace weft::formats
