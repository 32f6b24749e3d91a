#include "core/formats/kernel/perf/perf_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "core/base/time.h"
#include "core/formats/base/binary.h"

namespace weft::formats::perf {
namespace {

enum SampleType : uint64_t {
  kIp = 1 << 0,
  kTid = 1 << 1,
  kTime = 1 << 2,
  kAddress = 1 << 3,
  kRead = 1 << 4,
  kCallchain = 1 << 5,
  kId = 1 << 6,
  kCpu = 1 << 7,
  kPeriod = 1 << 8,
  kStreamId = 1 << 9,
  kRaw = 1 << 10,
  kBranches = 1 << 11,
  kUserRegisters = 1 << 12,
  kUserStack = 1 << 13,
  kWeight = 1 << 14,
  kDataSource = 1 << 15,
  kIdentifier = 1 << 16,
  kWeights = 1 << 24,
};
enum ReadFormat : uint64_t { kEnabled = 1, kRunning = 2, kReadId = 4, kGroup = 8, kReadLost = 16 };

constexpr std::string_view kHardware[] = {"cycles",
                                          "instructions",
                                          "cache-references",
                                          "cache-misses",
                                          "branches",
                                          "branch-misses",
                                          "bus-cycles",
                                          "stalled-cycles-frontend",
                                          "stalled-cycles-backend",
                                          "ref-cycles"};
constexpr std::string_view kSoftware[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "migrations",       "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output"};

std::string name_of(uint32_t type, uint64_t config) {
  if (type == 0 && config < std::size(kHardware)) return std::string(kHardware[config]);
  if (type == 1 && config < std::size(kSoftware)) return std::string(kSoftware[config]);
  if (type == kTracepoint) return fmt::format("tracepoint {}", config);
  return fmt::format("event {}:{:#x}", type, config);
}

// Words off the begin; what is missing makes all that follows missing.
class Words {
 public:
  explicit Words(std::string_view bytes) : rest_(bytes) {}
  uint64_t take() {
    const auto word = take_little<uint64_t>(rest_);
    is_cut_ |= !word;
    return word.value_or(0);
  }
  uint64_t take_if(bool is_there) { return is_there ? take() : 0; }
  std::string_view take_some(uint64_t bytes) {
    const auto taken = take_bytes(rest_, bytes);
    is_cut_ |= !taken;
    return taken.value_or(std::string_view());
  }
  bool is_cut() const { return is_cut_; }

