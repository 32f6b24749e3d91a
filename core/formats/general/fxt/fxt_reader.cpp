#include "core/formats/general/fxt/fxt_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/general/fxt/fxt_arguments.h"
#include "core/formats/general/fxt/fxt_events.h"
#include "core/formats/general/fxt/fxt_objects.h"
#include "core/formats/general/fxt/fxt_provider.h"
#include "core/formats/general/fxt/fxt_record.h"
#include "core/formats/general/fxt/fxt_scheduling.h"
#include "core/formats/general/perfetto/perfetto_reader.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/io/source.h"
#include "core/io/temporary_file.h"

namespace weft::formats {
namespace {

using fxt::bits;
using fxt::kWordBytes;
using fxt::RecordType;
using fxt::Words;

constexpr uint64_t kFxtMagic = 0x0016'5478'4604'0010, kFxtMagicBigEndian = 0x1000'0446'7854'1600;

// The packets of Perfetto that a trace carries in blobs: kept in a nameless file until all are
// known, then read as a trace of their own.
class PerfettoBlobs {
 public:
  void add(std::string_view packets) {
    if (packets.empty()) return;
    if (file_ == nullptr && !is_failed_) file_ = io::temporary_file().value_or(nullptr);
    is_failed_ |= file_ == nullptr ||
                  std::fwrite(packets.data(), 1, packets.size(), file_.get()) != packets.size();
  }

  // Does nothing if there were none.
  Status finish(trace::EventSink& sink, const ReadContext& context) {
    if (file_ == nullptr && !is_failed_) return {};
    if (is_failed_ || std::fseek(file_.get(), 0, SEEK_SET) != 0 || std::ferror(file_.get()) != 0)
      return fail("cannot write packets of Perfetto to a temporary file");
    const std::string name = fmt::format("/proc/self/fd/{}", ::fileno(file_.get()));
    WEFT_TRY_ASSIGN(const std::unique_ptr<io::Source> source, io::Source::open(name));
    return read_perfetto(*source, sink, context);
  }

 private:
  io::TemporaryFile file_;
  bool is_failed_ = false;
};

class FxtReader {
 public:
  FxtReader(io::Source& source, trace::EventSink& sink, const ReadContext& context)
      : window_(source, sink),
        sink_(sink),
        most_table_bytes_(context.memory_bytes / 4),
        most_record_bytes_(context.memory_bytes / 4),
        kernel_(sink, LaneId::none(), ftrace::Lanes::OnTasks::kMarks),
        objects_(kernel_.lanes()),
        events_(sink, kernel_.lanes(), objects_, context.memory_bytes / 4),
        scheduling_(sink, kernel_, objects_, context.memory_bytes / 8) {}

  Status read(const ReadContext& context) {
    while (window_.is_wanted() && read_record()) {
    }
    window_.finish("a record");
    scheduling_.finish();
    events_.finish();
    if (const Status blobs = perfetto_blobs_.finish(sink_, context); !blobs)
      sink_.loss("packets of Perfetto: " + blobs.error().message, window_.offset());
    return {};
  }

 private:
  // Returns false at the end.
  bool read_record() {
    const auto head = window_.peek(kWordBytes);
    if (!head) return false;
    const uint64_t header = Words(*head).word();
    const auto type = static_cast<RecordType>(bits(header, 0, 3));
    const uint64_t words = type == RecordType::kLarge ? bits(header, 4, 35) : bits(header, 4, 15);
    const uint64_t offset = window_.offset();
    if (words == 0) {
      sink_.loss("record without a length", offset);
      return window_.skip(kWordBytes);
    }
    const uint64_t size = words * kWordBytes;
    if (size > most_record_bytes_) {
      sink_.loss("record beyond the memory for one", offset);
      return window_.skip(size);
    }
    const auto bytes = window_.peek(static_cast<size_t>(size));
    if (!bytes) return false;
    Words record(*bytes);
    record.word();
    if (!play(type, header, record, offset))
      sink_.loss("record that does not fit its length", offset);
    return window_.skip(size);
  }

  bool play(RecordType type, uint64_t header, Words record, uint64_t offset) {
    switch (type) {
      case RecordType::kMetadata:
        return play_metadata(header, record, offset);
      case RecordType::kInitialization:
        if (const uint64_t rate = record.word(); !record.is_cut() && !provider_->set_rate(rate))
          sink_.loss("rate of ticks that is none", offset);
        return !record.is_cut();
      case RecordType::kString:
        return play_string(header, record, offset);
      case RecordType::kThread: {
        const uint64_t process = record.word(), thread = record.word();
        provider_->set_thread(bits(header, 16, 23), {process, thread});
        return !record.is_cut();
      }
      case RecordType::kEvent:
        return events_.add_event(header, record, *provider_, offset);
      case RecordType::kBlob:
        return play_blob(header, record, offset);
      case RecordType::kUserObject:
        return play_user_object(header, record, offset);
      case RecordType::kKernelObject:
        return play_kernel_object(header, record, offset);
      case RecordType::kScheduling:
        return scheduling_.add(header, record, *provider_, offset);
      case RecordType::kLog:
        return events_.add_log(header, record, *provider_, offset);
      case RecordType::kLarge:
        if (bits(header, 36, 39) == 0) return events_.add_blob(header, record, *provider_, offset);
        break;
      case RecordType::kProfiler:
        sink_.note("record of the profiler: not shown", offset);
        return true;
    }
    sink_.note("record of an unknown type", offset);
    return true;
  }

