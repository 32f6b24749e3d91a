#include "app/panels/element/inspector_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/element/element_details.h"
#include "app/panels/element/hex_view.h"
#include "app/panels/menu_item.h"
#include "app/panels/timeline/lane_tree.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/session/element_args.h"
#include "core/base/text.h"
#include "core/base/value_text.h"

namespace weft::app {
namespace {

using query::Element;
using store::RowKind;

constexpr float kNamePx = 96, kValuePx = 120;  // a value has at least so much behind a long name
constexpr float kStepsPx = 96, kAlongPx = 38;  // ways to step: title and buttons, the title
constexpr size_t kMostTextBytes = 300;         // on one line

// "kernel/cpu 3": the end of a path tells more than its begin.
std::string lane_name(const trace::Dictionary& dictionary, LaneId lane) {
  return lane.is_none() ? std::string("nowhere") : dictionary.lane(lane).name;
}

void heading(const PanelInput& input, std::string_view text) {
  ImGui::Dummy({0, 6 * input.scale});
  ImGui::PushFont(input.fonts.bold);
  show_text(text);
  ImGui::PopFont();
}

// A menu on the last item, to copy it.
void copy_menu(int id, std::string_view value, std::string_view all = {}) {
  ImGui::PushID(id);
  if (ImGui::BeginPopupContextItem("copy")) {
    if (plain_item("Copy")) ImGui::SetClipboardText(valid_utf8(value).c_str());
    if (!all.empty() && plain_item("Copy all as JSON")) {
      ImGui::SetClipboardText(valid_utf8(all).c_str());
    }
    ImGui::EndPopup();
  }
  ImGui::PopID();
}

class Fields {
 public:
  explicit Fields(const PanelInput& input) : input_(input) {}

  void add(const char* name, std::string_view value) {
    show_text(name, input_.theme.text_dim);
    ImGui::SameLine(kNamePx * input_.scale);
    ImGui::PushTextWrapPos(0);
    show_text(printable(value, kMostTextBytes));
    ImGui::PopTextWrapPos();
    copy_menu(next_id_++, value);
  }
  void add_time(const char* name, Time time) { add(name, exact_label(time, *input_.trace)); }
  void add_duration(const char* name, Duration duration) {
    add(name, length_label(duration, *input_.trace, 9));
  }

 private:
  const PanelInput& input_;
  int next_id_ = 0;
};

Command go_to(const Element& element) {
  Json args = args_from_element(element.ref);
  args["reveal"] = true;
  return {"element.select", std::move(args)};
}

// A line that leads to another element: "■ name          12 µs".
void element_line(const PanelInput& input, PanelOutput& output, int id, const Element& element,
                  std::string_view name, std::string_view note) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeightWithSpacing();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  ImGui::PushID(id);
  if (ImGui::InvisibleButton("element", {width, height})) output.commands.push_back(go_to(element));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) {
    list.AddRectFilled(at, {at.x + width, at.y + height}, input.theme.selection, 3 * input.scale);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  ImGui::PopID();
  const float pad = 4 * input.scale;
  const float size = ImGui::GetFontSize() - 4 * input.scale;
  const float y = at.y + (height - ImGui::GetFontSize()) / 2;
  list.AddRectFilled(
      {at.x + pad, y + 2 * input.scale}, {at.x + pad + size, y + 2 * input.scale + size},
      render::color_from_rgb(input.model->palette->color(element.record.type)), 2 * input.scale);
  const float note_width = text_width(note);
  const float text_x = at.x + 2 * pad + size;
  const float note_x = std::max(text_x + 40 * input.scale, at.x + width - note_width - pad);
  draw_text(list, {text_x, y}, input.theme.text, printable(name, kMostTextBytes),
            note_x - text_x - pad);
  draw_text(list, {note_x, y}, input.theme.text_dim, note, at.x + width - note_x);
}

void draw_parents(const PanelInput& input, PanelOutput& output, const ElementFacts& facts) {
  if (facts.parents.empty()) return;
  heading(input, "Within");
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  // Innermost first: what is closest matters most.
  for (size_t i = facts.parents.size(); i-- > 0;) {
    const Element& parent = facts.parents[i];
    element_line(input, output, static_cast<int>(1000 + i), parent,
                 dictionary.type(parent.record.type).name,
                 length_label(parent.record.duration, *input.trace));
  }
}

// "■ firefox                     1.2 ms in 3 runs   45 %"
void draw_instead(const PanelInput& input, PanelOutput& output, const ElementFacts& facts) {
  if (!facts.instead) return;
  const query::RanInstead& instead = *facts.instead;
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  heading(input, fmt::format("Ran instead on {}", printable(dictionary.lane(instead.cpu).name)));
  show_text(instead.is_next ? "where it ran next" : "where it had run before",
            input.theme.text_dim);
  const auto note = [&](Duration time) {
    return fmt::format("{}  {:>5.1f} %", length_label(time, *input.trace),
                       100 * static_cast<double>(time.ticks) /
                           static_cast<double>(facts.element->record.duration.ticks));
  };
  const size_t shown = std::min(instead.threads.size(), ElementFacts::kMostRunners);
  for (size_t i = 0; i < shown; ++i) {
    const query::RanInstead::Thread& thread = instead.threads[i];
    std::string name(name_of(dictionary, thread));
    if (thread.runs > 1) name += fmt::format("  ({} times)", format_count(thread.runs));
    element_line(input, output, static_cast<int>(4000 + i), thread.first, name, note(thread.time));
  }
  if (shown < instead.threads.size())
    show_text("and " + format_count(instead.threads.size() - shown) + " more",
              input.theme.text_dim);
  if (instead.idle.ticks > 0) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string text = note(instead.idle);
    const float right = at.x + ImGui::GetContentRegionAvail().x - 4 * input.scale;
    show_text("no thread", input.theme.text_dim);
    draw_text(*ImGui::GetWindowDrawList(), {right - text_width(text), at.y}, input.theme.text_dim,
              text, text_width(text) + 1);
  }
  if (!instead.is_complete)
    show_text("of the first " + format_count(query::RanInstead::kMostRuns) + " runs",
              input.theme.warning);
}

