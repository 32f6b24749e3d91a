// Plugins that go wrong, one for each way (BAD), for plugin_test.cpp.
#include "core/formats/plugin/weftscope_reader.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  kCrashesInRead,
  kCrashesLater,
  kCrashesInSniff,
  kHangsInSniff,
  kStartsSlowly,
  kOtherVersion,
  kNonsense,
  kFails,
  kStarts
};

static int sniff(const void* head, size_t size) {
  if (BAD == kCrashesInSniff) abort();
  if (BAD == kHangsInSniff) sleep(1000);
  static int has_started = 0;
  if (BAD == kStartsSlowly && !has_started) usleep(200000);
  has_started = 1;
  return size >= 3 && memcmp(head, "BAD", 3) == 0 ? 100 : 0;
}

static void say_nonsense(const struct weftscope_reading* r) {
  const uint32_t lane = r->add_lane(r->host, "lane", WEFTSCOPE_NO_LANE, WEFTSCOPE_THREAD);
  const uint32_t type = r->add_type(r->host, WEFTSCOPE_STATE, NULL, "\xff");
  const uint64_t params = r->params(r->host, "no object", NULL, 0);
  r->state(r->host, lane, type, 5, 10, params);              // this one makes sense
  r->state(r->host, lane + 1, type, 0, 1, params);           // no such lane
  r->state(r->host, lane, type + 1, 0, 1, params);           // no such type
  r->state(r->host, lane, type, 0, -1, params);              // no length
  r->state(r->host, lane, type, INT64_MAX, 1, params);       // an end beyond time
  r->state(r->host, lane, type, 0, 1, 77);                   // no such parameters
  r->punctual(r->host, lane, type, 0, WEFTSCOPE_NO_PARAMS);  // a state's type
  r->link(r->host, WEFTSCOPE_NO_LANE, 0, WEFTSCOPE_NO_LANE, 0,
          r->add_type(r->host, WEFTSCOPE_LINK, "link", ""), WEFTSCOPE_NO_PARAMS);
  r->add_type(r->host, (enum weftscope_category)99, "none", "");
  r->set_time_unit(r->host, (enum weftscope_time_unit)99);
  r->add_lane(r->host, NULL, 1000, (enum weftscope_lane_kind)99);
  r->read_bytes(r->host, NULL, 10);
  r->option(r->host, NULL);
  r->loss(r->host, NULL, 0);
}

static int read_trace(const struct weftscope_reading* r) {
  if (BAD == kNonsense) say_nonsense(r);
  if (BAD == kCrashesInRead || BAD == kCrashesLater) {
    const uint32_t lane = r->add_lane(r->host, "lane", WEFTSCOPE_NO_LANE, WEFTSCOPE_THREAD);
    const uint32_t type = r->add_type(r->host, WEFTSCOPE_PUNCTUAL, "before", "");
    const int count = BAD == kCrashesLater ? 1000 : 100000;
    for (int i = 0; i < count; ++i) r->punctual(r->host, lane, type, i, WEFTSCOPE_NO_PARAMS);
    if (BAD == kCrashesLater) sleep(1);
    abort();
  }
  if (BAD == kFails) {
    r->fail(r->host, "cannot: \x1b[31m");
    return 7;
  }
  if (BAD == kStarts) return system("true") == 0;  // the sandbox starts nothing
  return 0;
}

const struct weftscope_trace_type* weftscope_plugin(void) {
  static const struct weftscope_trace_type kType = {
      .version = WEFTSCOPE_READER_VERSION + (BAD == kOtherVersion),
      .revision = 1,
      .id = "bad",
      .name = "Bad",
      .category = "Tests",
      .extensions = "bad",
      .sniff = sniff,
      .read = read_trace,
  };
  return &kType;
}
