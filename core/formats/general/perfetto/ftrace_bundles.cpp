#include "core/formats/general/perfetto/ftrace_bundles.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace weft::formats::perfetto {
namespace {

// FtraceClock; the kernel's own clocks get numbers that no clock of Perfetto has.
enum FtraceClock : uint64_t { kUnspecified, kUnknown, kGlobal, kLocal, kMonoRaw };
constexpr uint32_t kMonotonicRaw = 5, kFirstOwnClock = 0xFFFF0000;

void append_numbers(const Field& field, std::vector<int64_t>& numbers, bool& is_good) {
  is_good &=
      for_each_number(field, [&](uint64_t n) { numbers.push_back(static_cast<int64_t>(n)); });
}

}  // namespace

FtraceBundles::FtraceBundles(trace::EventSink& sink, ftrace::Kernel& kernel, Clocks& clocks,
                             uint64_t memory_bytes)
    : sink_(sink),
      kernel_(kernel),
      clocks_(clocks),
      most_bytes_(memory_bytes / 2),
      order_(memory_bytes / 2) {}

void FtraceBundles::add(std::string_view message, Sequence& sequence, uint64_t offset) {
  const Bytes bundle(new std::string(message), [this](const std::string* bytes) {
    live_bytes_ -= bytes->size();
    delete bytes;
  });
  live_bytes_ += bundle->size();
  while (live_bytes_ > most_bytes_ && !order_.is_empty())
    order_.give_half([this](const Record& r) { play(r); });
  read_clock(*bundle, sequence);
  Record like{.offset = offset};
  bool is_good = true, has_lost = false;
  bundle_.reset();
  is_good &= for_each_field(*bundle, [&](const Field& field) {
    switch (field.number) {
      case 1:
        like.cpu = field.uint32();
        break;
      case 2:
        is_good &= add_event(field.bytes, bundle, like);
        break;
      case 3:
        has_lost |= field.flag();
        break;
      case 4:
        is_good &= add_columns(field.bytes, bundle, like);
        break;
      case 8:
        sink_.loss("events that the recorder could not read", offset);
        break;
      case 11:
        is_good &= add_descriptor(field.bytes);
        break;
      case 512:
        sink_.loss("page of the kernel's buffer that the recorder could not read", offset);
        break;
      default:
        break;
    }
  });
  if (!is_good) sink_.loss("kernel events damaged", offset);
  if (has_lost) count_lost_events(like.cpu, offset);
  if (bundle_) last_times_[like.cpu] = bundle_->end;
  if (unknown_clock_ > 0) sink_.loss("time of an unknown clock", offset, unknown_clock_);
  unknown_clock_ = 0;
}

// Somewhere between the CPU's last bundle and this one.
void FtraceBundles::count_lost_events(uint32_t cpu, uint64_t offset) {
  trace::LossPlace place(offset, kernel_.lanes().cpu(cpu));
  const auto last = last_times_.find(cpu);
  if (last != last_times_.end()) place.time = last->second;
  if (!place.time && bundle_) place.time = bundle_->begin;
  if (place.time && bundle_ && *place.time < bundle_->begin)
    place.duration = bundle_->begin - *place.time;
  sink_.loss("events lost by the kernel's buffer", place);
}

// Which clock the bundle's times are of. Its place among the fields is not certain.
void FtraceBundles::read_clock(std::string_view bundle, const Sequence& sequence) {
  uint64_t clock = kUnspecified, ftrace_time = 0, boot_time = 0;
  for_each_field(bundle, [&](const Field& field) {
    if (field.number == 5) clock = field.value;
    if (field.number == 6) ftrace_time = field.value;
    if (field.number == 7) boot_time = field.value;
  });
  sequence_ = &sequence;
  clock_ = clock == kMonoRaw ? kMonotonicRaw : Clocks::kBoottime;
  if (clock == kUnspecified || clock == kMonoRaw) return;
  clock_ = kFirstOwnClock + static_cast<uint32_t>(std::min<uint64_t>(clock, UINT16_MAX));
  if (ftrace_time == 0 || boot_time == 0) return;
  const ClockReading readings[] = {{.clock = clock_, .ticks = ftrace_time},
                                   {.clock = Clocks::kBoottime, .ticks = boot_time}};
  clocks_.add_snapshot(sequence.id, readings, 0);
}

bool FtraceBundles::add_event(std::string_view message, const Bytes& bundle, Record record) {
  int64_t ticks = 0;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) ticks = field.integer();
    if (field.number == 2) record.pid = field.int32();
    if (!field.is_bytes) return;
    record.tracepoint = field.number;
    record.bytes = field.bytes;
  });
  if (!is_good) return false;
  record.bundle = bundle;
  record.symbol = symbol_in(record);
  add_record(std::move(record), ticks);
  return true;
}