 private:
  std::string_view rest_;
  bool is_cut_ = false;
};

// The values of counters, which are passed over.
void skip_read(Words& words, uint64_t format) {
  const uint64_t each = 1 + ((format & kReadId) != 0) + ((format & kReadLost) != 0);
  const uint64_t count = (format & kGroup) != 0 ? words.take() : 1;
  words.take_if((format & kEnabled) != 0 && (format & kGroup) != 0);
  words.take_if((format & kRunning) != 0 && (format & kGroup) != 0);
  constexpr uint64_t kMost = 1 << 16;
  if ((format & kGroup) == 0) {
    words.take();
    words.take_if((format & kEnabled) != 0);
    words.take_if((format & kRunning) != 0);
    words.take_if((format & kReadId) != 0);
    words.take_if((format & kReadLost) != 0);
    return;
  }
  words.take_some(count > kMost ? UINT32_MAX : count * each * 8);
}

// What a sample may have behind the bytes of a tracepoint, up to where its data came from. Source:
// linux, include/uapi/linux/perf_event.h.
void take_rest(Words& words, const Attributes& attributes, Sampled& out) {
  constexpr uint64_t kHasIndex = 1 << 17, kHasCounters = 1 << 19, kMost = 1 << 13;
  constexpr uint64_t kBranchBytes = 24;
  const auto has = [&](SampleType type) { return (attributes.sample_type & type) != 0; };
  if (has(kBranches)) {
    out.branches = words.take();
    words.take_if((attributes.branch_type & kHasIndex) != 0);
    const bool has_counters = (attributes.branch_type & kHasCounters) != 0;
    const uint64_t each = kBranchBytes + (has_counters ? 8 : 0);
    words.take_some(*out.branches > kMost ? UINT32_MAX : *out.branches * each);
  }
  if (has(kUserRegisters) && words.take() != 0)
    words.take_some(static_cast<uint64_t>(std::popcount(attributes.user_registers)) * 8);
  if (has(kUserStack)) {
    const uint64_t size = words.take();
    words.take_some(std::min<uint64_t>(size, UINT32_MAX));
    words.take_if(size != 0);  // how much of it was in use
  }
  if (has(kWeight)) out.weight = words.take();
  if (has(kWeights)) {
    const uint64_t all = words.take();
    out.weight = static_cast<uint32_t>(all);
    out.instruction_latency = static_cast<uint16_t>(all >> 32);
    out.stage_cycles = static_cast<uint16_t>(all >> 48);
  }
  if (has(kDataSource)) out.data_source = words.take();
}

}  // namespace

std::optional<Attributes> attributes_of(std::string_view bytes) {
  if (bytes.size() < kLeastAttributes) return std::nullopt;
  Attributes out;
  // Its own size: more follows.
  const std::string_view whole =
      bytes.substr(0, std::max<size_t>(value_at<uint32_t>(bytes, 4), kLeastAttributes));
  constexpr size_t kBranchType = 72, kUserRegisterMask = 80;
  out.branch_type = value_at<uint64_t>(whole, kBranchType);
  out.user_registers = value_at<uint64_t>(whole, kUserRegisterMask);
  out.type = *take_little<uint32_t>(bytes);
  take_little<uint32_t>(bytes);  // its size
  out.config = *take_little<uint64_t>(bytes);
  const uint64_t frequency = *take_little<uint64_t>(bytes);  // or the period
  out.sample_type = *take_little<uint64_t>(bytes);
  out.read_format = *take_little<uint64_t>(bytes);
  constexpr unsigned kIsFrequency = 10, kIdsEverywhere = 18;
  const uint64_t flags = *take_little<uint64_t>(bytes);
  const bool is_frequency = (flags >> kIsFrequency & 1) != 0 && frequency > 0;
  if (is_frequency && frequency <= kNsPerSecond)
    out.interval.ticks = kNsPerSecond / static_cast<int64_t>(frequency);
  out.has_ids_everywhere = (flags >> kIdsEverywhere & 1) != 0;
  out.name = name_of(out.type, out.config);
  return out;
}

std::optional<Sampled> sample_of(std::string_view body, const Attributes& attributes) {
  const auto has = [&](SampleType type) { return (attributes.sample_type & type) != 0; };
  Words words(body);
  Sampled out;
  out.id = words.take_if(has(kIdentifier));
  out.ip = words.take_if(has(kIp));
  if (has(kTid)) {
    const uint64_t both = words.take();
    out.pid = static_cast<int32_t>(static_cast<uint32_t>(both));
    out.tid = static_cast<int32_t>(both >> 32);
  }
  out.time = words.take_if(has(kTime));
  if (has(kAddress)) out.address = words.take();
  words.take_if(has(kId));
  words.take_if(has(kStreamId));
  if (has(kCpu)) out.cpu = static_cast<uint32_t>(words.take());
  out.period = words.take_if(has(kPeriod));
  if (has(kRead)) skip_read(words, attributes.read_format);
  if (has(kCallchain)) {
    constexpr uint64_t kMost = 1 << 13;  // of what fits a record
    const uint64_t count = words.take();
    out.callchain = words.take_some(count > kMost ? UINT32_MAX : count * 8);
  }
  if (has(kRaw)) {
    const std::string_view size = words.take_some(sizeof(uint32_t));
    std::string_view at = size;
    out.raw = words.take_some(take_little<uint32_t>(at).value_or(0));
  }
  if (words.is_cut()) return std::nullopt;
  take_rest(words, attributes, out);
  if (words.is_cut()) out.branches = out.weight = out.data_source = std::nullopt;
  return out;
}

std::optional<uint64_t> id_of_sample(std::string_view body, const Attributes& any) {
  const auto has = [&](SampleType type) { return (any.sample_type & type) != 0; };
  if (has(kIdentifier)) return take_little<uint64_t>(body);
  if (!has(kId)) return std::nullopt;
  const size_t before = static_cast<size_t>(has(kIp)) + has(kTid) + has(kTime) + has(kAddress);
  if (!take_bytes(body, before * 8)) return std::nullopt;
  return take_little<uint64_t>(body);
}

Ending ending_of(std::string_view body, const Attributes& attributes) {
  const auto has = [&](SampleType type) { return (attributes.sample_type & type) != 0; };
  const size_t words = static_cast<size_t>(has(kTid)) + has(kTime) + has(kId) + has(kStreamId) +
                       has(kCpu) + has(kIdentifier);
  Ending ending;
  if (!attributes.has_ids_everywhere || body.size() < words * 8) return ending;
  std::string_view rest = body.substr(body.size() - words * 8);
  if (has(kTid)) ending.tid = static_cast<int32_t>(*take_little<uint64_t>(rest) >> 32);
  if (has(kTime)) ending.time = take_little<uint64_t>(rest);
  take_bytes(rest, (static_cast<size_t>(has(kId)) + has(kStreamId)) * 8);
  if (has(kCpu)) ending.cpu = take_little<uint32_t>(rest);
  return ending;
}

}  // namespace weft::formats::perf
