// The state that all panels share: the open traces, and how everything is viewed.
//
// Read by everyone, changed only by commands (app/session/commands.h) on the frame thread. Plain
// data; it draws nothing and knows no panel. Pixels here are logical: the workbench applies the
// display scale.
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

// The time under the mouse pointer.
struct Hover {
  uint64_t trace_id = 0;  // the trace, in whose ticks the times are
  Time time;
  Time edge;          // the nearest edge drawn there, or else `time`
  std::string panel;  // a panel with a view of its own; else empty
};

// A file that could not be opened, for what is shown where no trace is.
struct Refused {
  std::filesystem::path path;
  std::string reason;
  bool is_unrecognised = false;
  bool may_get_type = false;  // whether a trace type of one's own could read it
};

// A command that was run, for the journal panel, reports and replay.
struct JournalEntry {
  std::string command;
  Json args;
  uint32_t gesture = 0;      // of its commands of one name, only the last is kept
  uint64_t trace_id = 0;     // the trace that was shown; 0: none
  TraceLook look;            // at that trace, afterwards
  uint64_t said_before = 0;  // serial of the last message before the command
};

// What the owner of a session provides to it. Members may be empty, unless stated otherwise.
struct Host {
  // Opens a file: app/opening/open.h, or a test's substitute. Never empty.
  std::function<std::unique_ptr<Opening>(const std::filesystem::path&, const TypeChoice&)>
      open_file;
  // Called when a trace's type is known, and again once the whole trace has been read.
  std::function<void(const OpenTrace&)> on_opened;
  std::function<void(const OpenTrace&)> on_close;  // called before a trace is closed
  std::function<void()> wake;  // draws another frame; may be called on any thread
  // The memory that one more import or export may take.
  std::function<uint64_t()> import_memory;
  ThreadPool* pool = nullptr;  // for questions of commands; null: these find nothing
  // The folder of the user's own trace types, created at the first call.
  std::function<Result<std::filesystem::path>()> trace_type_folder;
  std::filesystem::path state_folder;  // for markers; empty: they are not kept
};

struct Session {
  Host host;
  std::vector<std::unique_ptr<OpenTrace>> traces;
  size_t current = 0;
  bool couples_traces = false;  // traces move and zoom together on one time line

  Look look;
  Desk desk;
  Dialogs dialogs;
  Messages messages;
  Orders orders;
  Report report;
  Recent recent;
  std::optional<Refused> refused;          // the last one, if no other trace is open
  Connections connections;                 // to other machines
  std::shared_ptr<Questions> questions;    // of connections under way; null: nobody to ask
  std::vector<JournalEntry> journal;       // oldest first, at most kMostJournal
  std::vector<std::unique_ptr<Job>> jobs;  // running, or done since the last refresh()
  std::optional<Hover> hover;              // in whichever panel
  MouseMode mouse_mode = MouseMode::kDrag;
  KeyMap keys;
  std::map<std::string, std::string> kept_filters;  // expressions, by name
  // The user's classes; never null, replaced with every change.
  MessageClassesPtr message_classes = std::make_shared<const MessageClasses>();
  bool reopens_traces = true;       // at the next start
  uint64_t memory_limit_bytes = 0;  // as set by the user; 0: none
  MemoryKeeper memory;              // driven by the workbench

  // Call before each frame: takes what workers have found.
  void refresh();
  // Call after a moment without commands: writes markers that have changed.
  void save_markers();
  OpenTrace* trace() { return current < traces.size() ? traces[current].get() : nullptr; }
  const OpenTrace* trace() const {
    return current < traces.size() ? traces[current].get() : nullptr;
  }
  OpenTrace* find_trace(uint64_t id);
  OpenTrace* find_trace(
      const std::filesystem::path& path);  // the first with that file, however it is named
  // The open trace that opening this file in this way would only repeat; null: there is none. A
  // file that has changed and a pipe that has ended would give another trace.
  OpenTrace* find_open(const std::filesystem::path& path, const TypeChoice& type);
  // Makes that trace the current one, if it is open.
  void select_trace(uint64_t id);
  // Makes it the current one, and gives the focus to a panel that stays with it, if there is one.
  void show_trace(const OpenTrace& trace);
  // Closes the trace and the panels that stay with it; the last panel of a kind shows the current
  // trace instead.
  void close(const OpenTrace& trace);
  // Replaces the trace by another reading of the same file, which takes over its place and its
  // panels.
  void replace(const OpenTrace& trace, std::unique_ptr<OpenTrace> by);
  // Offers to reload files that have changed since they were read.
  void notice_changed_files();
  // The memory that imports and exports under way may take, including the reader processes.
  uint64_t import_bytes() const;
  // The time under the pointer in `trace`'s own ticks; nullopt if the pointer is over another trace
  // with which it shares no time line.
  std::optional<Time> hover_in(const OpenTrace& trace) const;

  // Undoes the last step of the current trace, of the traces coupled with it, or of the row height;
  // false: there is none.
  bool undo();
  bool redo();
  // The numbers of the steps that undo() and redo() would take; nullopt: none.
  std::optional<uint64_t> undo_step() const;
  std::optional<uint64_t> redo_step() const;
  void set_row_height(double px, uint32_t gesture);
  // The shortest empty stretch to cut out of the trace, in its ticks: its own setting or, on a
  // shared time line, the longest of all settings there. nullopt: nothing is cut.
  std::optional<Duration> cut_from(const OpenTrace& trace) const;
  // What is not cut out with it: what passes the expression that was set with it or, if there is
  // none, what passes the filter of the view, if that hides the rest. Empty: every event.
  std::string cut_where(const OpenTrace& trace) const;
  // And for its line.
  void set_cut(OpenTrace& trace, std::optional<CutRule> rule, uint64_t step);
  // Tells each trace how far its views may reach.
  void update_reach();
  // Makes all traces coupled with `leader` show the same range.
  void follow(const OpenTrace& leader);
  // Replaces an archive of several traces by these, once they are known; false if it is not one.
  bool open_parts(const OpenTrace& archive);

  // Adds a command to the journal; those of one gesture and name form one entry.
  void note(const std::string& command, const Json& args, uint32_t gesture, uint64_t said_before);

  static constexpr size_t kMostJournal = 20'000;

 private:
  // The current trace and those coupled with it.
  std::vector<const OpenTrace*> moved_together() const;
  // Handles files that have finished opening: failures are reported and removed.
  void take_opened();
  // Says what became of the jobs that are done, and removes them.
  void take_done_jobs();

  Steps<double> row_height_steps_;
};

// The classes beside the trace or, if there are none, the user's; never null.
const MessageClassesPtr& message_classes_of(const Session& session, const OpenTrace& trace);

}  // namespace weft::app