// Resolves the function's name now; the sequence may reuse the number later.
uint32_t FtraceBundles::symbol_in(const Record& record) {
  constexpr size_t kMostSymbols = 1 << 17;
  const uint32_t field_number = symbol_field(record.tracepoint);
  if (field_number == 0) return 0;
  std::string_view name;
  for_each_field(record.bytes, [&](const Field& field) {
    if (field.number == field_number) name = sequence_->text(Interned::kKernelSymbol, field.value);
  });
  if (name.empty() || symbols_.size() >= kMostSymbols) return 0;
  const auto [it, is_new] =
      symbol_numbers_.try_emplace(std::string(name), static_cast<uint32_t>(symbols_.size()));
  if (is_new) symbols_.emplace_back(name);
  return it->second;
}

bool FtraceBundles::add_columns(std::string_view message, const Bytes& bundle, const Record& like) {
  Columns c;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    switch (field.number) {
      case 1:
        return append_numbers(field, c.switch_times, is_good);
      case 2:
        return append_numbers(field, c.switch_states, is_good);
      case 3:
        return append_numbers(field, c.switch_pids, is_good);
      case 5:
        return c.names.push_back(field.bytes);
      case 6:
        return append_numbers(field, c.switch_names, is_good);
      case 7:
        return append_numbers(field, c.waking_times, is_good);
      case 8:
        return append_numbers(field, c.waking_pids, is_good);
      case 11:
        return append_numbers(field, c.waking_names, is_good);
      default:
        return;
    }
  });
  const auto name = [&](int64_t index) {
    const auto i = static_cast<size_t>(index);
    return i < c.names.size() ? c.names[i] : std::string_view();
  };
  const auto add_all = [&](Record::Kind kind, const std::vector<int64_t>& times,
                           const std::vector<int64_t>& pids, const std::vector<int64_t>& names) {
    const size_t count = std::min({times.size(), pids.size(), names.size()});
    is_good &= count == times.size();
    int64_t ticks = 0;  // each counts from the one before
    for (size_t i = 0; i < count; ++i) {
      ticks = saturating_add(ticks, times[i]);
      Record record = like;
      record.kind = kind;
      record.bundle = bundle;
      record.bytes = name(names[i]);
      record.pid = static_cast<int32_t>(pids[i]);
      if (kind == Record::Kind::kSwitch && i < c.switch_states.size())
        record.previous_state = c.switch_states[i];
      add_record(std::move(record), ticks);
    }
  };
  add_all(Record::Kind::kSwitch, c.switch_times, c.switch_pids, c.switch_names);
  add_all(Record::Kind::kWaking, c.waking_times, c.waking_pids, c.waking_names);
  return is_good;
}

void FtraceBundles::add_record(Record record, int64_t ticks) {
  const auto time =
      clocks_.time_of(sequence_->id, clock_, static_cast<uint64_t>(std::max<int64_t>(ticks, 0)));
  if (!time) {
    ++unknown_clock_;
    return;
  }
  record.time = *time;
  if (!bundle_) bundle_ = TimeRange{*time, *time};
  bundle_->begin = std::min(bundle_->begin, *time);
  bundle_->end = std::max(bundle_->end, *time);
  order_.add(std::move(record), [this](const Record& r) { play(r); });
}

// Adds the descriptor (a DescriptorProto) of an event newer than Perfetto's own table.
bool FtraceBundles::add_descriptor(std::string_view message) {
  constexpr uint32_t kMostFields = 256;
  uint32_t number = 0;
  std::string_view descriptor;
  bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) number = field.uint32();
    if (field.number == 2) descriptor = field.bytes;
  });
  Tracepoint tracepoint;
  is_good &= for_each_field(descriptor, [&](const Field& field) {
    if (field.number == 1) tracepoint.name = valid_utf8(field.bytes);
    if (field.number != 2) return;
    std::string_view name;
    uint64_t at = 0;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1) name = inner.bytes;
      if (inner.number == 3) at = inner.value;
    });
    if (at == 0 || at > kMostFields) return;
    if (tracepoint.fields.size() < at) tracepoint.fields.resize(static_cast<size_t>(at));
    tracepoint.fields[static_cast<size_t>(at) - 1] = name;
  });
  described_[number] = std::move(tracepoint);
  return is_good;
}

void FtraceBundles::finish() {
  order_.finish([this](const Record& r) { play(r); });
  if (order_.late() > 0)
    sink_.note("kernel event later than the window of order", trace::LossPlace::nowhere(),
               order_.late());
}

}  // namespace weft::formats::perfetto
