// How a shared object teaches Weftscope a type of trace: version 1 of the interface, in plain C99.
// Not part of the program: what a plugin's author includes. docs/new-trace-type.md is the guide.
//
// A plugin exports one function, weftscope_plugin(), that returns a table. Its file lies in
// $XDG_DATA_HOME/weftscope/plugins (~/.local/share/weftscope/plugins). It runs in a process of its
// own, which may read files and nothing else: what goes wrong there costs the trace, not the
// viewer.
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

// Stands for "there is none": a lane without a parent, a link without one of its ends, an event
// without parameters.
#define WEFTSCOPE_NO_LANE UINT32_MAX
#define WEFTSCOPE_NO_PARAMS UINT64_MAX

enum weftscope_time_unit {
  WEFTSCOPE_NANOSECONDS = 0,  // unless it is said
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

// What read() is given. Every function takes `host` first. Nothing that is said can fail: what
// makes no sense (a lane that was not added, a state of negative length, parameters that are no
// JSON) is counted and shown to the user as a loss.
struct weftscope_reading {
  uint32_t version;
  void* host;
  const char* path;

  // The trace's bytes, in order, decompressed: how many were put into `to`, 0 at the end. Progress
  // is told by it.
  size_t (*read_bytes)(void* host, void* to, size_t size);
  // 0 once the user has had enough: return soon, what was said is kept.
  int (*keep_going)(void* host);
  // What the user wants of an option, else its default; NULL where there is no such option.
  const char* (*option)(void* host, const char* name);

  void (*set_time_unit)(void* host, enum weftscope_time_unit unit);  // before the first event
  void (*set_metadata)(void* host, const char* key, const char* value);

  // Numbers of lanes and types, from 0. A type is added once; the same again is the same number.
  uint32_t (*add_lane)(void* host, const char* name, uint32_t parent,
                       enum weftscope_lane_kind kind);
  uint32_t (*add_type)(void* host, enum weftscope_category category, const char* name,
                       const char* group);
  void (*set_color)(void* host, uint32_t type, uint32_t rgb);  // 0xRRGGBB
  // Parameters of events that follow: the text of one JSON object, and raw bytes. Either may be
  // NULL. They are known until 65,536 others were said.
  uint64_t (*params)(void* host, const char* json, const void* payload, size_t payload_bytes);

  // Events, in any order; of states that begin and end together the first is the outer one.
  void (*punctual)(void* host, uint32_t lane, uint32_t type, int64_t time, uint64_t params);
  void (*state)(void* host, uint32_t lane, uint32_t type, int64_t begin, int64_t duration,
                uint64_t params);
  void (*link)(void* host, uint32_t source, int64_t send, uint32_t target, int64_t receive,
               uint32_t type, uint64_t params);
  void (*variable)(void* host, uint32_t lane, uint32_t type, int64_t time, double value,
                   uint64_t params);

  // Something of the trace that could not be kept: a sentence fragment ("line without a time"), and
  // where its bytes begin.
  void (*loss)(void* host, const char* kind, uint64_t offset);
  // Why read() is going to return something other than 0.
  void (*fail)(void* host, const char* reason);
};

struct weftscope_option {
  const char* name;      // a word of a-z, 0-9 and '_'
  const char* about;     // a sentence
  const char* fallback;  // the default; "" where there is none
};

// The last element of each list is all zeros.
struct weftscope_column {
  const char* title;
  const char* param;  // of the events' parameters
};
struct weftscope_page {
  const char* id;  // a word
  const char* title;
  const char* sql;  // over the tables of docs/sql.md; :from and :to are the range
};

struct weftscope_trace_type {
  uint32_t version;   // WEFTSCOPE_READER_VERSION
  uint32_t revision;  // of the reader: another one reads traces again that were read before
  const char* id;     // a word of a-z, 0-9 and '-', which no other type has
  const char* name;
  const char* category;                    // "Embedded", "Messages", … or another
  const char* icon;                        // a sign or two; may be NULL
  const char* extensions;                  // without the dot, separated by blanks
  const struct weftscope_option* options;  // each of these may be NULL
  const struct weftscope_column* columns;
  const struct weftscope_page* pages;
  // Kinds of panels that open with such a trace, separated by blanks ("density events", as
  // docs/manual.md lists them); NULL: as with most.
  const char* panels;

  // How sure it is that it can read what begins so (at most 64 KiB): 0 no … 100 a magic number.
  int (*sniff)(const void* head, size_t size);
  // 0, or anything else after fail().
  int (*read)(const struct weftscope_reading* reading);
};

// What the shared object exports. The table lives as long as the program.
const struct weftscope_trace_type* weftscope_plugin(void);

#ifdef __cplusplus
}  // extern "C"
#endif
