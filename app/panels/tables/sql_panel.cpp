#include "app/panels/tables/sql_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/menu_item.h"
#include "app/panels/toolbar.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr uint64_t kFirstRows = 10'000;
constexpr uint64_t kMostRows = 1'000'000;
constexpr float kEditorLines = 4;
constexpr float kLeastEditorLines = 1.5F;
constexpr float kEditorShare = 1.0F / 3;  // of a low panel, so that rows of the answer have room
constexpr const char* kExamples = "examples";
constexpr const char* kRecent = "recent";

struct Example {
  const char* title;
  const char* query;
};
constexpr Example kQueries[] = {
    {"Time by type",
     "SELECT type, count(*) AS count, sum(dur) AS total\nFROM states GROUP BY type_id\n"
     "ORDER BY total DESC"},
    {"The longest states",
     "SELECT begin, dur, type, lane, depth, lane_id, type_id\nFROM states ORDER BY dur DESC\n"
     "LIMIT 100"},
    {"Events by lane",
     "SELECT lane, count(*) AS count\nFROM events GROUP BY lane_id ORDER BY count DESC"},
    {"Messages that never arrived",
     "SELECT send, source, type, source_id AS lane_id, type_id\nFROM links WHERE receive IS NULL"},
    {"The slowest messages",
     "SELECT send, latency, source, target, type\nFROM links ORDER BY latency DESC LIMIT 100"},
    {"Parameters by name",
     "SELECT name, count(*) AS count, min(value), max(value)\nFROM params GROUP BY name"},
};

int select_all(ImGuiInputTextCallbackData* data) {
  data->SelectAll();
  return 0;
}

// One line of what was asked.
std::string in_one_line(std::string_view query) {
  std::string line(query);
  std::ranges::replace(line, '\n', ' ');
  return printable(line, 90);
}

uint64_t limit_of(const Json& options) {
  const auto limit = options.find("limit");
  const bool is_given = limit != options.end() && limit->is_number_unsigned();
  return std::clamp(is_given ? limit->get<uint64_t>() : kFirstRows, kFirstRows, kMostRows);
}

}  // namespace

SqlPanel::SqlPanel(const PanelServices& services)
    : answer_(answer_sql, services.wake), table_(services) {}

void SqlPanel::use(std::string_view text) {
  typed_ = {};
  text.copy(typed_.data(), typed_.size() - 1);
  ++generation_;
  is_sample_ = false;
}

void SqlPanel::run(const PanelInput& input, PanelOutput& output) const {
  if (typed_[0] == 0) return;
  output.commands.push_back(
      {"sql.run", {{"panel", input.id}, {"query", std::string(typed_.data())}}});
}

void SqlPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) return;
  const SqlKey key = {input.trace->trace(), text_option(input, "query", ""),
                      limit_of(input.options)};
  if (key.query != shown_query_) {
    shown_query_ = key.query;
    // What is typed here already is left to its field, which may be in use.
    if (!key.query.empty() && key.query != typed_.data()) use(key.query);
  }
  if (generation_ == 0) {
    use(kQueries[0].query);  // something to begin with
    is_sample_ = true;
  }
  // The empty question is asked, too: it ends the one under way.
  const auto found = answer_.find(key);
  const bool is_asking = found.is_stale && !key.query.empty();
  output.is_stale |= is_asking;
  if (measured_ != found.value) {
    measured_ = found.value;
    table_bytes_ = measured_ ? measured_->size_bytes() : 0;
  }
  draw_bar(input, is_asking, output);
  Area area = input.area;
  area.y0 = std::min(area.y1, ImGui::GetCursorScreenPos().y);
  area = draw_editor(input, area, output);
  draw_answer(input, area, key, key.query.empty() ? nullptr : found.value, is_asking, output);
}

