// Commands on files: open, close, picture, quit.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/files_beside.h"
#include "app/session/panel_kinds.h"
#include "app/session/view_state.h"
#include "capture/host/ssh_address.h"
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/io/source.h"

namespace weft::app {
namespace {

// "traces/", "." and ".." are folders that have a name.
std::filesystem::path with_name(const std::filesystem::path& path) {
  const std::filesystem::path name = path.filename();
  return name.empty() || name == "." || name == ".." ? absolute_path(path) : path;
}

Status open(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string path, text_arg(command.args, "path"));
  TypeChoice type;
  WEFT_TRY_ASSIGN(type.format, text_arg(command.args, "format", ""));
  WEFT_TRY_ASSIGN(const Json options, object_arg(command.args, "options"));
  for (const auto& [name, value] : options.items()) {
    if (!value.is_string()) return fail(fmt::format("option '{}' must be a text", printable(name)));
    type.options[name] = value.get<std::string>();
  }
  WEFT_TRY(take_way(command.args, type));
  if (capture::is_ssh_address(path)) {
    const auto address = capture::parse_ssh_address(path);
    if (!address) return fail(Error(address.error()).context(printable(path)));
  }
  if (!session.host.open_file) return fail("files cannot be opened here");
  const std::filesystem::path file = with_name(path);
  if (const OpenTrace* trace = session.find_open(file, type)) {
    session.show_trace(*trace);
    session.messages.say(printable(trace->name()) + " is open already", /*is_error=*/false,
                         Offer{"Read it again", "reload", {{"index", session.current}}});
    return {};
  }
  session.traces.push_back(std::make_unique<OpenTrace>(session.host.open_file(file, type)));
  session.current = session.traces.size() - 1;
  return {};
}

Status close(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, trace_arg(session, command.args));
  if (session.host.on_close) session.host.on_close(*trace);
  session.close(*trace);
  return {};
}

// In its place, as it was looked at, from the file as it is now.
Status reload(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, trace_arg(session, command.args));
  const std::filesystem::path& path = trace->path();
  if (path == "-") return fail("standard input cannot be read again");
  std::error_code ignored;
  const bool is_far = capture::is_ssh_address(path.native());
  if (!is_far && !std::filesystem::exists(io::file_on(path), ignored))
    return fail(fmt::format("{} is not there any more", printable(path.string())));
  if (!session.host.open_file) return fail("files cannot be opened here");
  if (session.host.on_close) session.host.on_close(*trace);
  session.replace(*trace, std::make_unique<OpenTrace>(session.host.open_file(path, trace->type())));
  return {};
}

// How it was looked at when it was last open.
Status restore(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, trace_arg(session, command.args));
  const auto state = command.args.find("state");
  if (state == command.args.end()) return fail("'state' is missing");
  apply_view_state(*trace, *state);
  if (auto symbols = symbol_paths_of(*state); !symbols.empty()) {
    trace->set_symbols(std::move(symbols), session.host.wake);
  }
  return {};
}

Status clear_recent(Session& session, const Command&) {
  session.recent.files.clear();
  return {};
}

Status use_connections(Session& session, const Command& command) {
  Complaints complaints;
  session.connections = connections_from_json(command.args, complaints);
  complain(session, "connections", complaints);
  return {};
}

Status forget_connections(Session& session, const Command& command) {
  if (!command.args.contains("path")) {
    WEFT_TRY(clear_of(needs_connections(session)));
    session.connections.clear();
    return {};
  }
  WEFT_TRY_ASSIGN(const std::string path, text_arg(command.args, "path"));
  const auto is_it = [&](const Connection& each) { return each.address == path; };
  if (std::erase_if(session.connections, is_it) == 0)
    return fail(fmt::format("no connection to {} is kept", printable(path)));
  return {};
}

Status cancel_loading(Session& session, const Command&) {
  WEFT_TRY(clear_of(needs_loading(session)));
  session.trace()->opening()->cancel();
  return {};
}

Status file_ask(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const bool is_shown, flag_arg(command.args, "shown", true));
  if (!is_shown) {
    session.dialogs.file_wish.reset();
    return {};
  }
  FileWish wish;
  WEFT_TRY_ASSIGN(wish.command, text_arg(command.args, "command"));
  WEFT_TRY_ASSIGN(wish.argument, text_arg(command.args, "argument"));
  const CommandRow* row = find_command(wish.command);
  if (!row) return fail(fmt::format("'{}' is not a command", printable(wish.command)));
  WEFT_TRY_ASSIGN(wish.args, object_arg(command.args, "args"));
  WEFT_TRY_ASSIGN(wish.title, text_arg(command.args, "title", row->title));
  WEFT_TRY_ASSIGN(wish.file, text_arg(command.args, "file", ""));
  WEFT_TRY_ASSIGN(wish.is_there, flag_arg(command.args, "is_there", false));
  session.dialogs.file_wish = std::move(wish);
  return {};
}

}  // namespace

Result<bool> is_vector_picture(const std::filesystem::path& output) {
  const std::string ending = lower_case(output.extension());
  if (ending == ".svg") return true;
  if (ending == ".png" || ending.empty()) return false;
  return fail(output.string() + ": a picture is written where the name ends in .png or .svg");
}

