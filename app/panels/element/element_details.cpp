#include "app/panels/element/element_details.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "app/base/json.h"
#include "app/panels/element/element_facts.h"
#include "app/panels/sequence/message_signs.h"
#include "app/session/losses.h"
#include "core/base/text.h"
#include "core/base/value_text.h"

namespace weft::app {
namespace {

using layout::Hit;

constexpr size_t kMaxValueBytes = 120;

void add_params(const store::Params& params, Details& details) {
  details.payload_bytes = params.payload.size();
  if (params.json.empty()) return;
  const Json json = parse_json(params.json);
  if (!json.is_object()) {
    details.params.emplace_back("", std::string(params.json.substr(0, kMaxValueBytes)));
    return;
  }
  for (const auto& [name, value] : json.items()) {
    if (details.params.size() == Details::kMaxParams) {
      details.params_left_out = json.size() - Details::kMaxParams;
      break;
    }
    details.params.emplace_back(name, plain_text(value));
  }
}

bool add_types(const DetailsKey& key, const std::stop_token& stop, Details& details) {
  const TimeRange column = {key.begin, key.begin + key.duration};
  const store::Row& stored = key.trace->row(key.row);
  const aggregate::RowPtr row = key.filter
                                    ? key.rows->get(key.trace, key.row, key.filter, column, stop)
                                    : aggregate::RowPtr(std::shared_ptr<void>(), &stored);
  if (!row) return false;
  aggregate::TypeShares shares = aggregate::types_in(*row, column, Details::kMaxRecords);
  details.is_complete = shares.is_complete;
  for (const aggregate::TypeShare& share : shares.types) {
    details.count += share.count;
    details.busy += share.busy;
  }
  if (shares.types.size() > Details::kMaxTypes) {
    details.types_left_out = shares.types.size() - Details::kMaxTypes;
    shares.types.resize(Details::kMaxTypes);
  }
  details.types = std::move(shares.types);
  if (key.filter) aggregate::density(stored, column, {&details.of, 1});
  return true;
}

void add_of_state(const DetailsKey& key, const store::Record& record, Details& details) {
  const store::Row& row = key.trace->row(key.row);
  if (row.kind != store::RowKind::kState) return;
  query::Element state;
  state.row = key.row;
  state.record = record;
  state.ref.lane = row.lane;
  state.ref.which = row.depth;
  const query::Elements elements(key.trace);
  details.self = elements.self_time(state);
  details.instead = query::ran_instead(elements, state);
}

void show_line(const PanelInput& input, std::string_view name, std::string_view value) {
  show_text(name, input.theme.text_dim);
  // A long name is followed by its value, not covered.
  const float after = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + 10 * input.scale;
  ImGui::SameLine(std::max(110 * input.scale, after));
  show_text(value);
}

// "waited for  CPU 1", "ran instead  firefox 1.2 ms, kworker 300 µs, 4 more"
void show_instead(const PanelInput& input, const query::RanInstead& instead) {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  std::string text;
  const size_t shown = std::min(instead.threads.size(), Details::kMaxRunners);
  for (const query::RanInstead::Thread& thread : std::span(instead.threads).first(shown)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        short_name(name_of(dictionary, thread), 40),
                        length_label(thread.time, *input.trace));
  }
  if (shown < instead.threads.size())
    text += fmt::format(", {} more", instead.threads.size() - shown);
  if (text.empty()) text = "no thread";
  show_line(input, "waited for", short_name(dictionary.lane(instead.cpu).name, 40));
  show_line(input, "ran instead", text);
}

void show_heading(const PanelInput& input, std::string_view text) {
  ImGui::PushFont(input.fonts.bold);
  show_text(text.empty() ? "(no name)" : text);
  ImGui::PopFont();
}

std::string percent(double share) {
  return share > 0 && share < 0.01 ? "< 1 %" : fmt::format("{:.0f} %", share * 100);
}

void show_params(const PanelInput& input, const Details& details) {
  if (!details.params.empty() || details.payload_bytes > 0) ImGui::Separator();
  for (const auto& [name, value] : details.params) {
    show_line(input, short_name(name, 40), printable(value, kMaxValueBytes));
  }
  if (details.params_left_out > 0) {
    show_text(fmt::format("and {} more", details.params_left_out), input.theme.text_dim);
  }
  if (details.payload_bytes > 0) {
    show_line(input, "payload", format_bytes(details.payload_bytes));
  }
}

void show_element(const PanelInput& input, const Hit& hit, const Details* details) {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  const trace::EventType& type = dictionary.type(hit.type);
  show_swatch(input, hit.type);
  show_heading(input, type.name);
  show_text(dictionary.path_text(input.model->trace->row(hit.row).lane), input.theme.text_dim);
  ImGui::Separator();
  if (!type.group.empty()) show_line(input, "group", type.group);
  const bool is_variable = hit.row_kind == store::RowKind::kVariable;  // whose values last
  show_line(input, is_variable ? "since" : "at", exact_label(hit.begin, *input.trace));
  if (hit.row_kind == store::RowKind::kState) {
    show_line(input, "duration", length_label(hit.duration, *input.trace));
    if (details && details->without_end > 0) show_line(input, "end", "not in the trace");
    // Self time is shown only if it differs from the duration, which it does not for a state
    // without callees.
    if (details && details->self != hit.duration)
      show_line(input, "self", length_label(details->self, *input.trace));
    const uint32_t depth = input.model->trace->row(hit.row).depth;
    if (depth > 0) show_line(input, "depth", fmt::format("{}", depth));
    if (details && details->instead) show_instead(input, *details->instead);
  }
  if (is_variable) {
    const double value = hit.values.last;
    const bool is_word = layout::has_words(dictionary, input.model->trace->row(hit.row));
    show_line(input, "value", format_value(value));
    if (is_word && input.session.look.radix != Radix::kDecimal)
      show_line(input, "", format_word(value, input.session.look.radix));
  }
  if (details) show_params(input, *details);
}

void show_types(const PanelInput& input, const Details& details) {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  for (const aggregate::TypeShare& type : details.types) {
    const double share = details.busy > 0
                             ? static_cast<double>(type.busy) / static_cast<double>(details.busy)
                             : static_cast<double>(type.count) /
                                   static_cast<double>(std::max<uint64_t>(1, details.count));
    show_text(percent(share), input.theme.text_dim);
    ImGui::SameLine(52 * input.scale);
    show_swatch(input, type.type);
    show_text(short_name(dictionary.type(type.type).name, 60));
    ImGui::SameLine();
    show_text("× " + format_count(type.count), input.theme.text_dim);
  }
  if (details.types_left_out > 0) {
    show_text(fmt::format("and {} more types", details.types_left_out), input.theme.text_dim);
  }
  if (!details.is_complete) {
    show_text("of the first " + format_count(Details::kMaxRecords), input.theme.text_dim);
  }
}

void show_aggregate(const PanelInput& input, const TimeAxis& axis, const Hit& hit,
                    const Details* details) {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  show_heading(input, counted(hit.count, "event") + ", too narrow to tell apart");
  show_text(dictionary.path_text(input.model->trace->row(hit.row).lane), input.theme.text_dim);
  ImGui::Separator();
  show_line(input, "at", axis.label(hit.begin, *input.trace));
  show_line(input, "within", length_label(hit.duration, *input.trace));
  if (hit.row_kind == store::RowKind::kState) {
    show_line(input, "busy", percent(hit.busy_share));
    if (details && details->without_end > 0)
      show_line(input, "without end", format_count(details->without_end));
  }
  if (details && details->of > 0) {
    show_line(input, "filter",
              fmt::format("passes {} of {} that begin here", format_count(hit.count),
                          format_count(details->of)));
  }
  if (hit.row_kind == store::RowKind::kVariable) {
    show_line(input, "values", format_value(hit.values.min) + " … " + format_value(hit.values.max));
  }
  ImGui::Separator();
  if (details) {
    show_types(input, *details);
    if (const std::string early = began_before(*details, hit.count); !early.empty())
      show_text(early, input.theme.text_dim);
  } else if (!hit.type.is_none()) {
    show_swatch(input, hit.type);
    show_text(short_name(dictionary.type(hit.type).name, 60));
  }
  show_text("double-click to zoom in", input.theme.text_dim);
}

void show_link(const PanelInput& input, const TimeAxis& axis, const Hit& hit,
               const Details* details) {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  const layout::LinkItem& link = hit.link;
  const auto end_text = [&](LaneId lane, Time time, const char* none) -> std::string {
    if (lane.is_none()) return none;
    const std::string at =
        link.is_bundle() ? axis.label(time, *input.trace) : exact_label(time, *input.trace);
    return short_name(dictionary.path_text(lane), 80) + "  " + at;
  };
  show_heading(input,
               link.is_bundle() ? counted(link.count, "link") : dictionary.type(link.type).name);
  ImGui::Separator();
  show_line(input, "from", end_text(link.source, link.send, "unknown: its send is missing"));
  show_line(
      input, "to",
      end_text(link.target, link.receive,
               link.mark.is_dropped ? "nowhere: it was dropped" : "nowhere: it never arrived"));
  if (const MessageClass* of = class_of(*input.model, link.mark))
    show_line(input, "class", short_name(of->name, 80));
  if (const auto latency = query::latency_of(*input.model->trace, link))
    show_line(input, link.is_bundle() ? "first took" : "took",
              length_label(*latency, *input.trace));
  if (details) show_params(input, *details);
}

DetailsKey details_key(const PanelInput& input, const Hit& hit) {
  const bool is_aggregate = hit.kind == Hit::Kind::kAggregate;
  DetailsKey key{input.model->trace, hit.row, hit.begin, hit.duration, hit.type, is_aggregate};
  const bool is_link = hit.kind == Hit::Kind::kLink;
  if (is_link && !hit.link.is_bundle()) key.link = element_of(*input.model->trace, hit);
  if (is_aggregate && !hit.is_dim) key.filter = input.filter.tiles().filter;
  if (key.filter) key.rows = input.filter.rows;
  return key;
}

// The details of the element under the pointer, even if the trace has grown since; null: none yet.
std::shared_ptr<const Details> find_details(LatestDetails& details, const DetailsKey& key) {
  const auto found = details.find(key);
  if (!found.is_stale) return found.value;
  if (found.key == nullptr) return nullptr;
  DetailsKey grown = *found.key;
  grown.trace = key.trace;
  return grown == key ? found.value : nullptr;
}

}  // namespace

