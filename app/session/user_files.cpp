#include "app/session/user_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "app/base/json_merge.h"
#include "app/base/text_file.h"
#include "app/session/settings.h"
#include "app/session/view_state.h"
#include "capture/host/ssh_address.h"
#include "core/base/text.h"
#include "core/formats/user_formats.h"
#include "core/io/source.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

constexpr auto kPause = std::chrono::seconds(2);  // between a change and its being written
constexpr size_t kMostBytes = 8 << 20;            // of a file that is read
constexpr size_t kMostViewStates = 200;

constexpr const char* kSessionFile = "session.json";
constexpr std::string_view kSessionHolds =
    "the layout, open traces, recent files, kept filters, and how each trace was looked at";
constexpr int kSessionVersion = 1;

Json json_from_layouts(const Session& session) {
  Json layouts = Json::object();
  for (const auto& [name, layout] : session.desk.saved_layouts) layouts[name] = layout.to_json();
  return layouts;
}

// A file of one thing, and the command that its content becomes.
struct UserFile {
  const char* name;
  std::string_view holds;
  Json (*content)(const Session& session);
  std::string_view command;
  const char* argument = nullptr;  // that the content is; null: it is all the arguments
  const char* value = nullptr;     // if set: a command for each member, whose name is `argument`
};
constexpr UserFile kFiles[] = {
    {"settings.json", "these settings", json_from_settings, "set", "name", "value"},
    {"keys.json", "the keys that you have changed",
     [](const Session& session) { return session.keys.to_json(); }, "keys.use", "keys"},
    {"colors.json", "the colours that you gave to types",
     [](const Session& session) { return json_from_colors(*session.look.type_colors); },
     "colors.use", "colors"},
    {"lane-colors.json", "the colours that you gave to lanes",
     [](const Session& session) { return json_from_colors(*session.look.lane_colors); },
     "colors.use", "lanes"},
    {"message-classes.json", "your classes of messages",
     [](const Session& session) { return json_from_message_classes(*session.message_classes); },
     "classes.use"},
    {"connections.json", "the traces on other machines that were opened, without secrets",
     [](const Session& session) { return json_from_connections(session.connections); },
     "connections.use"},
    {"layouts.json", "the layouts that you kept by name", json_from_layouts, "layout.save", "name",
     "layout"}};

void add_commands(const UserFile& file, const Json& content, std::vector<Command>& commands) {
  const std::string command(file.command);
  if (!file.argument) {
    commands.push_back({command, content});
  } else if (!file.value) {
    commands.push_back({command, {{file.argument, content}}});
  } else {
    for (const auto& [name, value] : content.items())
      commands.push_back({command, {{file.argument, name}, {file.value, value}}});
  }
}

// The file that such a command of `load` came from; null: none. Of session.json the layout alone is
// complained of: that a trace is gone is not a fault of it.
const char* source_of(const Command& command) {
  if (command.name == "layout.load" || command.name == "layout.restore") return kSessionFile;
  const auto file = std::ranges::find_if(kFiles, [&](const UserFile& each) {
    return each.command == command.name && (!each.argument || command.args.contains(each.argument));
  });
  return file == std::end(kFiles) ? nullptr : file->name;
}

// A link, as those who keep such files in another folder make it, stays: what it leads to is
// written.
Status write_json(const fs::path& path, const Json& json) {
  std::error_code error;
  const fs::path file = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  return write_text(json_file_text(json), file.empty() ? path : file);
}

// Discarded where the file cannot be read or is not JSON.
Json json_in(const fs::path& path) {
  return read_json(path, kMostBytes).value_or(Json(Json::value_t::discarded));
}

bool is_kept(const OpenTrace& trace) { return trace.path() != "-" && !trace.has_failed(); }

// The arguments of the command "open": the path alone if nothing else was requested.
Json json_from_open(const OpenTrace& trace) {
  std::string path = trace.known_as().string();
  if (!trace.opening() || trace.opening()->type() == TypeChoice()) return path;
  return open_command(path, trace.opening()->type()).args;
}

// Which panels stay with which of the traces, or with a view of it: {"gantt": {"trace": "/a.weft"},
// "flame": {"trace": …, "view": …}, …}.
Json json_from_pinned_panels(const Session& session) {
  Json panels = Json::object();
  for (const PanelInstance& panel : session.desk.layout.panels()) {
    if (!panel.pinned) continue;
    for (const auto& trace : session.traces) {
      if (trace->id() != panel.pinned->trace_id || !is_kept(*trace)) continue;
      Json& json = panels[panel.id] = {{"trace", trace->known_as().string()}};
      if (panel.pinned->history) json["view"] = json_from_own_view(*panel.pinned->history);
    }
  }
  return panels;
}

