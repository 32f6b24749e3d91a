#include "app/panels/desk/trace_type_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/opening/trace_types.h"
#include "app/panels/toolbar.h"
#include "app/session/option_choices.h"
#include "core/base/text.h"

namespace weft::app {

namespace custom = formats::custom;
using custom::PreviewEvent;

namespace {

constexpr float kFormPx = 430, kLeastPx = 900;
constexpr float kLeastHeightPx = 420;  // of form, records and events below each other

bool is_wide(const PanelInput& input) { return input.area.width() >= kLeastPx * input.scale; }

// In a small panel one part is shown at a time.
bool is_small(const PanelInput& input) {
  return !is_wide(input) && input.area.height() < kLeastHeightPx * input.scale;
}

constexpr TableColumn kColumns[] = {
    {.id = "time", .title = "Time", .width_px = 110, .is_number = true},
    {.id = "category", .title = "Category", .width_px = 80},
    {.id = "lane", .title = "Lane", .width_px = 96},
    {.id = "type", .title = "Type", .width_px = 96},
    {.id = "more", .title = "Duration, value, target", .width_px = 200},
    {.id = "parameters", .title = "Parameters", .width_px = 210},
};

std::string more_of(const PreviewEvent& event, TimeBase base) {
  const auto lasts = [&] { return format_duration(*event.end - event.time, base); };
  switch (event.category) {
    case trace::Category::kState:
      return lasts();
    case trace::Category::kVariable:
      return fmt::format("{}", event.value);
    case trace::Category::kLink:
      return event.end ? fmt::format("to {} after {}", event.target, lasts()) : "never arrived";
    case trace::Category::kPunctual:
      break;
  }
  return {};
}

// In place of what is open of the file, which another type, or this one as it was, has read.
void open_by_type(const PanelInput& input, const std::string& file, const std::string& type,
                  PanelOutput& output) {
  const auto& traces = input.session.traces;
  const auto old = std::ranges::find_if(
      traces, [&](const auto& trace) { return trace->path() == std::filesystem::path(file); });
  const auto index = static_cast<size_t>(old - traces.begin());
  if (old != traces.end() && (*old)->type().format == type) {
    output.commands.push_back({"trace.select", {{"index", index}}});
    output.commands.push_back({"reload", {{"index", index}}});
    return;
  }
  output.commands.push_back({"open", {{"path", file}, {"format", type}}});
  if (old != traces.end()) output.commands.push_back({"close", {{"index", index}}});
}

class EventRows final : public TableRows {
 public:
  explicit EventRows(std::shared_ptr<const TraceTypePreview> made) : made_(std::move(made)) {}
  uint64_t count() const override { return events().size(); }
  TableRow row(uint64_t) const override { return {}; }
  std::string cell(uint64_t row, size_t column) const override {
    const PreviewEvent& event = events()[row];
    const TimeBase base = made_->preview.time_base;
    const Duration span = events().back().time - events().front().time;
    switch (column) {
      case 0:
        return format_time(event.time, base, span, Duration{1});
      case 1:
        return std::string(trace::name_of(event.category));
      case 2:
        return event.lane;
      case 3:
        return event.type;
      case 4:
        return more_of(event, base);
      default:
        return event.params;
    }
  }
  Sheet sheet() const override {
    return sheet_of_cells(column_ids(kColumns), count(),
                          [made = made_](uint64_t row, size_t column) -> Cell {
                            const EventRows rows(made);
                            if (column == 0) return made->preview.events[row].time.ticks;
                            return rows.cell(row, column);
                          });
  }

