// What a kernel of the TOPPERS project (ASP, FMP, HRP, ATK2) logs, in the words of a standard log:
// the conversion that TLV has rules for.
//
//   [1926099] dispatch to task 1.               the time, in microseconds where nothing else is
//   said [622850]:[1]: task 5 becomes WAITING.       of several processors: which one [1946926]
//   enter to act_tsk tskid=2. [2136637] leave from int handler 5. [1950218] task1 is running (001).
//   |       what the program itself logs
//
// Tasks and handlers are those of the resource file that have the number; others are called by what
// the log says of them. Beyond TLV's rules, a context that was interrupted is the current one again
// when the handler is left, what the program logs is kept, and so is the exit of the dispatcher.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/embedded/tlv/tlv_resources.h"

namespace weft::formats::tlv {

struct KernelLine {
  std::string_view time;       // decimal, perhaps with a sign
  std::string_view processor;  // empty: the log is of one
  std::string_view text;
};

// False where it is no such line, or one of a record that the kernel itself did not understand.
bool parse_kernel_line(std::string_view text, KernelLine& out);

// Whether the first lines are those of such a log: several in the kernel's own words.
bool is_kernel_log(std::string_view head);

// What a line comes to, in order. Views are valid as long as the KernelLog.
struct KernelEvent {
  std::string_view resource;
  std::string_view type;  // of the resource
  std::string_view name;  // of the attribute or behaviour
  std::string value;      // of the attribute, or the behaviour's arguments
  bool is_behavior = false;
  bool is_text = false;  // the arguments are one text
};

class KernelLog {
 public:
  explicit KernelLog(const Resources& known);

  // The events of the next line, valid until the one after it.
  const std::vector<KernelEvent>& events_of(const KernelLine& line);

 private:
  struct Object {
    std::string name;
    std::string type;
    std::string id;
    std::string processor;  // empty: none is known
    std::string state;
    bool is_declared = false;
    size_t number = 0;  // in the order in which they came
  };
  struct ObjectsOfType {
    std::deque<Object> all;
    std::map<std::string, std::vector<Object*>> by_id;  // numbers as decimal ones
    std::vector<Object*> of_any_id;                     // declared without one
  };
  struct Processor {
    std::string context;  // the name of the resource that says what runs
    std::string log;      // of that which has what the program logs
    Object* task = nullptr;
    std::vector<Object*> handlers;  // that interrupted it, the innermost last
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

  Object& add(Object object);

  std::map<std::string, ObjectsOfType, std::less<>> objects_;  // by type
  std::map<size_t, Object*> running_;                          // tasks, by number
  size_t count_ = 0;                                           // of objects
  std::map<std::string, Processor, std::less<>> processors_;
  std::vector<KernelEvent> events_;
  std::string_view ready_ = "RUNNABLE";  // what the kernel calls a task that could run
  std::string_view processor_id_;        // of the line
  Processor* processor_ = nullptr;
};

}  // namespace weft::formats::tlv