struct LastFiles {
  std::vector<Json> there;        // the arguments of `open` for each
  std::vector<std::string> gone;  // files that are not there any more
};

// What was open last. Traces on other machines are not opened again.
LastFiles last_files(const Json& last) {
  LastFiles files;
  const auto open = last.find("open");
  if (open == last.end() || !open->is_array()) return files;
  for (const Json& each : *open) {
    Json args = each.is_string() ? Json{{"path", each}} : each;
    const auto path = args.is_object() ? args.find("path") : args.end();
    if (!args.is_object() || path == args.end() || !path->is_string()) continue;
    const auto file = path->get<std::string>();
    if (capture::is_ssh_address(file)) continue;
    std::error_code error;
    if (!fs::exists(io::file_on(file), error)) {
      files.gone.push_back(file);
    } else if (std::ranges::find(files.there, args) == files.there.end()) {
      files.there.push_back(std::move(args));
    }
  }
  return files;
}

// In one message, however many there are.
void say_gone(const std::vector<std::string>& files, Session& session) {
  constexpr size_t kMostNamed = 5;
  if (files.empty()) return;
  std::string names;
  for (size_t i = 0; i < std::min(files.size(), kMostNamed); ++i)
    names += (i == 0 ? "" : ", ") + printable(files[i]);
  if (files.size() > kMostNamed) names += fmt::format(" and {} more", files.size() - kMostNamed);
  session.messages.say(names + (files.size() == 1 ? " was open last and is not there any more"
                                                  : " were open last and are not there any more"),
                       /*is_error=*/true);
}

// The paths of the kept views as the file orders them, oldest first; before them those that it does
// not know of.
std::vector<std::string> in_order(const std::map<std::string, Json>& views, const Json& last) {
  std::vector<std::string> order, known;
  const auto by_age = last.find("views_by_age");
  if (by_age != last.end() && by_age->is_array()) {
    for (const Json& path : *by_age) {
      if (path.is_string() && views.contains(path.get<std::string>()))
        known.push_back(path.get<std::string>());
    }
  }
  const std::set<std::string> named(known.begin(), known.end());
  if (named.size() < known.size()) known.assign(named.begin(), named.end());  // not ours
  for (const auto& [path, state] : views) {
    if (!named.contains(path)) order.push_back(path);
  }
  order.insert(order.end(), known.begin(), known.end());
  return order;
}

// The index of the file to whose trace a panel is pinned.
std::optional<size_t> file_of(const Json& pinned, const std::vector<Json>& opened) {
  const Json trace = pinned.is_object() ? pinned.value("trace", Json()) : Json();
  const auto at =
      std::ranges::find_if(opened, [&](const Json& args) { return args["path"] == trace; });
  if (at == opened.end()) return std::nullopt;
  return static_cast<size_t>(at - opened.begin());
}

const Json& pinned_panels(const Json& last) {
  static const Json none = Json::object();
  const auto panels = last.find("pinned");
  return panels != last.end() && panels->is_object() ? *panels : none;
}

// A panel that stayed with a trace goes where that is not opened again, but for the last of a kind.
Json without_panels_of_others(const Json& layout, const Json& last,
                              const std::vector<Json>& opened) {
  auto kept = PanelLayout::from_json(layout);
  if (!kept) return layout;  // the command says what is wrong
  bool is_whole = true;
  for (const auto& [id, pinned] : pinned_panels(last).items()) {
    const PanelInstance* panel = kept->find(id);
    const bool stays_with_trace = pinned.is_object() && !pinned.contains("view");
    if (panel && stays_with_trace && !file_of(pinned, opened) && kept->count_of(panel->kind) > 1)
      is_whole &= !kept->close(id);
  }
  return is_whole ? layout : kept->to_json();
}

// How the traces that were opened again are arranged.
void add_arrangement(const Json& last, const std::vector<Json>& opened,
                     std::vector<Command>& commands) {
  if (opened.empty()) return;
  for (const auto& [panel, json] : pinned_panels(last).items()) {
    const auto at = file_of(json, opened);
    if (!at) continue;
    Json args = {{"panel", panel}, {"pinned", true}, {"index", *at}};
    args["to"] = json.contains("view") ? "view" : "trace";
    if (json.contains("view")) args["view"] = json["view"];
    commands.push_back({"panel.pin", std::move(args)});
  }
  if (const auto coupled = last.find("coupled"); coupled != last.end() && *coupled == true) {
    commands.push_back({"trace.couple", {{"on", true}}});
  }
  const auto shown = last.find("shown");
  if (const auto at = file_of({{"trace", shown != last.end() ? *shown : Json()}}, opened);
      at && opened.size() > 1)
    commands.push_back({"trace.select", {{"index", *at}}});
}

}  // namespace