 private:
  const std::vector<PreviewEvent>& events() const { return made_->preview.events; }
  std::shared_ptr<const TraceTypePreview> made_;
};

}  // namespace

TraceTypePanel::TraceTypePanel(const PanelServices& services)
    : sample_(read_sample, services.wake), preview_(preview_trace_type, services.wake) {}

void TraceTypePanel::read_options(const PanelInput& input) {
  const auto option = input.options.find("definition");
  const Json now = option == input.options.end() ? Json() : *option;
  if (now == shown_) return;
  shown_ = now;
  definition_.reset();
  problem_.clear();
  if (now.is_null()) return;
  auto read = custom::definition_from_json(OrderedJson(now));
  if (read) {
    definition_ = *std::move(read);
  } else {
    problem_ = read.error().message;
  }
}

void TraceTypePanel::draw(const PanelInput& input, PanelOutput& output) {
  read_options(input);
  SampleKey wanted{text_option(input, "sample", ""), text_option(input, "pasted", "")};
  const bool is_given = !wanted.file.empty() || !wanted.pasted.empty();
  if (!is_given && input.trace != nullptr && input.trace->path() != "-")
    wanted.file = input.trace->path();
  const auto sample = sample_.find(wanted);
  output.is_stale |= sample.is_stale;
  if (sample.value) {
    const auto found = preview_.find({sample.value, definition_});
    output.is_stale |= found.is_stale;
    made_ = found.value;
  }
  Area area = draw_bar(input, wanted.file, output);
  if (wanted == SampleKey{}) {
    draw_notice(input, area, "Choose a file, or paste some lines of one");
    return;
  }
  if (!made_) return;
  if (is_small(input)) {
    const std::string part = choice_option(input, "part", kTraceTypeParts);
    if (part == "records") return draw_records(input, area, output);
    if (part == "events") return draw_events(input, area, output);
    return draw_form(input, area, output);
  }
  Area form = area, rest = area;
  if (is_wide(input)) {
    form.x1 = rest.x0 = area.x0 + std::round(kFormPx * input.scale);
  } else {
    form.y1 = rest.y0 = area.y0 + std::round(area.height() * 0.45F);
  }
  draw_form(input, form, output);
  const float split = std::round(rest.y0 + rest.height() * 0.5F);
  draw_records(input, {rest.x0, rest.y0, rest.x1, split}, output);
  draw_events(input, {rest.x0, split, rest.x1, rest.y1}, output);
}

Area TraceTypePanel::draw_bar(const PanelInput& input, const std::string& file,
                              PanelOutput& output) {
  Area below;
  const std::string name = text_option(input, "name", "");
  const std::string id = trace_type_id(name);
  {
    Toolbar bar(input, output);
    if (bar.button("Sample…")) {
      output.commands.push_back({"file.ask",
                                 {{"command", "panel.set"},
                                  {"argument", "value"},
                                  {"title", "A sample for the trace type"},
                                  {"is_there", true},
                                  {"args", {{"panel", input.id}, {"option", "sample"}}}}});
    }
    if (bar.button("Paste")) {
      const char* const text = ImGui::GetClipboardText();
      const std::string_view pasted = text == nullptr ? "" : text;
      output.commands.push_back(set_option(input, "sample", nullptr));
      output.commands.push_back(
          set_option(input, "pasted", valid_utf8(pasted.substr(0, custom::kSampleBytes))));
    }
    if (bar.button("Guess", !shown_.is_null()))
      output.commands.push_back(set_option(input, "definition", nullptr));
    bar.gap();
    const bool can_save = made_ && made_->error.empty() && problem_.empty() && !id.empty();
    const bool is_saved = bar.button("Save", can_save);
    const bool is_opened = bar.button("Save and open", can_save && !file.empty());
    if (is_saved || is_opened) {
      output.commands.push_back(
          {"trace_type.save",
           {{"name", id}, {"definition", Json(json_from_definition(made_->definition))}}});
    }
    if (is_opened) {
      open_by_type(input, file, id, output);
      if (const PanelInstance* timeline = input.session.desk.layout.first_of("gantt"))
        output.commands.push_back({"panel.focus", {{"panel", timeline->id}}});
    }
    if (is_small(input)) (void)bar.choose("part", kTraceTypeParts);
    const bool is_pasted = file.empty() && !text_option(input, "pasted", "").empty();
    bar.say(is_pasted ? "pasted text" : printable(file));
    below = bar.below();
  }
  return below;
}

void TraceTypePanel::draw_form(const PanelInput& input, const Area& area, PanelOutput& output) {
  custom::Definition edited = definition_ ? *definition_ : made_->definition;
  const float pad = std::round(8 * input.scale);
  ImGui::SetCursorScreenPos({area.x0 + pad, area.y0});
  ImGui::BeginChild("form", {area.width() - 2 * pad, area.height()});
  std::string name = text_option(input, "name", "");
  std::array<char, 128> typed{};
  name.copy(typed.data(), typed.size() - 1);
  ImGui::AlignTextToFramePadding();
  show_text("Name", input.theme.text_dim);
  ImGui::SameLine(std::round(74 * input.scale));
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##name", "to save it: boot-log", typed.data(), typed.size()))
    output.commands.push_back(set_option(input, "name", typed.data(), form_.gesture()));
  const bool is_changed = form_.draw(input, edited, made_.get());
  ImGui::EndChild();
  if (is_changed) use(input, edited, form_.gesture(), output);
}

void TraceTypePanel::draw_records(const PanelInput& input, const Area& area, PanelOutput& output) {
  const std::string& error = made_->key.sample->error;
  if (!error.empty()) return draw_notice(input, area, error);
  const auto told = records_.draw(input, area, *made_);
  if (!told) return;
  use(input,
      custom::taught(made_->definition, made_->preview.records[told->record], told->part,
                     made_->key.sample->text),
      /*gesture=*/0, output);
}

void TraceTypePanel::use(const PanelInput& input, const custom::Definition& edited,
                         uint32_t gesture, PanelOutput& output) {
  definition_ = edited;
  problem_.clear();
  shown_ = Json(json_from_definition(edited));
  output.commands.push_back(set_option(input, "definition", shown_, gesture));
}

void TraceTypePanel::draw_events(const PanelInput& input, const Area& area, PanelOutput& output) {
  const custom::Preview& preview = made_->preview;
  TableInput table{input, area, kColumns};
  table.swatch_column = std::size(kColumns);
  table.is_in_own_order = true;
  table.footer = fmt::format("{} of {}{}", counted(preview.event_count, "event"),
                             preview.record_count > 1 ? "the first " : "",
                             counted(preview.record_count, "record"));
  if (preview.unknown_count > 0)
    table.problem = counted(preview.unknown_count, "record") + " that no rule takes";
  for (const trace::Loss& loss : preview.report.losses()) {
    if (loss.is_damage && !loss.kind.ends_with("that no rule takes"))
      table.problem += fmt::format("{}{} × {}", table.problem.empty() ? "" : ", ", loss.kind,
                                   format_count(loss.count));
  }
  // A reader's error is written to follow the name of a file: "has no line that a rule takes".
  if (!preview.error.empty())
    table.problem = (preview.error.starts_with("has ") ? "the sample " : "") + preview.error;
  if (!made_->error.empty()) table.problem = made_->error;
  if (!made_->problems.empty()) {
    const PatternProblem& first = made_->problems.front();
    table.problem =
        fmt::format("rule {}, column {}: {}", first.rule + 1, first.offset + 1, first.reason);
  }
  if (!problem_.empty()) table.problem = problem_;
  (void)view_.draw(table, EventRows(made_), output);
}

}  // namespace weft::app
