#include "core/formats/profiles/nettrace/nettrace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/formats/base/text.h"
#include "core/formats/profiles/nettrace/nettrace_blocks.h"
#include "core/formats/profiles/nettrace/nettrace_kinds.h"
#include "core/formats/profiles/nettrace/nettrace_labels.h"
#include "core/formats/profiles/nettrace/nettrace_player.h"
#include "core/formats/profiles/nettrace/nettrace_roles.h"
#include "core/formats/profiles/nettrace/nettrace_row.h"
#include "core/formats/profiles/nettrace/nettrace_trace.h"

namespace weft::formats {
namespace {

using nettrace::Block;
using nettrace::Cursor;

constexpr uint32_t kFirstOfIndices = 6;  // threads by an index, kinds without rows

class NettraceReader {
 public:
  NettraceReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink),
        blocks_(source, sink, memory_bytes),
        player_(sink, memory_bytes / 2),
        most_waiting_(memory_bytes / 8) {}

  Status read() {
    WEFT_TRY(blocks_.begin());
    sink_.set_time_base(TimeBase::kNanoseconds);
    while (const auto block = blocks_.next()) add(*block);
    blocks_.finish();
    give_waiting();
    player_.finish();
    return {};
  }

 private:
  void add(const Block& block) {
    if (block.kind != Block::Kind::kTrace && !has_trace_ && block.kind != Block::Kind::kUnknown) {
      sink_.loss("block before that of the trace", block.offset);
      return;
    }
    switch (block.kind) {
      case Block::Kind::kTrace:
        return add_trace(block);
      case Block::Kind::kEvents:
        return add_events(block);
      case Block::Kind::kMetadata:
        return add_kinds(block);
      case Block::Kind::kSequencePoint:
        return add_sequence_point(block);
      case Block::Kind::kStacks:
        return add_stacks(block);
      case Block::Kind::kThreads:
        return add_threads(block);
      case Block::Kind::kRemovedThreads:
        return remove_threads(block);
      case Block::Kind::kLabelLists:
        if (!labels_.add_block(block.bytes))
          sink_.loss("list of labels that is damaged", block.offset);
        return;
      case Block::Kind::kEnd:
      case Block::Kind::kUnknown:
        return sink_.loss("block of an unknown kind", block.offset);
    }
  }

  void add_trace(const Block& block) {
    const auto trace = nettrace::take_trace_block(block.bytes, blocks_.version());
    if (!trace) return sink_.loss("description of the trace that is damaged", block.offset);
    trace_ = *trace;
    has_trace_ = true;
    if (trace_.ticks_per_second <= 0) {
      sink_.loss("unit of time that is not a length", block.offset);
      trace_.ticks_per_second = 1'000'000'000;
    }
    if (trace_.pointer_bytes != 4) trace_.pointer_bytes = 8;
    player_.set_pointer_bytes(trace_.pointer_bytes);
    player_.set_ticks_per_second(trace_.ticks_per_second);
    sink_.set_metadata("version", fmt::format("{}", blocks_.version()));
    for (const auto& [key, value] : trace_.about) sink_.set_metadata(key, value);
  }

  void add_events(const Block& block) {
    nettrace::Rows rows(block.bytes, blocks_.version());
    nettrace::Row row;
    size_t at = rows.at();
    for (; rows.next(row); at = rows.at()) {
      if (row.kind == 0) {
        add_kind(nettrace::take_kind(row.payload), block.offset + at);
      } else {
        check_sequence(row, block.offset + at);
        add_row(row, block.offset + at);
      }
    }
    if (rows.has_failed()) sink_.loss("event that does not fit its block", block.offset + at);
  }

  void add_kinds(const Block& block) {
    if (blocks_.version() < kFirstOfIndices) return add_events(block);
    Cursor cursor(block.bytes);
    cursor.bytes(cursor.little<uint16_t>());
    while (!cursor.is_at_end()) {
      const uint64_t offset = block.offset + cursor.at();
      add_kind(nettrace::take_kind_of_block(cursor), offset);
    }
    if (cursor.has_failed()) sink_.loss("kind that does not fit its block", block.offset);
  }