fs::path UserFiles::path_of(const std::string& name) const {
  const fs::path& folder = name == kSessionFile ? state_folder_ : config_folder_;
  return folder.empty() ? fs::path() : folder / name;
}

std::vector<std::pair<fs::path, std::string_view>> UserFiles::places() const {
  std::vector<std::pair<fs::path, std::string_view>> places;
  const auto add = [&](const char* name, std::string_view holds) {
    if (fs::path path = path_of(name); !path.empty()) places.emplace_back(std::move(path), holds);
  };
  for (const UserFile& file : kFiles) add(file.name, file.holds);
  add(kSessionFile, kSessionHolds);
  if (!config_folder_.empty())
    places.emplace_back(formats::user_format_folder(config_folder_), "your own types of traces");
  return places;
}

Json UserFiles::read(Session& session, const std::string& name) {
  const fs::path path = path_of(name);
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return nullptr;
  Json json = json_in(path);
  const bool is_of_later =
      name == kSessionFile && json.is_object() && json.value("version", Json()) > kSessionVersion;
  if (json.is_object() && !is_of_later) {
    kept_[name] = json;
    return json;
  }
  session.messages.say(
      fmt::format("{} is {} and {}", path.string(),
                  is_of_later ? "of a newer version of this program" : "no JSON", set_aside(path)),
      /*is_error=*/true);
  return nullptr;
}

std::vector<Command> UserFiles::load(Session& session, bool opens_last) {
  if (config_folder_.empty()) return {};
  for (const Error& error : formats::add_formats_in(formats::user_format_folder(config_folder_)))
    session.messages.say(error.message, /*is_error=*/true);
  std::vector<Command> commands;
  defaults_ = contents(session);
  for (const UserFile& file : kFiles) {
    if (const Json content = read(session, file.name); content.is_object())
      add_commands(file, content, commands);
  }
  const bool reopens = std::ranges::none_of(commands, [](const Command& command) {
    return command.name == "set" && command.args == Json{{"name", "reopen"}, {"value", false}};
  });
  add_last_session(session, read(session, kSessionFile), opens_last && reopens, commands);
  return commands;
}

void UserFiles::add_last_session(Session& session, const Json& last, bool opens_last,
                                 std::vector<Command>& commands) {
  const auto [opened, gone] = opens_last ? last_files(last) : LastFiles();
  say_gone(gone, session);
  if (const auto groups = last.find("groups"); groups != last.end() && groups->is_object()) {
    for (const auto& [name, group] : groups->items()) {
      commands.push_back({"group.restore", {{"name", name}, {"group", group}}});
    }
  }
  if (const auto own = last.find("own_layouts"); own != last.end() && own->is_object()) {
    for (const auto& [kinds, layout] : own->items())
      commands.push_back({"layout.restore", {{"of", kinds}, {"layout", layout}}});
  }
  if (const auto present = last.find("layout"); present != last.end()) {
    commands.push_back(
        {"layout.load", {{"layout", without_panels_of_others(*present, last, opened)}}});
  }
  if (const auto recent = last.find("recent"); recent != last.end() && recent->is_array()) {
    for (auto path = recent->rbegin(); path != recent->rend(); ++path) {
      if (path->is_string()) session.recent.add_file(path->get<std::string>());
    }
  }
  if (const auto kept = last.find("kept_filters"); kept != last.end() && kept->is_object()) {
    for (const auto& [name, text] : kept->items()) {
      commands.push_back({"filter.keep", {{"name", name}, {"text", text}}});
    }
  }
  if (const auto filters = last.find("filters"); filters != last.end() && filters->is_array()) {
    for (auto text = filters->rbegin(); text != filters->rend(); ++text) {
      if (text->is_string()) session.recent.add_filter(text->get<std::string>());
    }
  }
  if (const auto views = last.find("views"); views != last.end() && views->is_object()) {
    for (const auto& [path, state] : views->items()) view_states_[path] = state;
  }
  view_order_ = in_order(view_states_, last);
  for (const Json& args : opened) commands.push_back({"open", args});
  add_arrangement(last, opened, commands);
}

void UserFiles::set_aside_source_of(const Command& command, Session& session) {
  const char* const name = source_of(command);
  if (!name || kept_.erase(name) == 0) return;
  const fs::path path = path_of(name);
  session.messages.say(
      fmt::format("{} {}: not all of it is understood", path.string(), set_aside(path)),
      /*is_error=*/true);
  note_change(Clock::now());
}

