// What all panels share: the open traces, and how everything is looked at.
//
// Read by everyone, changed only by commands (app/session/commands.h), on the frame thread. Plain
// data; it draws nothing and knows no panel. Pixels here are logical: the display scale is applied
// by the workbench.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/job.h"
#include "app/base/json.h"
#include "app/opening/open.h"
#include "app/session/connections.h"
#include "app/session/desk.h"
#include "app/session/dialogs.h"
#include "app/session/key_map.h"
#include "app/session/look.h"
#include "app/session/memory_keeper.h"
#include "app/session/message_classes.h"
#include "app/session/messages.h"
#include "app/session/open_trace.h"
#include "app/session/orders.h"
#include "app/session/questions.h"
#include "app/session/recent.h"
#include "app/session/report.h"
#include "app/view/mouse_mode.h"
#include "app/view/view_history.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/base/time.h"

namespace weft::app {

// The time under the pointer.
struct Hover {
  uint64_t trace_id = 0;  // in whose ticks
  Time time;
  Time edge;          // of what is drawn there; the time where nothing is
  std::string panel;  // one that does not look as all do; else empty
};

// What was done, for people and for replay.
struct JournalEntry {
  std::string command;
  Json args;
  uint32_t gesture = 0;      // its last command stands for all of a name
  uint64_t trace_id = 0;     // that was shown; 0: none
  View view;                 // of it, afterwards
  uint64_t said_before = 0;  // serial of the last message before it
};

// What whoever runs a session lends it. Each may be empty, unless it is said.
struct Host {
  // How files are opened: app/opening/open.h, or a test's own. Never empty
  std::function<std::unique_ptr<Opening>(const std::filesystem::path&, const TypeChoice&)>
      open_file;
  // Its type is known; again once all of it is read.
  std::function<void(const OpenTrace&)> on_opened;
  std::function<void(const OpenTrace&)> on_close;  // before a trace goes
  std::function<void()> wake;  // from any thread: something has come, draw again
  // How much memory one more import or export may take.
  std::function<uint64_t()> import_memory;
  ThreadPool* pool = nullptr;  // for what commands ask; null: they find nothing
  // Where the user's own trace types are kept; made when it is asked for first.
  std::function<Result<std::filesystem::path>()> trace_type_folder;
  std::filesystem::path state_folder;  // markers are kept here; empty: nowhere
};

struct Session {
  Host host;
  std::vector<std::unique_ptr<OpenTrace>> traces;
  size_t current = 0;
  bool couples_traces = false;  // they move and zoom together, on one time line

  Look look;
  Desk desk;
  Dialogs dialogs;
  Messages messages;
  Orders orders;
  Report report;
  Recent recent;
  Connections connections;                 // to other machines
  std::shared_ptr<Questions> questions;    // of connections under way; null: nobody can be asked
  std::vector<JournalEntry> journal;       // oldest first, at most kMostJournal
  std::vector<std::unique_ptr<Job>> jobs;  // under way, and done since the last refresh()
  std::optional<Hover> hover;              // in any panel
  MouseMode mouse_mode = MouseMode::kDrag;
  KeyMap keys;
  std::map<std::string, std::string> kept_filters;  // expressions, by name
  // The user's; never null, and another one after every change.
  MessageClassesPtr message_classes = std::make_shared<const MessageClasses>();
  bool reopens_traces = true;       // at the next start
  uint64_t memory_limit_bytes = 0;  // as the user has set it; 0: none
  MemoryKeeper memory;              // what is made of it, by the workbench

  // Before each frame: takes what workers have found.
  void refresh();
  // When nothing happens for a moment: writes the markers that have changed.
  void save_markers();
  OpenTrace* trace() { return current < traces.size() ? traces[current].get() : nullptr; }
  const OpenTrace* trace() const {
    return current < traces.size() ? traces[current].get() : nullptr;
  }
  OpenTrace* find_trace(uint64_t id);
  OpenTrace* find_trace(
      const std::filesystem::path& path);  // the first of that file, however named
  // Makes that trace the current one, where it is open.
  void select_trace(uint64_t id);
  // With the panels that stay with it; the last of a kind shows the current one.
  void close(const OpenTrace& trace);
  // Another reading of it: its place and its panels are the other's.
  void replace(const OpenTrace& trace, std::unique_ptr<OpenTrace> by);
  // Offers to read files again that have changed since they were read.
  void notice_changed_files();
  // What imports and exports under way may take, in the processes that read them, too.
  uint64_t import_bytes() const;
  // What is under the pointer, in the trace's own ticks; nothing where that is another trace that
  // it shares no time line with.
  std::optional<Time> hover_in(const OpenTrace& trace) const;

  // The last step of the current trace, of those it is coupled with, or of the height of rows;
  // false: there is none.
  bool undo();
  bool redo();
  // The numbers of the steps that they would take; nothing: none.
  std::optional<uint64_t> undo_step() const;
  std::optional<uint64_t> redo_step() const;
  void set_row_height(double px, uint32_t gesture);
  // Where the trace's time is to be cut, in its ticks: what it asks for itself or, on a line with
  // others, the longest that any of these asks for.
  std::optional<Duration> cut_from(const OpenTrace& trace) const;
  void set_cut_from(OpenTrace& trace, std::optional<Duration> least);  // and of its line
  // Says to each trace how far its views go.
  void update_reach();
  // All coupled traces show what this one does.
  void follow(const OpenTrace& leader);
  // Of an archive of several traces, once that is known: puts these in its place. False: it is
  // none.
  bool open_parts(const OpenTrace& archive);

  // What a command has done; those of one gesture and name are one entry.
  void note(const std::string& command, const Json& args, uint32_t gesture, uint64_t said_before);

  static constexpr size_t kMostJournal = 20'000;

 private:
  // The current trace and those that it is coupled with.
  std::vector<const OpenTrace*> moved_together() const;
  // What became of files that were opened: what cannot be opened is said, and gone.
  void take_opened();

  Steps<double> row_height_steps_;
};

// Those that lie beside the trace, else the user's; never null.
const MessageClassesPtr& message_classes_of(const Session& session, const OpenTrace& trace);

}  // namespace weft::app
