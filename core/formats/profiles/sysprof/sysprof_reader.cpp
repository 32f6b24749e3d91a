#include "core/formats/profiles/sysprof/sysprof_reader.h"

#include "core/formats/base/early_end.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/sysprof/sysprof_frames.h"
#include "core/formats/profiles/sysprof/sysprof_names.h"
#include "core/formats/profiles/sysprof/sysprof_player.h"
#include "core/formats/stacks/time_order.h"
#include "core/io/reopen.h"
#include "core/io/temporary_file.h"

namespace weft::formats {
namespace {

using sysprof::Frame;

// Names are read first, from the capture opened once more.
Status read_capture(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes) {
  sysprof::Frames frames(source, sink, true);
  WEFT_TRY(frames.begin());
  sink.set_time_base(TimeBase::kNanoseconds);
  if (!frames.captured_at().empty()) sink.set_metadata("captured at", frames.captured_at());
  sysprof::Names names(memory_bytes / 4);
  Frame frame;
  {
    WEFT_TRY_ASSIGN(const auto again, io::Source::open(source.path()));
    sysprof::Frames first(*again, sink, false);
    WEFT_TRY(first.begin());
    while (first.next(frame)) names.add(frame, first.is_big_endian());
    names.finish(first.is_big_endian());
  }
  sysprof::Player player(sink, names, frames.is_big_endian(), memory_bytes / 8);
  stacks::TimeOrder<Frame> order(memory_bytes / 8);
  const auto give = [&player](const Frame& each) { player.add(each); };
  uint64_t waiting_bytes = 0;
  while (frames.next(frame)) {
    const bool is_of_order = frame.kind != sysprof::kMap && frame.kind != sysprof::kProcess &&
                             frame.kind != sysprof::kJitMap && frame.kind != sysprof::kFileChunk &&
                             frame.kind != sysprof::kTimestamp;
    if (!is_of_order) continue;
    // Definitions hold for everything, whatever their time.
    if (frame.kind == sysprof::kCounterDefinition || frame.kind == sysprof::kMetadata) {
      player.add(frame);
      continue;
    }
    waiting_bytes += frame.body.size();
    order.add(frame, give);
    if (waiting_bytes > memory_bytes / 4) {
      order.give_half(give);
      waiting_bytes /= 2;
    }
  }
  order.finish(give);
  if (order.late() > 0)
    sink.note("frame later than the window of order", trace::LossPlace::nowhere(), order.late());
  player.finish();
  return {};
}

}  // namespace

int sniff_sysprof(std::span<const std::byte> head) {
  return sysprof::begins_as_capture(as_chars(head)) ? 100 : 0;
}

Status read_sysprof(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  if (io::can_be_reopened(source)) return read_capture(source, sink, context.memory_bytes);
  WEFT_TRY_ASSIGN(const io::Copy copy, io::copy_of(source));
  WEFT_TRY_ASSIGN(const auto file, io::Source::open(copy.path()));
  WEFT_TRY(read_capture(*file, sink, context.memory_bytes));
  if (copy.cut) report_early_end(sink, *copy.cut, source.offset());
  return {};
}

}  // namespace weft::formats