  void add_kind(std::optional<nettrace::NumberedKind> taken, uint64_t offset) {
    if (!taken) return sink_.loss("kind of events that is damaged", offset);
    if (taken->kind.has_unread) {
      sink_.loss("fields of an event whose types are not known", offset);
      taken->kind.fields.clear();
    }
    const auto it = kinds_.find(taken->number);
    if (it != kinds_.end()) give_waiting();  // which are of the kind before
    kinds_[taken->number] =
        std::make_unique<nettrace::Shown>(nettrace::shown_as(std::move(taken->kind)));
  }

  void check_sequence(const nettrace::Row& row, uint64_t offset) {
    constexpr uint32_t kFirstWithNumbers = 4, kBehind = 0x80000000;
    if (blocks_.version() < kFirstWithNumbers) return;
    const auto [it, is_new] = sequences_.try_emplace(row.capture_thread, 0);
    const uint32_t missing = row.sequence - it->second - 1;
    it->second = row.sequence;
    // 1 is where a thread begins, which may have the number of one that ended.
    if (missing == 0 || missing >= kBehind || row.sequence == 1) return;
    sink_.loss("event dropped by the runtime", {offset, LaneId::none(), trace_.time_of(row.ticks)},
               missing);
  }

  // The sequence number of the last event that a thread tried to write.
  void check_last(uint64_t thread, uint32_t sequence, uint64_t offset) {
    constexpr uint32_t kBehind = 0x80000000;
    const auto [it, is_new] = sequences_.try_emplace(thread, sequence);
    const uint32_t missing = sequence - it->second;
    if (missing == 0 || missing >= kBehind) return;
    it->second = sequence;
    sink_.loss("event dropped by the runtime", offset, missing);
  }

  void add_row(const nettrace::Row& row, uint64_t offset) {
    const auto kind = kinds_.find(row.kind);
    if (kind == kinds_.end()) return sink_.loss("event of a kind that is not described", offset);
    nettrace::Event event;
    event.of = kind->second.get();
    event.time = trace_.time_of(row.ticks);
    event.process = trace_.process;
    event.thread = row.thread;
    event.offset = offset;
    if (blocks_.version() >= kFirstOfIndices) {
      const auto thread = threads_.find(row.thread);
      if (thread == threads_.end()) return sink_.loss("event of an unknown thread", offset);
      event.process = thread->second.process;
      event.thread = thread->second.number;
      event.thread_name = thread->second.name;
      labels_.add_to(row.labels, event);
    } else {
      event.activity = nettrace::guid_text({row.activity.data(), row.activity.size()});
      event.related = nettrace::guid_text({row.related.data(), row.related.size()});
    }
    // Until version 5 the processor was that of the thread that captured the event.
    const bool is_own = row.thread == row.capture_thread;
    if (blocks_.version() >= kFirstOfIndices || is_own) event.processor = row.processor;
    if (!row.stack_bytes.empty()) {
      event.stack = player_.held().stack_of(row.stack_bytes, offset);
    } else if (const auto stack = stacks_.find(row.stack); stack != stacks_.end()) {
      event.stack = stack->second;
    }
    event.payload = row.payload;
    waiting_bytes_ += sizeof(event) + event.payload.size();
    waiting_.push_back(std::move(event));
    if (waiting_bytes_ > most_waiting_) give_waiting();
  }

  // Between two points of sequence only the events of one thread are in order.
  void give_waiting() {
    std::ranges::stable_sort(waiting_, {}, &nettrace::Event::time);
    for (const nettrace::Event& event : waiting_) {
      if (!sink_.keep_going()) break;
      player_.add(event);
    }
    waiting_.clear();
    waiting_bytes_ = 0;
  }

