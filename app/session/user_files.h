// The user's own files between two runs: settings.json, keys.json, colors.json,
// lane-colors.json, message-classes.json, connections.json and layouts.json (those kept by name) in
// the configuration folder; session.json (the present layout, recent files, open traces, how each
// was looked at) in the state folder.
//
// They are read once at the start and become commands, so that a journal says how a session began;
// they are written a moment after something changed and at the end, each whole or not at all
// (io::OutputFile). A file that cannot be understood, or not all of it, is renamed to NAME.broken
// and told about; what could be understood holds, and is written anew. So is a session.json of a
// later version, of which nothing is taken. Without a configuration folder nothing is read or
// written. Used by the frame thread only; writing a few small files takes about a
// millisecond.
//
// The trace types that the user defined (trace-types/*.json) are read with them. They are written
// by hand, too: one that cannot be understood is told about and left as it is.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/commands.h"
#include "app/session/session.h"

namespace weft::app {

class UserFiles {
 public:
  using Clock = std::chrono::steady_clock;

  // An empty folder keeps nothing.
  explicit UserFiles(std::filesystem::path config_folder = {},
                     std::filesystem::path state_folder = {})
      : config_folder_(std::move(config_folder)), state_folder_(std::move(state_folder)) {}

  // What the files say, as commands to run; `opens_last`: with those that open the last traces.
  // Also sets what no command does (recent files). Complaints are said to the session.
  std::vector<Command> load(Session& session, bool opens_last);
  // After such a command has complained: the file that it came from is set aside. Of session.json
  // what is not there any more is left out.
  void set_aside_source_of(const Command& command, Session& session);
  // Before a trace is closed: how it was looked at.
  void remember(const OpenTrace& trace);
  // How the trace of this file was looked at last; null: it is not known.
  Json view_state_of(const std::filesystem::path& trace) const;

  // After commands were run: something may have changed.
  void note_change(Clock::time_point now);
  bool is_due(Clock::time_point now) const { return is_dirty_ && now >= due_; }
  bool is_dirty() const { return is_dirty_; }
  // Where they lie, and what each holds; none without a configuration folder.
  std::vector<std::pair<std::filesystem::path, std::string_view>> places() const;
  // Writes what differs from what the files hold; an error is said to the session, once.
  void save(Session& session);

 private:
  std::filesystem::path path_of(const std::string& name) const;  // empty: it is not kept
  Json read(Session& session, const std::string& name);
  Json state_of(const OpenTrace& trace) const;
  std::map<std::string, Json> contents(const Session& session) const;

  std::filesystem::path config_folder_, state_folder_;
  std::map<std::string, Json> kept_;  // by name of file: as on disk
  std::map<std::string, Json>
      view_states_;  // by path, of traces that were open, in this run or before
  bool is_dirty_ = false;
  bool has_failed_ = false;
  Clock::time_point due_;
};

}  // namespace weft::app