void SqlPanel::draw_bar(const PanelInput& input, bool is_asking, PanelOutput& output) {
  Area below;
  {
    Toolbar bar(input, output);
    if (is_asking) {
      if (bar.button("Stop")) output.commands.push_back({"sql.stop", {{"panel", input.id}}});
    } else if (bar.button("Run")) {
      run(input, output);
    }
    if (bar.button("Examples")) ImGui::OpenPopup(kExamples);
    const auto recent = input.options.find("recent");
    const bool has_recent = recent != input.options.end() && recent->is_array();
    if (bar.button("Recent", has_recent)) ImGui::OpenPopup(kRecent);
    bar.say("Ctrl+Enter runs it; times are in ticks");
    below = bar.below();
  }
  if (ImGui::BeginPopup(kExamples)) {
    for (const Example& example : kQueries) {
      if (plain_item(example.title)) use(example.query);
    }
    ImGui::EndPopup();
  }
  if (ImGui::BeginPopup(kRecent)) {
    int id = 0;
    for (const Json& query : input.options.value("recent", Json::array())) {
      if (!query.is_string()) continue;
      const auto& text = query.get_ref<const std::string&>();
      ImGui::PushID(id++);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const std::string line = in_one_line(text);
      const float width = text_width(line);
      if (ImGui::Selectable("##query", false, 0, {width, 0})) use(text);
      draw_text(*ImGui::GetWindowDrawList(), at, input.theme.text, line, width + 1);
      ImGui::PopID();
    }
    ImGui::EndPopup();
  }
  ImGui::SetCursorScreenPos({below.x0, below.y0});
}

// Returns the area left below the editor.
Area SqlPanel::draw_editor(const PanelInput& input, const Area& area, PanelOutput& output) {
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float height = std::min(
      area.height() / 2,
      std::clamp(kEditorShare * area.height(), kLeastEditorLines * line, kEditorLines * line));
  if (height < ImGui::GetTextLineHeight()) return area;
  ImGui::SetCursorScreenPos({area.x0, area.y0});
  ImGui::PushID(generation_);
  takes_focus_ |= focus_.takes(input);
  if (std::exchange(takes_focus_, false)) focus_next_field();
  // With this flag Ctrl+Enter ends the editing, and Enter begins a new line.
  ImGuiInputTextFlags flags =
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AllowTabInput;
  if (is_sample_) flags |= ImGuiInputTextFlags_CallbackAlways;
  const bool is_run =
      ImGui::InputTextMultiline("##query", typed_.data(), typed_.size(), {area.width(), height},
                                flags, is_sample_ ? select_all : nullptr);
  is_sample_ &= !ImGui::IsItemActive();  // selected as a whole once: typing replaces it
  ImGui::PopID();
  if (is_run) {
    run(input, output);
    takes_focus_ = true;  // the next letters are typed here
  }
  return {area.x0, area.y0 + std::round(height), area.x1, area.y1};
}

void SqlPanel::draw_answer(const PanelInput& input, const Area& area, const SqlKey& key,
                           const std::shared_ptr<const SqlAnswer>& answer, bool is_asking,
                           PanelOutput& output) {
  const bool is_of_this = answer && answer->key.trace == key.trace;
  if (!is_of_this) {
    draw_notice(
        input, area,
        is_asking ? "Asking…" : "Nothing has been asked: Ctrl+Enter runs the statement above");
    return;
  }
  constexpr const char* kMore[] = {"More rows"};
  const bool is_at_limit = answer->rows.size() == answer->key.limit;
  const bool may_have_more = answer->has_more && is_at_limit && key.limit < kMostRows;
  const TableAnswer answered = table_.draw(
      input, area, answer, is_asking,
      may_have_more ? std::span<const char* const>(kMore) : std::span<const char* const>(),
      may_have_more ? " · there are more: right click" : " · there are more", output);
  if (answered.menu) output.commands.push_back(set_option(input, "limit", key.limit * 10));
}

}  // namespace weft::app
