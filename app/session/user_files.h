// The user's own files, kept between runs: settings.json, keys.json, colors.json, lane-colors.json,
// message-classes.json, connections.json and layouts.json (layouts kept by name) in the
// configuration folder; session.json (the present layout, recent files, open traces, the view of
// each) in the state folder.
//
// They are read once at the start and become commands, so that a journal says how a session began;
// they are written a moment after a change and at the end, each whole or not at all
// (io::OutputFile). A file that cannot be understood, wholly or in part, is renamed to NAME.broken
// and reported; the part that could be understood is used, and written anew. A session.json of a
// later version is renamed, too, and nothing of it is used. Without a configuration folder, nothing
// is read or written. Used on the frame thread only; writing these small files takes about a
// millisecond.
//
// The user's trace types (trace-types/*.json) are read with them. Since people write these by hand,
// one that cannot be understood is reported and left as it is.
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

  // With an empty folder, nothing is kept.
  UserFiles(std::filesystem::path config_folder, std::filesystem::path state_folder)
      : config_folder_(std::move(config_folder)), state_folder_(std::move(state_folder)) {}

  // The content of the files as commands to run; `opens_last`: including those that reopen the last
  // traces. Also sets state for which there is no command (recent files). Complaints become
  // messages of the session.
  std::vector<Command> load(Session& session, bool opens_last);
  // Call after such a command has complained: sets aside the file that it came from. If that was
  // session.json, what no longer exists is left out.
  void set_aside_source_of(const Command& command, Session& session);
  // Call before a trace is closed: remembers its view.
  void remember(const OpenTrace& trace);
  // The view state in which the trace of this file was left; null: unknown.
  Json view_state_of(const std::filesystem::path& trace) const;

  // Call after commands were run: something may have changed.
  void note_change(Clock::time_point now);
  bool is_due(Clock::time_point now) const { return is_dirty_ && now >= due_; }
  bool is_dirty() const { return is_dirty_; }
  // The files' paths, and what each holds; none without a configuration folder.
  std::vector<std::pair<std::filesystem::path, std::string_view>> places() const;
  // Writes the files whose content has changed; an error is reported to the session, once.
  void save(Session& session);

 private:
  std::filesystem::path path_of(const std::string& name) const;  // empty: the file is not kept
  Json read(Session& session, const std::string& name);
  Json state_of(const OpenTrace& trace) const;
  // What session.json says: as commands, and of the session now.
  void add_last_session(Session& session, const Json& last, bool opens_last,
                        std::vector<Command>& commands);
  Json session_content(const Session& session) const;
  std::map<std::string, Json> contents(const Session& session) const;

  std::filesystem::path config_folder_, state_folder_;
  std::map<std::string, Json> kept_;         // by file name: the content last read or written
  std::map<std::string, Json> defaults_;     // the same before anything was read
  std::map<std::string, Json> view_states_;  // by path of traces opened in this run or before
  std::vector<std::string> view_order_;      // their paths, the one left longest ago first
  bool is_dirty_ = false;
  bool has_failed_ = false;
  Clock::time_point due_;
};

}  // namespace weft::app