void show_swatch(const PanelInput& input, EventTypeId type) {
  const float size = ImGui::GetFontSize() - 3 * input.scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + 2 * input.scale;
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, y}, {at.x + size, y + size}, render::color_from_rgb(input.model->palette->color(type)),
      2 * input.scale);
  ImGui::Dummy({size, size});
  ImGui::SameLine();
}

std::string began_before(const Details& details, uint64_t begins) {
  if (!details.is_complete || details.count <= begins) return {};
  return format_count(details.count - begins) + " of them began before";
}

std::string_view name_of(const trace::Dictionary& dictionary,
                         const query::RanInstead::Thread& thread) {
  return thread.lane.is_none() ? dictionary.type(thread.first.record.type).name
                               : std::string_view(dictionary.lane(thread.lane).name);
}

std::optional<Details> make_details(const DetailsKey& key, const std::stop_token& stop) {
  Details details;
  if (key.link) {
    const auto link = query::Elements(key.trace).find(*key.link);
    if (link && !link->record.params.is_none())
      add_params(key.trace->params(link->record.params), details);
    return details;
  }
  if (key.row.is_none()) return details;
  const store::Row& row = key.trace->row(key.row);
  const TimeRange range = {key.begin, key.begin + key.duration};
  const UnpairedEnds unpaired(key.trace->dictionary().report, key.trace->range().end);
  if (row.kind == store::RowKind::kState) {
    details.without_end = key.is_aggregate
                              ? unpaired.count_without_end(row.lane, range)
                              : uint64_t{unpaired.lacks_end(row.lane, range.begin, range.end)};
  }
  if (key.is_aggregate) {
    if (!add_types(key, stop, details)) return std::nullopt;
    return details;
  }
  const TimeRange at = {key.begin, key.begin + Duration{1}};
  key.trace->for_each(row, at, [&](const store::Record& record) {
    const bool is_it =
        record.begin == key.begin && record.type == key.type && record.duration == key.duration;
    if (!is_it) return true;
    if (!record.params.is_none()) add_params(key.trace->params(record.params), details);
    add_of_state(key, record, details);
    return false;
  });
  return details;
}

void show_tooltip(const PanelInput& input, const TimeAxis& axis, const Hit& hit,
                  LatestDetails& latest, PanelOutput& output) {
  const std::shared_ptr<const Details> found = find_details(latest, details_key(input, hit));
  const Details* const details = found.get();
  output.is_stale |= details == nullptr;
  begin_tooltip_within(input.area);
  ImGui::PushTextWrapPos(420 * input.scale);
  switch (hit.kind) {
    case Hit::Kind::kElement:
      show_element(input, hit, details);
      break;
    case Hit::Kind::kAggregate:
      show_aggregate(input, axis, hit, details);
      break;
    case Hit::Kind::kLink:
      show_link(input, axis, hit, details);
      break;
  }
  if (hit.is_dim) show_text("does not pass the filter", input.theme.warning);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace weft::app