Json UserFiles::view_state_of(const fs::path& trace) const {
  const auto it = view_states_.find(absolute_path(trace).string());
  return it == view_states_.end() ? Json() : it->second;
}

// How it is looked at now, with what only a later version of the program knows of it.
Json UserFiles::state_of(const OpenTrace& trace) const {
  Json state = json_from_view_state(trace);
  if (const auto before = view_states_.find(trace.known_as().string());
      before != view_states_.end())
    keep_unknown(before->second, state);
  return state;
}

Json UserFiles::session_content(const Session& session) const {
  Json groups = Json::object();
  for (const auto& [name, group] : session.desk.groups) groups[name] = json_from_group(group);
  Json recent = Json::array();
  for (const fs::path& path : session.recent.files) recent.push_back(path.string());
  Json open = Json::array();
  Json views = Json::object();
  for (const auto& [path, state] : view_states_) views[path] = state;
  std::vector<std::string> order = view_order_;
  for (const auto& trace : session.traces) {
    if (!is_kept(*trace)) continue;
    open.push_back(json_from_open(*trace));
    if (trace->trace() && !trace->is_loading()) {
      const std::string path = trace->known_as().string();
      views[path] = state_of(*trace);
      std::erase(order, path);
      order.push_back(path);
    }
  }
  Json last = {{"version", kSessionVersion},
               {"recent", std::move(recent)},
               {"filters", session.recent.filters},
               {"kept_filters", session.kept_filters},
               {"open", std::move(open)},
               {"views", std::move(views)},
               {"views_by_age", std::move(order)},
               {"groups", std::move(groups)},
               {"pinned", json_from_pinned_panels(session)},
               {"coupled", session.couples_traces}};
  const OpenTrace* shown = session.trace();
  if (shown && is_kept(*shown)) last["shown"] = shown->known_as().string();
  // Panels that stay with traces are the same for traces of all kinds.
  if (!session.desk.has_linked_panels_only()) last["layout"] = session.desk.layout.to_json();
  Json own_layouts = Json::object();
  for (const auto& [kinds, layout] : session.desk.all_own_layouts())
    own_layouts[kinds] = layout.to_json();
  last["own_layouts"] = std::move(own_layouts);
  if (const auto kept = kept_.find(kSessionFile); kept != kept_.end()) {
    for (const auto& [key, value] : kept->second.items()) {  // of a later version of the program
      if (key != "layout" && key != "shown" && !last.contains(key)) last[key] = value;
    }
  }
  return last;
}

std::map<std::string, Json> UserFiles::contents(const Session& session) const {
  std::map<std::string, Json> contents = {{kSessionFile, session_content(session)}};
  for (const UserFile& file : kFiles) contents[file.name] = file.content(session);
  return contents;
}

void UserFiles::remember(const OpenTrace& trace) {
  if (!is_kept(trace) || !trace.trace() || trace.is_loading()) return;
  Json state = state_of(trace);
  const std::string path = trace.known_as().string();
  view_states_[path] = std::move(state);
  std::erase(view_order_, path);
  view_order_.push_back(path);
  if (view_order_.size() <= kMostViewStates) return;
  view_states_.erase(view_order_.front());
  view_order_.erase(view_order_.begin());
}

void UserFiles::note_change(Clock::time_point now) {
  if (!is_dirty_) due_ = now + kPause;
  is_dirty_ = !config_folder_.empty();
}

void UserFiles::save(Session& session) {
  is_dirty_ = false;
  if (config_folder_.empty()) return;
  std::error_code error;
  fs::create_directories(config_folder_, error);
  if (!state_folder_.empty()) fs::create_directories(state_folder_, error);
  for (auto& [name, json] : contents(session)) {
    const fs::path path = path_of(name);
    if (path.empty()) continue;
    const auto kept = kept_.find(name);
    if (kept != kept_.end() && kept->second == json) continue;
    // A file whose content was never changed by the user need not exist.
    if (kept == kept_.end() && json.empty()) continue;
    // Another window may have written it meanwhile: what was changed there holds, too.
    Json both = json_in(path);
    const Json& base = kept != kept_.end() ? kept->second : defaults_[name];
    both = both.is_object() ? merged(base, json, both) : json;
    if (Status status = write_json(path, both); !status) {
      if (!std::exchange(has_failed_, true)) session.messages.say(status.error().message, true);
      continue;
    }
    kept_[name] = std::move(json);
  }
}

}  // namespace weft::app
