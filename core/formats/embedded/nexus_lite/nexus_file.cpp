#include "core/formats/embedded/nexus_lite/nexus_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>

#include "core/base/os_error.h"
#include "core/base/text.h"

namespace weft::formats {
namespace {

constexpr size_t kMostHeaderBytes = 64 << 20;

uint32_t load_big_endian(const std::byte* p) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | std::to_integer<uint32_t>(p[i]);
  return value;
}

}  // namespace

Result<NexusHeader> parse_nexus_header(std::string_view head, bool& is_cut) {
  const size_t line_feed = head.find('\n');
  is_cut = line_feed == std::string_view::npos && head.size() < kMostHeaderBytes;
  std::string_view line = head.substr(0, line_feed);
  if (line_feed == std::string_view::npos || line.find(',') == std::string_view::npos) {
    return fail("File does not start as a CSV");
  }
  NexusHeader header;
  header.size_bytes = line_feed + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  const auto count = static_cast<size_t>(std::ranges::count(line, ',')) + 1;
  if (count != kNexusNames) {
    return fail(fmt::format("Trace header does not contain 64 event names, but {}", count));
  }
  for (size_t i = 0; i < kNexusNames; ++i) {
    const size_t comma = std::min(line.find(','), line.size());
    header.names[i] = comma == 0 ? fmt::format("Type {}", i) : valid_utf8(line.substr(0, comma));
    line.remove_prefix(std::min(line.size(), comma + 1));
  }
  return header;
}

NexusRecord decode_nexus_record(const std::byte* bytes) {
  const uint32_t word = load_big_endian(bytes + 4);
  return {load_big_endian(bytes), static_cast<uint8_t>(word >> 26), word & 0x03FFFFFF};
}

Result<NexusFile> NexusFile::open(const std::filesystem::path& path) {
  NexusFile nexus;
  nexus.file_ = io::FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!nexus.file_.is_open() && errno == ENOENT) return fail("File does not exist");
  struct stat info = {};
  if (!nexus.file_.is_open() || ::fstat(nexus.file_.get(), &info) != 0) {
    return fail(os_error("cannot open"));
  }
  if (!S_ISREG(info.st_mode)) return fail("is not a file");
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size == 0) return fail("file is empty");
  {
    WEFT_TRY_ASSIGN(
        const io::MappedFile head,
        io::MappedFile::map(nexus.file_.get(), 0, std::min<uint64_t>(size, kMostHeaderBytes)));
    bool is_cut = false;
    const auto* text = reinterpret_cast<const char*>(head.bytes().data());
    WEFT_TRY_ASSIGN(nexus.header_, parse_nexus_header({text, head.size()}, is_cut));
  }
  nexus.event_count_ = (size - nexus.header_.size_bytes) / kNexusRecordBytes;
  if (nexus.event_count_ == 0) return fail("Trace does not have any events");
  return nexus;
}

NexusFile::Context NexusFile::seek_rank(uint64_t rank) const {
  return Context(std::min(rank, event_count_));
}

NexusFile::Context NexusFile::seek_ratio(double ratio) const {
  if (!(ratio > 0)) return Context(0);
  if (ratio >= 1) return Context(event_count_);
  // Half a rank of slack: the ratio of a location leads back to it, whatever the division rounded.
  const double rank = ratio * static_cast<double>(event_count_);
  const double nearest = static_cast<double>(static_cast<uint64_t>(rank + 0.5));
  const bool is_exact = nearest - rank < 1e-6 && rank - nearest < 1e-6;
  return seek_rank(static_cast<uint64_t>(is_exact ? nearest : rank));
}

double NexusFile::ratio(Location location) const {
  return static_cast<double>(location.rank) / static_cast<double>(event_count_);
}

Result<const std::byte*> NexusFile::record_at(uint64_t rank) {
  const bool is_inside = rank >= window_rank_ && rank < window_rank_ + window_count_;
  if (!is_inside) {
    window_rank_ = rank / kRecordsPerWindow * kRecordsPerWindow;
    window_count_ = std::min<uint64_t>(kRecordsPerWindow, event_count_ - window_rank_);
    const uint64_t offset = header_.size_bytes + window_rank_ * kNexusRecordBytes;
    WEFT_TRY_ASSIGN(window_,
                    io::MappedFile::map(file_.get(), offset, window_count_ * kNexusRecordBytes));
    WEFT_TRY(window_.health());
  }
  return window_.bytes().data() + (rank - window_rank_) * kNexusRecordBytes;
}

Result<std::optional<NexusFile::Event>> NexusFile::next(Context& context) {
  if (context.rank_ >= event_count_) return std::nullopt;
  WEFT_TRY_ASSIGN(const std::byte* const bytes, record_at(context.rank_));
  Event event{context.rank_, decode_nexus_record(bytes)};
  if (window_.is_lost()) WEFT_TRY(window_.health());
  ++context.rank_;
  return event;
}

Status NexusFile::place_checkpoints() {
  std::vector<Time> checkpoints;
  NexusClock clock;
  Time last{0};
  Context context(0);
  for (uint64_t rank = 0; rank < event_count_; ++rank) {
    if (rank % kRecordsPerWindow == 0) checkpoints.push_back(last);
    WEFT_TRY_ASSIGN(const std::optional<Event> event, next(context));
    last = clock.advance(event->record.microseconds);
  }
  checkpoints_ = std::move(checkpoints);
  return {};
}

Result<NexusFile::Context> NexusFile::seek_time(Time time) {
  if (checkpoints_.empty()) WEFT_TRY(place_checkpoints());
  // The last window that begins with only earlier events before it.
  const auto after = std::ranges::lower_bound(checkpoints_, time);
  const auto window = std::max<ptrdiff_t>(0, after - checkpoints_.begin() - 1);
  NexusClock clock(checkpoints_[static_cast<size_t>(window)]);
  Context context(static_cast<uint64_t>(window) * kRecordsPerWindow);
  for (;;) {
    const Context here = context;
    WEFT_TRY_ASSIGN(const std::optional<Event> event, next(context));
    if (!event || clock.advance(event->record.microseconds) >= time) return here;
  }
}

}  // namespace weft::formats
