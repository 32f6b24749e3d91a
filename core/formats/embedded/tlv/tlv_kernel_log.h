// Converts the logs of TOPPERS kernels (ASP, FMP, HRP, ATK2) into the terms of a standard log, by
// TLV's own conversion rules.
//
//   [1926099] dispatch to task 1.                time, in microseconds unless stated otherwise
//   [622850]:[1]: task 5 becomes WAITING.        on multiprocessors: the processor
//   [1946926] enter to act_tsk tskid=2.
//   [2136637] leave from int handler 5.
//   [1950218] task1 is running (001).   |        output of the program itself
//
// Tasks and handlers are those of the resource file with that number; others are named as in the
// log. Beyond TLV's rules, an interrupted context becomes current again when the handler is left,
// the program's own output is kept, and so is the exit of the dispatcher.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/large_list.h"
#include "core/base/text_numbers.h"
#include "core/formats/embedded/tlv/by_two.h"
#include "core/formats/embedded/tlv/tlv_resources.h"

namespace weft::formats::tlv {

struct KernelLine {
  std::string_view time;       // decimal, perhaps with a sign
  std::string_view processor;  // empty: single processor
  std::string_view text;
};

// Returns false if it is no such line, or one of a record that the kernel itself could not format.
bool parse_kernel_line(std::string_view text, KernelLine& out);

// Whether the first lines are those of such a log: several in the kernel's own words.
bool is_kernel_log(std::string_view head);

// An event of a line. Views are valid as long as the KernelLog.
struct KernelEvent {
  std::string_view resource;
  std::string_view type;  // the resource's type
  std::string_view name;  // attribute or behaviour
  std::string value;      // the attribute's value or the behaviour's arguments
  bool is_behavior = false;
  bool is_text = false;  // the arguments are one text
};

class KernelLog {
 public:
  explicit KernelLog(const Resources& known);

  // Returns the events of the next line, in order, valid until the next call.
  const std::vector<KernelEvent>& events_of(const KernelLine& line);

 private:
  // There may be millions: all texts are those of texts_.
  struct Object {
    std::string_view name;
    std::string_view type;
    std::string_view id;
    std::string_view processor;  // empty: unknown
    std::string_view state;
    Object* next = nullptr;  // of its type and id
    bool is_declared = false;
    size_t number = 0;  // in order of appearance
  };
  struct Same {  // of one type, with one id
    Object* first = nullptr;
    Object* last = nullptr;
  };
  struct Processor {
    std::string context;  // the resource that shows what runs
    std::string log;      // the resource that has the program's output
    Object* task = nullptr;
    std::vector<Object*> handlers;  // interrupting handlers, innermost last
  };

  bool add_dispatch(std::string_view text);
  bool add_task(std::string_view text);
  bool add_migration(std::string_view text);
  bool add_call(std::string_view text);
  bool add_application_log(std::string_view text);
  void become(Object& task, std::string_view state);
  void migrate(Object& from, std::string_view id, std::string_view to);
  void enter(Object& handler);
  void leave(Object& handler);
  void say_context();

  Object& task_of(std::string_view id) { return object_of("Task", "task", id, processor_id_); }
  Object& object_of(std::string_view type, std::string_view word, std::string_view id,
                    std::string_view processor);
  void behave(const Object& object, std::string_view name, std::string arguments = {});
  void set(Object& object, std::string_view name, std::string_view value);

  Object& add(const Object& object);
  // Texts that stay.
  std::string_view kept(std::string_view text) { return texts_.text(texts_.add(text).first); }
  // Those of the type with this id, numbers as decimal ones; kAnyId: declared without one.
  Same& same(std::string_view type, std::string_view id);

  static constexpr std::string_view kAnyId = "*";

  TextNumbers texts_;
  LargeList<Object> objects_;
  ByTwo same_of_;  // by the numbers of type and id
  LargeList<Same> same_;
  std::map<size_t, Object*> running_;  // tasks, by number
  std::map<std::string, Processor, std::less<>> processors_;
  std::vector<KernelEvent> events_;
  std::string_view ready_ = "RUNNABLE";  // the kernel's word for a runnable task
  std::string_view processor_id_;        // of the current line
  Processor* processor_ = nullptr;
};

}  // namespace weft::formats::tlv
