// A chunk as JDK 7 and 8, JRockit and async-profiler 1 write it ("0.9"): producers describe events
// and constants, integers are as wide as they are, and an event says first when it ended. What is
// described becomes classes with the names of later versions, so that all else is one.
//
//   "FLR\0", version, where the metadata is; events and checkpoints; the metadata, which ends it
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/formats/profiles/jfr/jfr_classes.h"
#include "core/formats/profiles/jfr/jfr_player.h"
#include "core/formats/profiles/jfr/jfr_values.h"

namespace weft::formats::jfr {

inline constexpr size_t kOldHeaderBytes = 16;

struct OldChunk {
  Classes classes;  // of events by their own numbers
  Clock clock;
  uint64_t constants_at = 0;  // the last checkpoint; 0: none
};

// The metadata that the cursor stands at.
Result<OldChunk> read_old_metadata(Cursor cursor);

// Notes where the constants of the checkpoint at `at` and of those before it are. Returns false if
// one is damaged.
bool add_old_constants(Values& values, uint64_t at);

// Takes the rest of an event, after size and type.
Value take_old_event(const Values& values, Cursor& cursor, const Class& of);

}  // namespace weft::formats::jfr
