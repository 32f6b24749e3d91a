// The plugin interface, version 1, in plain C99: with it a shared object adds a type of trace to
// Weftscope. Plugins include this header alone; docs/new-trace-type.md is the guide.
//
// A plugin exports one function, weftscope_plugin(), that returns a table. Its file lies in
// $XDG_DATA_HOME/weftscope/plugins (~/.local/share/weftscope/plugins). It runs in a process of its
// own, which may only read files: a failure there costs the trace, not the viewer.
//
// Text is UTF-8, ended by a zero; it is copied. Times and durations are ticks of the trace's unit.
// All functions are called, and may be called, from one thread only.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFTSCOPE_READER_VERSION 1

// Stand for "none": a lane without a parent, a link without one of its ends, an event without
// parameters.
#define WEFTSCOPE_NO_LANE UINT32_MAX
#define WEFTSCOPE_NO_PARAMS UINT64_MAX

enum weftscope_time_unit {
  WEFTSCOPE_NANOSECONDS = 0,  // the default
  WEFTSCOPE_MICROSECONDS = 1,
  WEFTSCOPE_MILLISECONDS = 2,
  WEFTSCOPE_SECONDS = 3,
  WEFTSCOPE_PICOSECONDS = 4,
  WEFTSCOPE_CYCLES = 5,
  WEFTSCOPE_TICKS = 6
};

enum weftscope_lane_kind {
  WEFTSCOPE_GROUP = 0,
  WEFTSCOPE_MACHINE = 1,
  WEFTSCOPE_PROCESS = 2,
  WEFTSCOPE_THREAD = 3,
  WEFTSCOPE_CPU = 4,
  WEFTSCOPE_QUEUE = 5,
  WEFTSCOPE_ASYNC = 6,
  WEFTSCOPE_COUNTER = 7
};

enum weftscope_category {
  WEFTSCOPE_PUNCTUAL = 0,  // an instant
  WEFTSCOPE_STATE = 1,     // an interval; those of a lane nest
  WEFTSCOPE_LINK = 2,      // from a lane at a time to a lane at a time
  WEFTSCOPE_VARIABLE = 3   // a value, from this time on
};

// The host functions passed to read(). Each takes `host` first. None can fail: nonsensical calls (a
// lane that was not added, a state of negative length, parameters that are not JSON) are counted
// and shown to the user as losses.
struct weftscope_reading {
  uint32_t version;
  void* host;
  const char* path;

  // Reads the trace's decompressed bytes in order into `to`; returns how many, 0 at the end.
  // Progress is derived from it.
  size_t (*read_bytes)(void* host, void* to, size_t size);
  // Returns 0 once the user wants no more: return soon; what was given is kept.
  int (*keep_going)(void* host);
  // Returns the user's value of an option, or its default; NULL for an unknown option.
  const char* (*option)(void* host, const char* name);

  void (*set_time_unit)(void* host, enum weftscope_time_unit unit);  // before the first event
  void (*set_metadata)(void* host, const char* key, const char* value);

  // Add lanes and types; return their numbers, from 0. Adding the same type again gives the same
  // number.
  uint32_t (*add_lane)(void* host, const char* name, uint32_t parent,
                       enum weftscope_lane_kind kind);
  uint32_t (*add_type)(void* host, enum weftscope_category category, const char* name,
                       const char* group);
  void (*set_color)(void* host, uint32_t type, uint32_t rgb);  // 0xRRGGBB
  // Adds parameters for events that follow: the text of one JSON object, and raw bytes. Either may
  // be NULL. The id stays valid until 65,536 others were added.
  uint64_t (*params)(void* host, const char* json, const void* payload, size_t payload_bytes);

  // Add events, in any order; of states with equal begin and end, the first is the outer one.
  void (*punctual)(void* host, uint32_t lane, uint32_t type, int64_t time, uint64_t params);
  void (*state)(void* host, uint32_t lane, uint32_t type, int64_t begin, int64_t duration,
                uint64_t params);
  void (*link)(void* host, uint32_t source, int64_t send, uint32_t target, int64_t receive,
               uint32_t type, uint64_t params);
  void (*variable)(void* host, uint32_t lane, uint32_t type, int64_t time, double value,
                   uint64_t params);

  // Counts something that could not be kept: a sentence fragment ("line without a time") and the
  // offset of its bytes.
  void (*loss)(void* host, const char* kind, uint64_t offset);
  // Gives the reason before read() returns a value other than 0.
  void (*fail)(void* host, const char* reason);
};

struct weftscope_option {
  const char* name;      // a word of a-z, 0-9 and '_'
  const char* about;     // a sentence
  const char* fallback;  // the default; "" if there is none
};

// The last element of each list is all zeros.
struct weftscope_column {
  const char* title;
  const char* param;  // name of an event parameter
};
struct weftscope_page {
  const char* id;  // a word
  const char* title;
  const char* sql;  // over the tables of docs/sql.md; :from and :to are the range
};

struct weftscope_trace_type {
  uint32_t version;   // WEFTSCOPE_READER_VERSION
  uint32_t revision;  // the reader's revision; a change invalidates cached imports
  const char* id;     // a unique word of a-z, 0-9 and '-'
  const char* name;
  const char* category;                    // "Embedded", "Messages", … or another
  const char* icon;                        // one or two characters; may be NULL
  const char* extensions;                  // without the dot, separated by blanks
  const struct weftscope_option* options;  // each of these may be NULL
  const struct weftscope_column* columns;
  const struct weftscope_page* pages;
  // Panels that open with such a trace, separated by blanks ("density events", see docs/manual.md);
  // NULL: the usual ones.
  const char* panels;

  // Returns how surely it can read what begins with `head` (at most 64 KiB): 0 no … 100 a magic
  // number.
  int (*sniff)(const void* head, size_t size);
  // Returns 0, or anything else after fail().
  int (*read)(const struct weftscope_reading* reading);
};

// The function that the shared object exports. The table must live as long as the program.
const struct weftscope_trace_type* weftscope_plugin(void);

#ifdef __cplusplus
}  // extern "C"
#endif
