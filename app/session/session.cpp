#include "app/session/session.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "capture/host/ssh_address.h"
#include "core/base/saturating.h"
#include "core/io/source.h"

namespace weft::app {

void Session::save_markers() {
  for (const auto& trace : traces) {
    if (Status status = trace->save_markers(); !status) {
      messages.say(status.error().message, /*is_error=*/true);
    }
  }
}

void Session::take_opened() {
  std::vector<const OpenTrace*> unreadable;
  for (const auto& trace : traces) {
    if (trace->take_opened()) {
      refused.reset();
      // What was read of the trace that could not be opened before is settled.
      if (messages.last.offer && messages.noticed >= messages.last.serial) messages.clear_last();
      if (trace->path() != "-") recent.add_file(trace->path());
      if (capture::is_ssh_address(trace->path().native()))
        keep_connection(connections,
                        {trace->path().string(), trace->type().follows, trace->type().way});
      if (host.on_opened) host.on_opened(*trace);
    } else if (trace->has_failed() && !trace->is_opened()) {
      unreadable.push_back(trace.get());
    }
  }
  for (const OpenTrace* trace : unreadable) {
    if (open_parts(*trace)) continue;
    std::optional<Offer> offer;
    const Opening& opening = *trace->opening();
    if (opening.may_get_type())
      offer = {
          "Make a trace type for it", "trace_type.begin", {{"sample", trace->path().string()}}};
    messages.say(trace->error(), /*is_error=*/true, std::move(offer));
    if (traces.size() == 1)
      refused =
          Refused{trace->path(), trace->error(), opening.is_unrecognised(), opening.may_get_type()};
    close(*trace);
  }
}

// The parts take the archive's place, as if each had been opened.
bool Session::open_parts(const OpenTrace& archive) {
  auto parts = archive.opening()->take_parts();
  if (parts.empty()) return false;
  messages.say(archive.opening()->status().error().message);
  const auto at = std::ranges::find(traces, &archive, &std::unique_ptr<OpenTrace>::get);
  auto behind = at - traces.begin() + 1;
  const uint64_t shown = trace()->id();
  const bool is_current = trace() == &archive;
  uint64_t last = 0;
  for (auto& part : parts) {
    if (const OpenTrace* open = find_open(part->path(), part->type())) {
      last = open->id();
      continue;
    }
    const auto opened =
        traces.insert(traces.begin() + behind++, std::make_unique<OpenTrace>(std::move(part)));
    last = (*opened)->id();
    if (!archive.names().paths().empty())
      (*opened)->set_symbols(archive.names().paths(), host.wake);
  }
  close(archive);
  select_trace(is_current ? last : shown);
  return true;
}

void Session::close(const OpenTrace& trace) {
  const auto at = std::ranges::find(traces, &trace, &std::unique_ptr<OpenTrace>::get);
  if (at == traces.end()) return;
  desk.release(trace.id());
  const OpenTrace* shown = this->trace();
  const bool was_whole = shown && shown->trace() && shown->shows_all();
  const auto index = static_cast<size_t>(at - traces.begin());
  traces.erase(at);
  if (index < current || current == traces.size()) current -= std::min<size_t>(current, 1);
  if (!couples_traces) return;
  // The line is that of the others now: who saw all of it sees all of theirs.
  update_reach();
  for (const auto& other : traces) {
    if (!other->trace()) continue;
    const TimeWindow window = other->view().window;
    other->history().place(was_whole ? other->whole() : other->clamped(window));
  }
}

void Session::replace(const OpenTrace& trace, std::unique_ptr<OpenTrace> by) {
  const auto at = std::ranges::find(traces, &trace, &std::unique_ptr<OpenTrace>::get);
  if (at == traces.end()) return;
  desk.hand_over(trace.id(), by->id());
  *at = std::move(by);
}

void Session::notice_changed_files() {
  for (size_t i = 0; i < traces.size(); ++i) {
    const OpenTrace& trace = *traces[i];
    // A followed trace is still being read, even before anything of it has come.
    const bool goes_on = trace.is_live() || (trace.type().follows && trace.is_loading());
    if (!traces[i]->take_file_change() || goes_on) continue;
    messages.say(trace.name() + " has changed since it was read", false,
                 Offer{"Read it again", "reload", {{"index", i}}});
  }
}

uint64_t Session::import_bytes() const {
  uint64_t bytes = 0;
  for (const auto& trace : traces) {
    const Opening* opening = trace->opening();
    if (opening && !opening->is_done()) bytes += opening->memory_bytes();
  }
  for (const auto& job : jobs) bytes += job->memory_bytes();
  return bytes;
}

// Each is looked at once: one that ends meanwhile is taken the next time.
void Session::take_done_jobs() {
  std::erase_if(jobs, [&](const auto& job) {
    if (!job->is_done()) return false;
    if (Result<Job::Outcome>& outcome = job->outcome(); outcome) {
      messages.say(std::move(outcome->message));
      if (outcome->clipboard) orders.clipboard = std::move(outcome->clipboard);
    } else {
      messages.say(job->title() + ": " + outcome.error().message, /*is_error=*/true);
    }
    return true;
  });
}

void Session::refresh() {
  bool has_news = false;
  OpenTrace* moved = nullptr;  // by a step to another element
  for (const auto& trace : traces) {
    trace->time_display = look.time_display;
    if (Status status = trace->load_markers(host.state_folder); !status) {
      messages.say(status.error().message, /*is_error=*/true);
    }
    if (Status status = trace->load_message_classes(); !status) {
      messages.say(status.error().message, /*is_error=*/true);
    }
    const store::TracePtr before = trace->trace();
    const View view = trace->view();
    for (Message news = trace->refresh(); !news.text.empty(); news = trace->refresh())
      messages.say(std::move(news.text), news.is_error, std::move(news.offer));
    if (Message damage = trace->take_damage(); !damage.text.empty())
      messages.say(std::move(damage.text), damage.is_error, std::move(damage.offer));
    const bool is_news = trace->trace() != before;
    has_news |= is_news;
    // Only now is it known what there is to show.
    if (is_news && trace->is_opened() && trace->trace()->is_complete() && host.on_opened)
      host.on_opened(*trace);
    if (trace->view() != view) moved = trace.get();
  }
  take_opened();
  take_done_jobs();
  if (!couples_traces) return;
  if (has_news) update_reach();
  OpenTrace* leader = has_news ? trace() : moved;
  if (!leader || !leader->trace()) return;
  leader->follow_growth();
  follow(*leader);
}

void Session::update_reach() {
  // On the line itself, as a trace of nanoseconds without an offset would lie on it.
  const OnLine line;
  std::optional<TimeRange> all;
  double least_on_line = 0;
  for (const auto& trace : traces) {
    if (!couples_traces || !trace->trace()) continue;
    const TimeRange range = on_line(trace->range(), trace->on_line(), line);
    all = all ? TimeRange{std::min(all->begin, range.begin), std::max(all->end, range.end)} : range;
    least_on_line =
        std::max(least_on_line, ticks_on_line(TimeWindow::kMinTicks, trace->on_line(), line));
  }
  for (const auto& trace : traces) {
    if (all && trace->trace()) {
      trace->set_reach(on_line(*all, line, trace->on_line()),
                       ticks_on_line(least_on_line, line, trace->on_line()));
    } else {
      trace->set_reach(std::nullopt, TimeWindow::kMinTicks);
    }
  }
}

std::optional<Duration> Session::cut_from(const OpenTrace& trace) const {
  if (!trace.shares_line()) return trace.cut_from();
  double least = 0;
  for (const auto& other : traces) {
    if (!other->shares_line() || !other->cut_from()) continue;
    least = std::max(least, ticks_on_line(static_cast<double>(other->cut_from()->ticks),
                                          other->on_line(), trace.on_line()));
  }
  if (least == 0) return std::nullopt;
  return Duration{saturating_round(std::max(least, 1.0))};
}

std::string Session::cut_where(const OpenTrace& trace) const {
  for (const auto& other : traces) {
    const bool is_of_line = trace.shares_line() && other->shares_line();
    const auto& rule = other->cut_rule();
    if ((other.get() == &trace || is_of_line) && rule && !rule->where.empty()) return rule->where;
  }
  const ViewFilter& filter = trace.view().filter;
  return filter.mode == FilterMode::kHide ? filter.text : std::string();
}

void Session::set_cut(OpenTrace& trace, std::optional<CutRule> rule, uint64_t step) {
  for (const auto& other : traces) {
    const bool shares = trace.shares_line() && other->shares_line();
    if (shares && other.get() != &trace) other->history().cut(std::nullopt, step);
  }
  trace.history().cut(std::move(rule), step);
}

void Session::follow(const OpenTrace& leader) {
  if (!leader.is_coupled()) return;
  for (const auto& trace : traces) {
    if (trace.get() == &leader || !trace->is_coupled()) continue;
    if (trace->history().redo_step() < leader.history().undo_step())
      trace->history().drop_redo();  // a newer step was taken
    trace->history().place(on_line(leader.view().window, leader.on_line(), trace->on_line()));
  }
}

std::optional<Time> Session::hover_in(const OpenTrace& trace) const {
  if (!hover) return std::nullopt;
  if (hover->trace_id == trace.id()) return hover->time;
  for (const auto& other : traces) {
    const bool is_it = other->id() == hover->trace_id;
    if (is_it && other->is_coupled() && trace.is_coupled()) {
      return on_line(hover->time, other->on_line(), trace.on_line());
    }
  }
  return std::nullopt;
}

std::vector<const OpenTrace*> Session::moved_together() const {
  std::vector<const OpenTrace*> together;
  for (const auto& other : traces) {
    const bool is_meant = other->is_coupled() && trace()->is_coupled();
    if (is_meant || other.get() == trace()) together.push_back(other.get());
  }
  return together;
}

std::optional<uint64_t> Session::undo_step() const {
  std::optional<uint64_t> last = row_height_steps_.undo_number();
  for (const OpenTrace* other : moved_together())
    last = std::max(last, other->history().undo_step());
  return last;
}

bool Session::undo() {
  const std::optional<uint64_t> last = undo_step();
  if (!last) return false;
  if (row_height_steps_.undo_number() == last) row_height_steps_.undo(look.row_height_px);
  for (const auto& other : traces) {  // those that were moved by the same step
    if (other->history().undo_step() == last) other->history().undo();
  }
  return true;
}

// A height of rows from before a newer step is none to go forward to.
std::optional<uint64_t> Session::redo_step() const {
  std::optional<uint64_t> first;
  for (const OpenTrace* other : moved_together())
    first = first_of(first, other->history().redo_step());
  const std::optional<uint64_t> height = row_height_steps_.redo_number();
  return height < undo_step() ? first : first_of(first, height);
}

bool Session::redo() {
  const std::optional<uint64_t> first = redo_step();
  if (!first) return false;
  if (row_height_steps_.redo_number() < undo_step()) row_height_steps_.drop_redo();
  if (row_height_steps_.redo_number() == first) row_height_steps_.redo(look.row_height_px);
  for (const auto& other : traces) {
    if (other->history().redo_step() == first) other->history().redo();
  }
  return true;
}

// The rows at the top stay there.
void Session::set_row_height(double px, uint32_t gesture) {
  orders.fit_rows_in.clear();
  if (px == look.row_height_px) return;
  const uint64_t step = new_step();
  for (const auto& trace : traces) {
    View view = trace->view();
    view.scroll_px *= px / look.row_height_px;
    trace->history().drop_redo();
    trace->history().navigate(view, gesture, step);
  }
  row_height_steps_.leave(std::exchange(look.row_height_px, px), gesture, step);
}

OpenTrace* Session::find_trace(uint64_t id) {
  const auto it = std::ranges::find(traces, id, [](const auto& trace) { return trace->id(); });
  return it == traces.end() ? nullptr : it->get();
}

OpenTrace* Session::find_trace(const std::filesystem::path& path) {
  const auto it =
      std::ranges::find(traces, path, [](const auto& trace) { return trace->known_as(); });
  return it == traces.end() ? nullptr : it->get();
}

OpenTrace* Session::find_open(const std::filesystem::path& path, const TypeChoice& type) {
  const std::filesystem::path known_as = absolute_path(path);
  for (const auto& trace : traces) {
    if (trace->known_as() != known_as || trace->type() != type) continue;
    if (trace->is_loading()) return trace.get();
    std::error_code error;
    const std::filesystem::path file = io::file_on(path);
    const bool can_be_repeated =
        std::filesystem::is_regular_file(file, error) || std::filesystem::is_directory(file, error);
    if (can_be_repeated && !trace->has_file_changed()) return trace.get();
  }
  return nullptr;
}

void Session::select_trace(uint64_t id) {
  for (size_t i = 0; i < traces.size(); ++i) {
    if (traces[i]->id() == id) current = i;
  }
}

void Session::show_trace(const OpenTrace& trace) {
  select_trace(trace.id());
  for (const PanelInstance& panel : desk.layout.panels()) {
    if (!panel.stays_with_trace() || panel.pinned->trace_id != trace.id()) continue;
    (void)desk.layout.focus(std::string(panel.id));
    break;
  }
}

void Session::note(const std::string& command, const Json& args, uint32_t gesture,
                   uint64_t said_before) {
  const OpenTrace* shown = trace();
  JournalEntry entry = {command,
                        args,
                        gesture,
                        shown ? shown->id() : 0,
                        shown ? shown->history().look() : TraceLook(),
                        said_before};
  const bool goes_on = gesture != 0 && !journal.empty() && journal.back().gesture == gesture &&
                       journal.back().command == command;
  if (goes_on) {
    journal.back() = std::move(entry);
    return;
  }
  if (journal.size() == kMostJournal) journal.erase(journal.begin());
  journal.push_back(std::move(entry));
}

const MessageClassesPtr& message_classes_of(const Session& session, const OpenTrace& trace) {
  return trace.message_classes ? trace.message_classes : session.message_classes;
}

}  // namespace weft::app