  bool play_metadata(uint64_t header, Words record, uint64_t offset) {
    enum Kind : uint64_t { kInfo = 1, kSection = 2, kEvent = 3, kTraceInfo = 4 };
    const uint64_t id = bits(header, 20, 51);
    switch (bits(header, 16, 19)) {
      case kInfo: {
        const std::string_view name = record.stream(bits(header, 52, 59));
        if (record.is_cut()) return false;
        provider_ = &providers_[id];
        provider_->name = name;
        sink_.set_metadata(fmt::format("provider {}", id), valid_utf8(name));
        return true;
      }
      case kSection:
        provider_ = &providers_[id];
        return true;
      case kEvent:
        // No other is defined than that its buffer was full.
        sink_.loss("records lost: the buffer of a provider was full", offset);
        return true;
      case kTraceInfo:
        return true;
      default:
        sink_.note("metadata of an unknown kind", offset);
        return true;
    }
  }

  bool play_string(uint64_t header, Words record, uint64_t offset) {
    const std::string_view text = record.stream(bits(header, 32, 46));
    if (record.is_cut()) return false;
    if (has_room(text.size(), offset)) provider_->set_string(bits(header, 16, 30), text);
    return true;
  }

  bool play_blob(uint64_t header, Words record, uint64_t offset) {
    constexpr uint64_t kPerfettoTrace = 3;
    (void)provider_->text(bits(header, 16, 31), record);  // its name
    const std::string_view content = record.stream(bits(header, 32, 46));
    if (record.is_cut()) return false;
    if (bits(header, 48, 55) == kPerfettoTrace) {
      perfetto_blobs_.add(content);
    } else {
      sink_.note("blob without a time: not shown", offset);
    }
    return true;
  }

  bool play_user_object(uint64_t header, Words record, uint64_t offset) {
    const uint64_t pointer = record.word();
    const uint64_t process = provider_->process(bits(header, 16, 23), record);
    const std::string_view name = provider_->text(bits(header, 24, 39), record);
    if (record.is_cut()) return false;
    if (has_room(name.size(), offset)) provider_->set_user_object(process, pointer, name);
    return true;
  }

  bool play_kernel_object(uint64_t header, Words record, uint64_t offset) {
    const uint64_t id = record.word();
    const std::string_view name = provider_->text(bits(header, 24, 39), record);
    const auto arguments = fxt::take_arguments(bits(header, 40, 43), *provider_, record);
    if (record.is_cut()) return false;
    uint64_t process = 0;
    for (const fxt::Argument& each : arguments) {
      if (each.name == "process" && each.type == fxt::ArgumentType::kKernelObject)
        process = each.value;
    }
    if (has_room(name.size(), offset)) objects_.describe(id, bits(header, 16, 23), name, process);
    return true;
  }

  bool has_room(size_t bytes, uint64_t offset) {
    size_t used = objects_.bytes() + bytes;
    used += provider_->table_bytes() + providers_.size() * sizeof(fxt::Provider);
    if (used <= most_table_bytes_) return true;
    sink_.loss("name beyond the memory for them", offset);
    return false;
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  const uint64_t most_table_bytes_, most_record_bytes_;
  ftrace::Kernel kernel_;
  fxt::Objects objects_;
  fxt::Events events_;
  fxt::Scheduling scheduling_;
  PerfettoBlobs perfetto_blobs_;
  std::map<uint64_t, fxt::Provider> providers_;
  fxt::Provider* provider_ = &providers_[0];  // whose records come; 0 before any has a number
};

}  // namespace

// Older traces lack the magic number: they begin with the initialization or with a provider.
int sniff_fxt(std::span<const std::byte> head) {
  constexpr int kCertain = 100, kLikely = 80;
  constexpr uint64_t kInitialization = 0x21, kLeastRate = 1000, kMostRate = 1'000'000'000'000;
  std::string_view bytes = as_chars(head);
  const uint64_t first = take_little<uint64_t>(bytes).value_or(0);
  if (first == kFxtMagic || first == kFxtMagicBigEndian) return kCertain;
  if (first == kInitialization) {
    const uint64_t rate = take_little<uint64_t>(bytes).value_or(0);
    return rate >= kLeastRate && rate <= kMostRate ? kLikely : 0;
  }
  const uint64_t name_bytes = bits(first, 52, 59);
  const bool is_provider = (first & 0xF'000F) == 0x1'0000 && bits(first, 60, 63) == 0 &&
                           bits(first, 4, 15) == 1 + (name_bytes + 7) / kWordBytes;
  const std::string_view name = bytes.substr(0, static_cast<size_t>(name_bytes));
  const bool is_text = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  return is_provider && name_bytes > 0 && is_text ? kLikely : 0;
}

Status read_fxt(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kWordBytes));
  std::string_view bytes = as_chars(head);
  const auto first = take_little<uint64_t>(bytes);
  if (!first) return fail("ends within its first word");
  if (first == kFxtMagicBigEndian) return fail("was written by a big-endian machine: not read");
  sink.set_time_base(TimeBase::kNanoseconds);
  return FxtReader(source, sink, context).read(context);
}

}  // namespace weft::formats
