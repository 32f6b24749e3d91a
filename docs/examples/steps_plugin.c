// Reads "steps": a line "STEPS 1", then lines "TIME TASK begin|end NAME", times in microseconds.
#include "weftscope_reader.h"

#include <stdio.h>
#include <string.h>

enum { kMostTasks = 64, kMostDepth = 16, kMostLine = 256 };

struct task {
  char name[32];
  uint32_t lane;
  int depth;
  int64_t begins[kMostDepth];
  uint32_t types[kMostDepth];
};

struct steps {
  const struct weftscope_reading* reading;
  struct task tasks[kMostTasks];
  int task_count;
  uint64_t offset;  // of the line
};

static struct task* find_task(struct steps* steps, const char* name) {
  for (int i = 0; i < steps->task_count; ++i)
    if (strcmp(steps->tasks[i].name, name) == 0) return &steps->tasks[i];
  if (steps->task_count == kMostTasks) return NULL;
  const struct weftscope_reading* r = steps->reading;
  struct task* task = &steps->tasks[steps->task_count++];
  strcpy(task->name, name);
  task->lane = r->add_lane(r->host, name, WEFTSCOPE_NO_LANE, WEFTSCOPE_THREAD);
  task->depth = 0;
  return task;
}

static void read_line(struct steps* steps, const char* line) {
  const struct weftscope_reading* r = steps->reading;
  char name[32], what[8], of[64];
  long long time = 0;
  struct task* task = NULL;
  if (sscanf(line, "%lld %31s %7s %63s", &time, name, what, of) == 4) task = find_task(steps, name);
  if (task != NULL && strcmp(what, "begin") == 0 && task->depth < kMostDepth) {
    task->begins[task->depth] = time;
    task->types[task->depth++] = r->add_type(r->host, WEFTSCOPE_STATE, of, "steps");
  } else if (task != NULL && strcmp(what, "end") == 0 && task->depth > 0) {
    const int64_t begin = task->begins[--task->depth];
    r->state(r->host, task->lane, task->types[task->depth], begin, time - begin,
             WEFTSCOPE_NO_PARAMS);
  } else {
    r->loss(r->host, "line that is not a step", steps->offset);
  }
}

static int sniff(const void* head, size_t size) {
  return size >= 8 && memcmp(head, "STEPS 1\n", 8) == 0 ? 100 : 0;
}

static int read(const struct weftscope_reading* r) {
  static struct steps steps;
  char buffer[4096], line[kMostLine];
  size_t got = 0, length = 0;
  uint64_t at = 0;
  steps.reading = r;
  r->set_time_unit(r->host, WEFTSCOPE_MICROSECONDS);
  while (r->keep_going(r->host) && (got = r->read_bytes(r->host, buffer, sizeof buffer)) > 0) {
    for (size_t i = 0; i < got; ++i, ++at) {
      if (buffer[i] != '\n') {
        if (length + 1 < sizeof line) line[length++] = buffer[i];
        continue;
      }
      line[length] = 0;
      if (steps.offset > 0) read_line(&steps, line);  // the first line says what it is
      steps.offset = at + 1;
      length = 0;
    }
  }
  if (length > 0) r->loss(r->host, "line that is not a step", steps.offset);
  for (int i = 0; i < steps.task_count; ++i)
    while (steps.tasks[i].depth-- > 0) r->loss(r->host, "begin without an end", at);
  return 0;
}

static const struct weftscope_page kPages[] = {
    {"steps", "Steps",
     "SELECT type AS step, count(*) AS count, sum(dur) AS time FROM states "
     "WHERE begin >= :from AND begin < :to GROUP BY type_id ORDER BY time DESC"},
    {NULL, NULL, NULL}};

const struct weftscope_trace_type* weftscope_plugin(void) {
  static const struct weftscope_trace_type kPlugin = {
      .version = WEFTSCOPE_READER_VERSION,
      .revision = 1,
      .id = "steps",
      .name = "Steps of tasks",
      .category = "Examples",
      .extensions = "steps",
      .pages = kPages,
      .panels = "density pages",
      .sniff = sniff,
      .read = read,
  };
  return &kPlugin;
}
