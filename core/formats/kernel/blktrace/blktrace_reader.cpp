#include "core/formats/kernel/blktrace/blktrace_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/blktrace/block_record.h"
#include "core/io/listing.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using blktrace::Record;
using blktrace::Records;
using trace::Category;

// Indexed by the number of the act.
constexpr std::string_view kActs[] = {
    "",         "queued", "merged behind", "merged before", "request got", "waits for request",
    "put back", "issued", "completed",     "plugged",       "unplugged",   "unplugged by timer",
    "inserted", "split",  "bounced",       "remapped",      "aborted",     "data of the driver"};
enum Act : uint32_t {
  kPutBack = 6,
  kIssued = 7,
  kCompleted = 8,
  kUnplugged = 10,
  kUnpluggedByTimer = 11,
  kSplit = 13,
  kRemapped = 15,
};
enum Note : uint32_t { kProcess = 0, kTimeStamp = 1, kMessage = 2 };

constexpr uint32_t kSectorBytes = 512;

std::string device_name(uint32_t device) {
  constexpr uint32_t kMinorBits = 20;
  return fmt::format("{},{}", device >> kMinorBits, device & ((1U << kMinorBits) - 1));
}

class BlktraceReader {
 public:
  explicit BlktraceReader(trace::EventSink& sink) : sink_(sink) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  void add(const Record& record) {
    last_ = std::max(last_, record.time);
    if (record.is(blktrace::kNote)) return add_note(record);
    count_lost(record);
    if (record.act() == kIssued) issue(record);
    if (record.act() == kCompleted || record.act() == kPutBack) complete(record);
    ArgsText params;
    params.add("pid", record.pid);
    params.add("kind", blktrace::letters_of(record));
    if (record.bytes > 0 || record.sector > 0) {
      params.add("sector", record.sector);
      params.add("sectors", record.bytes / kSectorBytes);
    }
    add_more(record, params);
    const uint32_t act = record.act();
    const bool is_known = act > 0 && act < std::size(kActs);
    give(record, is_known ? kActs[act] : std::string_view("another act"), params);
  }

  void finish() {
    for (const auto& [request, issue] : issued_) give_open(request, issue, last_);
  }

 private:
  using Request = std::pair<uint32_t, uint64_t>;  // device, sector
  struct Issue {
    Time begin;
    std::string kind;
    uint32_t sectors;
    uint64_t offset;
  };

  void add_note(const Record& record) {
    const std::string text = valid_utf8(until_zero(record.data));
    if (record.act() == kProcess) {
      names_[record.pid] = text;
    } else if (record.act() == kMessage) {
      ArgsText params;
      params.add("pid", record.pid);
      params.add("text", trimmed(text));
      give(record, "message", params);
    } else if (record.act() == kTimeStamp) {
      BinaryFields fields(record.data);
      const auto seconds = fields.number<uint32_t>(record.is_big_endian);
      const auto nanoseconds = fields.number<uint32_t>(record.is_big_endian);
      if (!fields.has_failed())
        sink_.set_metadata("seconds since 1970 at the begin",
                           fmt::format("{}.{:09}", seconds, nanoseconds));
    }
  }

  void count_lost(const Record& record) {
    uint32_t& expected = sequences_[{record.device, record.cpu}];
    constexpr uint32_t kMostLost = 1 << 24;  // more are damage
    const uint32_t lost = record.sequence - expected;
    if (expected != 0 && lost > 0 && lost <= kMostLost)
      sink_.loss("events lost by the tracer", {record.offset, cpu_lane(record), record.time}, lost);
    else if (expected != 0 && lost > kMostLost)
      sink_.loss("number out of sequence", {record.offset, cpu_lane(record), record.time});
    expected = record.sequence + 1;
  }

  // One that is issued again was over before, though its completion was not recorded.
  void issue(const Record& record) {
    const auto [it, is_new] = issued_.try_emplace({record.device, record.sector});
    if (!is_new) give_open(it->first, it->second, record.time);
    it->second = {record.time, blktrace::letters_of(record), record.bytes / kSectorBytes,
                  record.offset};
  }

  void complete(const Record& record) {
    const auto it = issued_.find({record.device, record.sector});
    if (it == issued_.end())
      return sink_.note("end without a begin", {record.offset, cpu_lane(record), record.time});
    give_state(it->first, it->second, record.time,
               record.act() == kPutBack ? "put back" : std::string_view());
    issued_.erase(it);
  }

  void give_open(const Request& request, const Issue& issue, Time end) {
    sink_.note("begin without an end", {issue.offset, device_lane(request.first), issue.begin});
    give_state(request, issue, end, {});
  }