// "■ wakeup ← sleep-3676: running                   51 µs before it ran"
void draw_wakers(const PanelInput& input, PanelOutput& output, const ElementFacts& facts) {
  if (facts.wakers.empty()) return;
  heading(input, "Woken by");
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  for (size_t i = 0; i < facts.wakers.size(); ++i) {
    const LinkFact& fact = facts.wakers[i];
    std::string name = lane_name(dictionary, fact.ends.source);
    if (fact.far) name.append(": ").append(dictionary.type(fact.far->record.type).name);
    const std::string before = length_label(fact.ends.receive - fact.ends.send, *input.trace);
    element_line(input, output, static_cast<int>(5000 + i), fact.far.value_or(fact.link), name,
                 before + " before it ran");
  }
}

void draw_links(const PanelInput& input, PanelOutput& output, const char* title, int first_id,
                const ElementFacts& facts, bool is_sent) {
  const std::vector<LinkFact>& links = is_sent ? facts.sent : facts.received;
  const uint64_t count = is_sent ? facts.sent_count : facts.received_count;
  if (count == 0) return;
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  heading(input, fmt::format("{} ({})", title, format_count(count)));
  for (size_t i = 0; i < links.size(); ++i) {
    const LinkFact& fact = links[i];
    const LaneId far_lane = is_sent ? fact.ends.target : fact.ends.source;
    std::string name(dictionary.type(fact.ends.type).name);
    name += (is_sent ? " → " : " ← ") + lane_name(dictionary, far_lane);
    if (fact.far) name.append(": ").append(dictionary.type(fact.far->record.type).name);
    std::string note;
    if (far_lane.is_none()) note = is_sent ? "lost" : "sender unknown";
    if (const auto latency = query::latency_of(*facts.key.trace, fact.ends))
      note = length_label(*latency, *input.trace);
    element_line(input, output, first_id + static_cast<int>(i), fact.far.value_or(fact.link), name,
                 note);
  }
  if (links.size() < count) {
    show_text("and " + format_count(count - links.size()) + " more", input.theme.text_dim);
  }
}

void draw_chain(const PanelInput& input, const ElementFacts& facts, PanelOutput& output) {
  // A message is the first of its own causes and effects.
  const size_t own = facts.element->is_link() ? 1 : 0;
  const size_t causes = facts.causes.messages.size() - own;
  const size_t effects = facts.effects.messages.size() - own;
  if (causes + effects == 0) return;
  heading(input, "Chain");
  const bool is_cut = facts.causes.is_cut || facts.effects.is_cut;
  show_wrapped(fmt::format("{} led here, {} followed{}", counted(causes, "message"),
                           format_count(effects), is_cut ? ": the first of more" : ""),
               input.theme.text_dim);
  if (small_button("Show the chain"))
    output.commands.push_back({"panel.open", {{"panel", "causality"}}});
}