  void add_stacks(const Block& block) {
    Cursor cursor(block.bytes);
    auto id = cursor.little<uint32_t>();
    const auto count = cursor.little<uint32_t>();
    for (uint32_t i = 0; i < count && !cursor.has_failed(); ++i, ++id) {
      const uint64_t offset = block.offset + cursor.at();
      const std::string_view stack = cursor.bytes(cursor.little<uint32_t>());
      if (cursor.has_failed()) break;
      if (const uint64_t ours = player_.held().stack_of(stack, offset); ours != nettrace::kNoStack)
        stacks_.insert_or_assign(id, ours);
    }
    if (cursor.has_failed()) sink_.loss("stack that does not fit its block", block.offset);
  }

  // Behind it stacks and labels are named anew.
  void add_sequence_point(const Block& block) {
    constexpr uint32_t kThreads = 1, kKinds = 2;
    give_waiting();
    Cursor cursor(block.bytes);
    cursor.little<int64_t>();  // its time
    const bool has_flags = blocks_.version() >= kFirstOfIndices;
    const uint32_t flags = has_flags ? cursor.little<uint32_t>() : 0;
    const auto count = cursor.little<uint32_t>();
    for (uint32_t i = 0; i < count && !cursor.has_failed(); ++i) {
      const auto thread = has_flags ? cursor.varint() : cursor.little<uint64_t>();
      const auto sequence = has_flags ? cursor.varint32() : cursor.little<uint32_t>();
      if (!cursor.has_failed()) check_last(thread, sequence, block.offset);
    }
    if (cursor.has_failed()) sink_.loss("point of sequence that is damaged", block.offset);
    stacks_.clear();
    labels_.clear();
    if ((flags & kThreads) != 0) {
      threads_.clear();
      sequences_.clear();
    }
    if ((flags & kKinds) != 0) kinds_.clear();
  }

  void add_threads(const Block& block) {
    Cursor cursor(block.bytes);
    while (!cursor.is_at_end()) {
      Cursor row(cursor.bytes(cursor.little<uint16_t>()));
      const uint64_t index = row.varint();
      const nettrace::Thread thread = nettrace::take_thread(row, trace_.process);
      if (!cursor.has_failed() && !row.has_failed()) threads_.insert_or_assign(index, thread);
      if (row.has_failed()) sink_.loss("thread that is damaged", block.offset + cursor.at());
    }
    if (cursor.has_failed()) sink_.loss("thread that does not fit its block", block.offset);
  }

  void remove_threads(const Block& block) {
    Cursor cursor(block.bytes);
    while (!cursor.is_at_end()) {
      const uint64_t index = cursor.varint();
      const uint32_t sequence = cursor.varint32();
      if (cursor.has_failed()) break;
      check_last(index, sequence, block.offset);
      threads_.erase(index);
      sequences_.erase(index);
    }
    if (cursor.has_failed()) sink_.loss("thread that does not fit its block", block.offset);
  }

  trace::EventSink& sink_;
  nettrace::Blocks blocks_;
  nettrace::Player player_;
  nettrace::TraceBlock trace_;
  bool has_trace_ = false;
  std::unordered_map<uint32_t, std::unique_ptr<nettrace::Shown>> kinds_;
  std::unordered_map<uint64_t, uint32_t> sequences_;  // the last ones, by thread
  std::unordered_map<uint64_t, nettrace::Thread> threads_;
  std::unordered_map<uint32_t, uint64_t> stacks_;  // ours, by the file's
  nettrace::Labels labels_;
  std::vector<nettrace::Event> waiting_;
  uint64_t waiting_bytes_ = 0, most_waiting_;
};

}  // namespace

int sniff_nettrace(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return nettrace::begins_as_trace(text) ? 100 : 0;
}

Status read_nettrace(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  return NettraceReader(source, sink, context.memory_bytes).read();
}

}  // namespace weft::formats