  void give_state(const Request& request, const Issue& issue, Time end, std::string_view how) {
    ArgsText params;
    params.add("sector", request.second);
    params.add("sectors", issue.sectors);
    if (!how.empty()) params.add("end", how);
    sink_.give(trace::StateEvent{.begin = issue.begin,
                                 .duration = std::max(end, issue.begin) - issue.begin,
                                 .params = sink_.params(params.take()),
                                 .lane = device_lane(request.first),
                                 .type = sink_.type(Category::kState, issue.kind)});
  }

  // Adds the data after some acts, big-endian.
  void add_more(const Record& record, ArgsText& params) const {
    BinaryFields fields(record.data);
    switch (record.act()) {
      case kCompleted:
        params.add("error", record.error);
        return;
      case kUnplugged:
      case kUnpluggedByTimer:
        params.add("requests", fields.big<uint64_t>());
        break;
      case kSplit:
        params.add("at", fields.big<uint64_t>());
        break;
      case kRemapped:
        params.add("from", device_name(fields.big<uint32_t>()));
        fields.big<uint32_t>();  // to this one
        params.add("from sector", fields.big<uint64_t>());
        break;
      default:
        break;
    }
    const auto name = names_.find(record.pid);
    if (name != names_.end()) params.add("process", name->second);
  }

  void give(const Record& record, std::string_view type, ArgsText& params) {
    sink_.give(trace::PunctualEvent{.time = record.time,
                                    .params = sink_.params(params.take()),
                                    .lane = cpu_lane(record),
                                    .type = sink_.type(Category::kPunctual, type)});
  }

  LaneId device_lane(uint32_t device) {
    const auto [it, is_new] = devices_.try_emplace(device, LaneId::none());
    if (is_new) it->second = sink_.add_lane({.name = device_name(device)});
    return it->second;
  }

  LaneId cpu_lane(const Record& record) {
    const auto [it, is_new] = cpus_.try_emplace({record.device, record.cpu}, LaneId::none());
    if (is_new)
      it->second = sink_.add_lane({.name = fmt::format("CPU {}", record.cpu),
                                   .parent = device_lane(record.device),
                                   .sort_index = static_cast<int32_t>(record.cpu & 0xFFFF)});
    return it->second;
  }

  trace::EventSink& sink_;
  std::map<uint32_t, std::string> names_;  // of processes
  std::map<uint32_t, LaneId> devices_;
  std::map<std::pair<uint32_t, uint32_t>, LaneId> cpus_;         // by device and CPU
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> sequences_;  // the next
  std::map<Request, Issue> issued_;
  Time last_;
};

constexpr std::string_view kEnding = ".blktrace";

// Finds the files of the other CPUs.
std::vector<fs::path> files_beside(const fs::path& path) {
  std::vector<fs::path> files;
  const std::string run = blktrace_run(path.filename().string());
  if (run.empty()) return files;
  for (const fs::directory_entry& each : io::Listing::beside(path).entries) {
    const fs::path name = each.path().filename();
    if (name != path.filename() && blktrace_run(name.string()) == run) files.push_back(each.path());
  }
  return files;
}

}  // namespace

std::string blktrace_run(std::string_view file_name) {
  const std::string plain = io::without_compression(fs::path(file_name)).string();
  const size_t dot = plain.rfind('.');
  if (dot == std::string::npos || !parse_number<uint32_t>(plain.substr(dot + 1))) return {};
  const std::string_view run = std::string_view(plain).substr(0, dot);
  if (!run.ends_with(kEnding) || run.size() == kEnding.size()) return {};
  return std::string(run.substr(0, run.size() - kEnding.size()));
}

int sniff_blktrace(std::span<const std::byte> head) {
  constexpr int kSure = 95;
  return blktrace::magic_of(as_chars(head)) ? kSure : 0;
}

Status read_blktrace(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(sizeof(uint32_t)));
  const auto magic = blktrace::magic_of(as_chars(head));
  if (magic && magic->version != blktrace::kVersion)
    return fail(fmt::format("is of version {} of blktrace, of which only {} is read",
                            magic->version, blktrace::kVersion));
  std::vector<std::unique_ptr<Records>> files;
  files.push_back(std::make_unique<Records>(source, sink));
  constexpr size_t kMostFiles = 4096;
  for (const fs::path& path : files_beside(source.path())) {
    auto other = io::Source::open(path);
    if (other && files.size() < kMostFiles) {
      files.push_back(std::make_unique<Records>(std::move(*other), sink));
    } else if (std::error_code error; fs::file_size(path, error) > 0) {  // others are empty
      sink.loss("file of a CPU that cannot be read", trace::LossPlace::nowhere());
    }
  }
  BlktraceReader reader(sink);
  while (files.front()->is_wanted()) {
    Records* first = nullptr;
    for (const auto& file : files) {
      const Record* const record = file->next();
      if (record != nullptr && (first == nullptr || record->time < first->next()->time))
        first = file.get();
    }
    if (first == nullptr) break;
    reader.add(*first->next());
    first->take();
  }
  reader.finish();
  return {};
}

}  // namespace weft::formats