void draw_link_fields(const PanelInput& input, PanelOutput& output, const ElementFacts& facts,
                      Fields& fields) {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  const query::LinkEnds ends = query::ends_of(*facts.element);
  const auto lane_text = [&](LaneId lane, const char* none) {
    return lane.is_none() ? std::string(none) : dictionary.path_text(lane);
  };
  if (facts.message_id) fields.add("id", fmt::format("{0} (0x{0:X})", *facts.message_id));
  fields.add("from", lane_text(ends.source, "unknown: its send is missing"));
  if (!ends.source.is_none()) fields.add_time("sent", ends.send);
  fields.add("to", lane_text(ends.target, "nowhere: it never arrived"));
  if (!ends.target.is_none()) fields.add_time("received", ends.receive);
  if (const auto latency = query::latency_of(*facts.key.trace, ends))
    fields.add_duration("took", *latency);
  if (facts.handling.state) {
    fields.add_time("handled from", facts.handling.begin);
    fields.add_time("handled until", facts.handling.state->record.end());
    fields.add_duration("handled in", facts.handling.work());
  }
  fields.add("payload", facts.payload_bytes > 0 ? counted(facts.payload_bytes, "byte")
                                                : std::string("none recorded"));
  const auto end_line = [&](const char* title, int id, const std::optional<Element>& end) {
    if (!end) return;
    heading(input, title);
    element_line(input, output, id, *end, dictionary.type(end->record.type).name,
                 lane_name(dictionary, end->ref.lane));
  };
  end_line("Sent in", 100, facts.sender);
  end_line("Received in", 101, facts.receiver);
}

void draw_fields(const PanelInput& input, PanelOutput& output, const ElementFacts& facts) {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  const Element& element = *facts.element;
  const trace::EventType& type = dictionary.type(element.record.type);
  show_swatch(input, element.record.type);
  ImGui::PushFont(input.fonts.bold);
  ImGui::PushTextWrapPos(0);
  show_text(type.name.empty() ? "(no name)" : type.name);
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  copy_menu(90, type.name);
  Fields fields(input);
  fields.add("category", trace::name_of(query::category_of(element.ref.kind)));
  if (!type.group.empty()) fields.add("group", type.group);
  if (element.is_link()) {
    draw_link_fields(input, output, facts, fields);
    return;
  }
  fields.add("lane", dictionary.path_text(element.ref.lane));
  fields.add_time(element.ref.kind == RowKind::kState ? "begin" : "at", element.record.begin);
  if (element.ref.kind == RowKind::kVariable) {
    const double value = element.record.value;
    fields.add("value", std::isnan(value) ? format_value(value) : fmt::format("{:.17g}", value));
  }
  if (element.ref.kind != RowKind::kState) return;
  fields.add_time("end", element.record.end());
  if (facts.lacks_end) fields.add("", "not in the trace: it is shown as long as that was");
  fields.add_duration("duration", element.record.duration);
  fields.add_duration("self time", facts.self);
  fields.add("depth", std::to_string(element.ref.which));
}

}  // namespace

InspectorPanel::InspectorPanel(const PanelServices& services)
    : facts_([](const ElementFactsKey& key) { return make_element_facts(key); }, services.wake) {}

void InspectorPanel::draw_steps(const PanelInput& input, PanelOutput& output) const {
  struct Step {
    const char* label;
    const char* command;
  };
  struct Steps {
    const char* along;
    std::vector<Step> steps;
  };
  static const Steps kAll[] = {
      {"Row", {{"◂", "element.previous"}, {"▸", "element.next"}}},
      {"Type", {{"◂", "element.previous_of_type"}, {"▸", "element.next_of_type"}}},
      {"Link", {{"◂", "element.back_along_link"}, {"▸", "element.along_link"}}},
      {"Level", {{"▴", "element.parent"}, {"▾", "element.child"}}},
      {"Lane", {{"▴", "element.lane_above"}, {"▾", "element.lane_below"}}},
      {"", {{"Show", "element.reveal"}}}};
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float width = kStepsPx * input.scale;
  const auto columns = std::max(1, static_cast<int>(ImGui::GetContentRegionAvail().x / width));
  int nth = 0;
  for (const Steps& steps : kAll) {
    ImVec2 at = {begin.x + static_cast<float>(nth % columns) * width,
                 begin.y + static_cast<float>(nth / columns) * ImGui::GetFrameHeightWithSpacing()};
    ++nth;
    draw_text(*ImGui::GetWindowDrawList(), {at.x, at.y + ImGui::GetStyle().FramePadding.y},
              input.theme.text_dim, steps.along, width);
    if (*steps.along != '\0') at.x += kAlongPx * input.scale;
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(steps.along);
    for (const Step& step : steps.steps) {
      if (ImGui::Button(step.label)) output.commands.push_back({step.command});
      if (ImGui::IsItemHovered()) {
        const CommandRow& row = *find_command(step.command);
        const std::string_view keys = row.shortcut.substr(0, row.shortcut.find(' '));
        ImGui::BeginTooltip();
        show_text(fmt::format("{}  {}", row.title, keys));
        ImGui::EndTooltip();
      }
      ImGui::SameLine(0, 2 * input.scale);
    }
    ImGui::NewLine();
    ImGui::PopID();
  }
}

