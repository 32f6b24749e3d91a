#include "core/formats/general/chrome_json/chunk.h"

#include <cstring>

namespace weft::formats::chrome_json {

LossText text_of(LossKind kind) {
  switch (kind) {
    case LossKind::kMalformed:
      return {"malformed event", true};
    case LossKind::kMended:
      return {"event in careless JSON, read as it is meant", false};
    case LossKind::kNoObject:
      return {"array element that is not an event", true};
    case LossKind::kNoPhase:
      return {"event without a phase", true};
    case LossKind::kUnknownPhase:
      return {"event of an unknown phase", true};
    case LossKind::kNoTime:
      return {"event without a time", true};
    case LossKind::kBadTime:
      return {"time that is not a number", true};
    case LossKind::kTimeRange:
      return {"time out of range", true};
    case LossKind::kRounded:
      return {"time rounded to nanoseconds", false};
    case LossKind::kNegativeDuration:
      return {"negative duration", true};
    case LossKind::kEndRange:
      return {"end out of range, shown up to the last time", true};
    case LossKind::kBadDuration:
      return {"duration that is not a number", true};
    case LossKind::kNoDuration:
      return {"complete event without a duration", false};
    case LossKind::kRepeatedKey:
      return {"key given twice in an event, of which the last counts", false};
    case LossKind::kInvalidText:
      return {"text that is not valid UTF-8", true};
    case LossKind::kDeepArguments:
      return {"arguments nested too deeply", true};
    case LossKind::kBadCounter:
      return {"counter without a number", true};
    case LossKind::kOtherName:
      return {"end with another name than its begin", false};
    case LossKind::kCount:
      break;
  }
  return {"unknown", true};
}

void ChunkResults::clear() {
  end = ChunkEnd::kWhole;
  parsed_bytes = 0;
  lanes.clear();
  types.clear();
  params.clear();
  complete.clear();
  paired.clear();
  early_ends_before.clear();
  punctuals.clear();
  samples.clear();
  begins.clear();
  ends.clear();
  keyed.clear();
  metadata.clear();
  stack_events.clear();
  unfinished.clear();
  is_unordered = false;
  has_stacks = false;
  states = 0;
  last_time = Time::min();
  losses = {};
  lane_index.clear();
  params_index.clear();
  arena.clear();
}

ChunkText::ChunkText(size_t capacity)
    : data_(std::make_unique_for_overwrite<char[]>(capacity + json::kTextPadding)),
      capacity_(capacity) {
  set_size(0);
}

void ChunkText::set_size(size_t size) {
  size_ = size;
  std::memset(data_.get() + size, 0, json::kTextPadding);
}

}  // namespace weft::formats::chrome_json