namespace {

// In the folder that the program was started in: one that is there stays.
std::filesystem::path free_snapshot_name(const Session& session) {
  const auto is_taken = [&](const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::exists(path, error) ||
           std::ranges::find(session.orders.snapshots, path, &SnapshotRequest::output) !=
               session.orders.snapshots.end();
  };
  std::filesystem::path path = "weftscope-snapshot.png";
  for (int i = 2; is_taken(path) && i < 10'000; ++i)
    path = fmt::format("weftscope-snapshot-{}.png", i);
  return path;
}

Status snapshot(Session& session, const Command& command) {
  SnapshotRequest request;
  if (command.args.contains("output")) {
    WEFT_TRY_ASSIGN(request.output, output_arg(session, command.args, "output"));
  } else {
    request.output = free_snapshot_name(session);
  }
  WEFT_TRY_ASSIGN(request.is_svg, is_vector_picture(request.output));
  WEFT_TRY_ASSIGN(request.panel, text_arg(command.args, "panel", "workbench"));
  WEFT_TRY_ASSIGN(const bool has_context, flag_arg(command.args, "context", false));
  if (has_context) {
    WEFT_TRY_ASSIGN(request.context, context_beside(session, request.output));
  }
  if (request.panel != "workbench" && !session.desk.layout.find(request.panel))
    WEFT_TRY(panel_kind_named(request.panel));
  if (command.args.contains("size")) {
    WEFT_TRY_ASSIGN(const std::string size, text_arg(command.args, "size"));
    char rest = 0;
    if (std::sscanf(size.c_str(), "%5dx%5d%c", &request.width_px, &request.height_px, &rest) != 2 ||
        request.width_px < 16 || request.height_px < 16 || request.width_px > 16384 ||
        request.height_px > 16384) {
      return fail(fmt::format("'{}' is not a size (as 1920x1080)", size));
    }
  }
  session.orders.snapshots.push_back(std::move(request));
  return {};
}

// Suggests a place beside the trace.
Status ask_for_snapshot(Session& session, const Command&) {
  const OpenTrace* trace = session.trace();
  const std::string base = trace ? trace->beside().string() : "weftscope";
  return file_ask(session, ask_for_picture(base + ".png", "workbench"));
}

Status quit(Session& session, const Command&) {
  session.orders.is_quitting = true;
  return {};
}

constexpr CommandRow kFileCommands[] = {
    {"open",
     "Open a file",
     "",
     {{"path", "text, ssh://[user@]host[:port]/path on another machine"},
      {"format", "an id", "by content"},
      {"options", "of the format, texts by name", "none"},
      {"follow", "true goes on with what is added", "false"},
      {"ssh", "{jump: [user@]host[:port]; key: a file; config: a file, or none}", "{}"}},
     open},
    {"open.ask",
     "Open…",
     "Ctrl+O",
     {kShown},
     show_flag<&Session::dialogs, &Dialogs::shows_open_dialog>,
     nullptr,
     false,
     true},
    {"remote.ask",
     "Open over SSH…",
     "Ctrl+Shift+O",
     {kShown},
     show_flag<&Session::dialogs, &Dialogs::shows_remote>,
     nullptr,
     false,
     true},
    {"connections.use",
     "Take over connections to other machines",
     "",
     {{"connections", "as connections.json has them"}},
     use_connections},
    {"connections.forget",
     "Forget the connections to other machines",
     "",
     {{"path", "of one", "all"}},
     forget_connections,
     needs_connections},
    {"close", "Close the trace", "Ctrl+F4", {kIndex}, close, needs_trace},
    {"reload", "Read the file again", "F5", {kIndex}, reload, needs_trace},
    {"trace.restore",
     "Look at a trace as it was left",
     "",
     {{"state", "as session.json has"}, kIndex},
     restore,
     needs_trace},
    {"recent.clear", "Forget the recent files", "", {}, clear_recent, needs_recent_files},
    {"load.cancel", "Stop loading, keep what is there", "", {}, cancel_loading, needs_loading},
    {"file.ask",
     "Name a file for a command",
     "",
     {{"command", "that runs then"},
      {"argument", "of it that is the file; paths: a list of files"},
      {"args", "its others", "none"},
      {"title", "of the dialog", "the command's"},
      {"file", "what is suggested", "none"},
      {"is_there", "true names a file or folder to be read", "false"},
      instead({"shown", "false closes it"})},
     file_ask,
     nullptr,
     false,
     true},
    {"snapshot",
     "Save a picture",
     "Ctrl+P",
     {{"output", "path of a PNG, or of an SVG",
       "weftscope-snapshot.png or, where it is there, one with a number"},
      {"panel", "id or kind", "workbench"},
      {"size", "WxH", "as it is"},
      {"context", "true writes beside it what it shows", "false"}},
     snapshot},
    {"snapshot.ask", "Save a picture…", "", {}, ask_for_snapshot, nullptr, false, true},
    {"quit", "Quit", "Ctrl+Q", {}, quit},
};

}  // namespace

Command open_command(const std::filesystem::path& path, const TypeChoice& type) {
  Json args = {{"path", path.string()}};
  if (!type.format.empty()) args["format"] = type.format;
  if (!type.options.empty()) args["options"] = type.options;
  put_way(type, args);
  return {"open", std::move(args)};
}

std::span<const CommandRow> file_commands() { return kFileCommands; }

}  // namespace weft::app