void InspectorPanel::draw_param(const PanelInput& input, const ElementFacts& facts, size_t index) {
  const ParamLine& line = facts.params[index];
  const float indent = 14 * input.scale * static_cast<float>(line.level);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
  if (line.below > 0) {
    const bool is_folded = folded_.contains(index);
    ImGui::PushID(static_cast<int>(index));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float size = ImGui::GetTextLineHeight();
    if (ImGui::InvisibleButton("fold", {size, size})) {
      if (!folded_.erase(index)) folded_.insert(index);
    }
    draw_fold_mark(input, {at.x + size / 2, at.y + size / 2}, is_folded, ImGui::IsItemHovered());
    ImGui::PopID();
    ImGui::SameLine(0, 2 * input.scale);
  }
  show_text(short_name(line.name, 120), input.theme.text_dim);
  const float usual = kNamePx * input.scale + indent;
  const float behind = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + 8 * input.scale;
  const float room = ImGui::GetWindowContentRegionMax().x - behind;
  if (behind <= usual || room >= kValuePx * input.scale) {
    ImGui::SameLine(std::max(usual, behind));
  } else {  // a long name has a line of its own
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent + 14 * input.scale);
  }
  ImGui::PushTextWrapPos(0);
  show_text(line.below > 0 ? std::string() : printable(line.value, kMostTextBytes));
  ImGui::PopTextWrapPos();
  copy_menu(static_cast<int>(10'000 + index), line.value, facts.params_text);
}

void InspectorPanel::draw_params(const PanelInput& input, const ElementFacts& facts) {
  if (facts.params.empty()) return;
  heading(input, "Parameters");
  for (size_t i = 0; i < facts.params.size(); ++i) {
    draw_param(input, facts, i);
    if (folded_.contains(i)) i += facts.params[i].below;
  }
  if (facts.params_are_cut) show_text("… cut: there is more", input.theme.text_dim);
}

void InspectorPanel::draw_payload(const PanelInput& input, const ElementFacts& facts) {
  if (facts.payload.empty()) return;
  heading(input, "Payload (" + format_bytes(facts.payload_bytes) + ")");
  if (facts.payload.size() < facts.payload_bytes) {
    show_text("the first " + format_bytes(facts.payload.size()), input.theme.text_dim);
  }
  ByteRange pointed;
  if (facts.fields) {
    show_text(printable("as " + facts.fields->type), input.theme.text_dim);
    pointed = fields_.draw(input, *facts.fields);
    ImGui::Spacing();
  }
  draw_hex(input, facts.payload, pointed);
  if (small_button("Copy as hex")) {
    ImGui::SetClipboardText(hexadecimal(facts.payload).c_str());
  }
}

void InspectorPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.model) return;
  if (!input.trace->element())
    return draw_notice(input, input.area, "Nothing is selected: click an element in the timeline");
  begin_content(input.area, {10 * input.scale, 8 * input.scale});
  const auto found =
      facts_.find({input.model->trace, *input.trace->element(), input.trace->names().symbols()});
  output.is_stale |= found.is_stale;
  if (shown_ != found.value) {
    folded_.clear();
    fields_.unfold();
  }
  shown_ = found.value;
  draw_steps(input, output);
  ImGui::Spacing();
  if (shown_ && shown_->key.trace == input.model->trace && shown_->element) {
    offer_sheet(input, "", found.is_stale, [&] { return sheet_of(shown_); }, output);
    draw_fields(input, output, *shown_);
    draw_params(input, *shown_);
    if (!shown_->element->is_link()) draw_parents(input, output, *shown_);
    draw_wakers(input, output, *shown_);
    draw_instead(input, output, *shown_);
    draw_links(input, output, "Sends", 2000, *shown_, true);
    draw_links(input, output, "Receives", 3000, *shown_, false);
    draw_chain(input, *shown_, output);
    draw_payload(input, *shown_);
  } else if (!found.is_stale) {
    show_text("It is not in what has been loaded so far.", input.theme.text_dim);
  }
  ImGui::EndChild();
}

}  // namespace weft::app
