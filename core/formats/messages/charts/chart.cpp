#include "core/formats/messages/charts/chart.h"

#include <algorithm>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/text.h"

namespace weft::formats::charts {

using trace::Category;

std::string as_name(std::string_view text) {
  std::string out = valid_utf8(trimmed(text));
  std::ranges::replace(out, '\n', ' ');
  return out;
}

std::pair<size_t, bool> Chart::participant(std::string_view key) {
  const auto [entry, is_new] = keys_.try_emplace(key, participants_.size());
  if (is_new) {
    participants_.push_back(
        {.lane = sink_.add_lane(
             {.name = as_name(key), .parent = group_, .kind = lane_kind_, .sort_index = 0}),
         .group = group_,
         .color = std::nullopt,
         .active = {}});
  }
  return {entry->second, is_new};
}

void Chart::describe(size_t participant, const std::string& name, int32_t sort_index) {
  const Participant& which = participants_[participant];
  sink_.update_lane(
      which.lane,
      {.name = name, .parent = which.group, .kind = lane_kind_, .sort_index = sort_index});
}

void Chart::begin_group(const std::string& name) {
  group_ = sink_.add_lane({.name = name, .kind = trace::LaneKind::kGroup});
}

EventTypeId Chart::type_of(Category category, const Said& said) {
  const EventTypeId type =
      sink_.type(category, said.label.empty() ? said.kind : said.label, said.kind);
  if (said.color) sink_.set_type_color(type, *said.color);
  return type;
}

LaneId Chart::chart_lane() {
  if (chart_.is_none()) {
    chart_ = sink_.add_lane({.name = "Chart", .kind = trace::LaneKind::kGroup, .sort_index = -1});
  }
  return chart_;
}

// A section around this one is told when this one ends.
void Chart::involve(Range range) {
  if (sections_.empty() || sections_.back().is_fixed) return;
  std::optional<Range>& all = sections_.back().range;
  all = all ? Range{std::min(all->first, range.first), std::max(all->last, range.last)} : range;
}

void Chart::message(const Said& said, std::optional<size_t> source, std::optional<size_t> target,
                    int64_t rows) {
  Said colored = said;
  if (!colored.color && source && !said.label.empty()) colored.color = participants_[*source].color;
  const auto lane_of = [this](std::optional<size_t> participant) {
    return participant ? participants_[*participant].lane : LaneId::none();
  };
  const trace::LinkEvent link{.send = {row_},
                              .receive = {row_},
                              .params = said.params,
                              .source = lane_of(source),
                              .target = lane_of(target),
                              .type = type_of(Category::kLink, colored)};
  involve(Range::of(source.value_or(target.value_or(0)), target.value_or(source.value_or(0))));
  if (rows < 1 || !target) return sink_.give(link);
  skipped_.push_back({link, rows});
}

void Chart::give_state(LaneId lane, EventTypeId type, ParamsId params, int64_t begin, int64_t end) {
  sink_.give(trace::StateEvent{.begin = {begin},
                               .duration = {end - begin},
                               .params = params,
                               .lane = lane,
                               .type = type,
                               .nesting = static_cast<uint32_t>(sections_.size())});
}

void Chart::box(const Said& said, Range range, size_t offset) {
  const EventTypeId type = type_of(Category::kState, said);
  involve(range);
  for (size_t i = range.first; i <= range.last && is_affordable(offset); ++i)
    give_state(participants_[i].lane, type, said.params, row_, row_ + 1);
}

void Chart::note(const Said& said, Range range, size_t offset) {
  const EventTypeId type = type_of(Category::kPunctual, said);
  involve(range);
  for (size_t i = range.first; i <= range.last && is_affordable(offset); ++i) {
    sink_.give(trace::PunctualEvent{
        .time = {row_}, .params = said.params, .lane = participants_[i].lane, .type = type});
  }
}

void Chart::mark(const Said& said) {
  sink_.give(trace::PunctualEvent{.time = {row_},
                                  .params = said.params,
                                  .lane = chart_lane(),
                                  .type = type_of(Category::kPunctual, said)});
}

void Chart::begin_section(const Said& said, std::optional<Range> range, size_t offset) {
  sections_.push_back({said, range, range.has_value(), row_, offset});
  ++row_;
}

void Chart::end_section() {
  const Section section = std::move(sections_.back());
  sections_.pop_back();
  const EventTypeId type = type_of(Category::kState, section.said);
  const ParamsId params = section.said.params;
  if (!section.range) return give_state(chart_lane(), type, params, section.row, row_);
  involve(*section.range);
  for (size_t i = section.range->first; i <= section.range->last; ++i) {
    if (!is_affordable(section.offset)) return;
    give_state(participants_[i].lane, type, params, section.row, row_);
  }
}

void Chart::activate(size_t participant, std::optional<size_t> caller, size_t offset) {
  if (!is_affordable(offset)) return;
  participants_[participant].active.push_back({last_row(), caller});
  activated_.push_back(participant);
}

void Chart::end_activation(Participant& participant, int64_t end) {
  const int64_t begin = participant.active.back().begin;
  participant.active.pop_back();
  give_state(participant.lane, sink_.type(Category::kState, "active", "activation"),
             ParamsId::none(), begin, std::max(begin, end));
}

bool Chart::deactivate(size_t participant) {
  if (participants_[participant].active.empty()) return false;
  end_activation(participants_[participant], last_row());
  return true;
}

std::optional<std::pair<size_t, std::optional<size_t>>> Chart::last_active() {
  while (!activated_.empty() && participants_[activated_.back()].active.empty())
    activated_.pop_back();
  if (activated_.empty()) return std::nullopt;
  const size_t participant = activated_.back();
  return std::pair(participant, participants_[participant].active.back().caller);
}

bool Chart::is_affordable(size_t offset) {
  if (shares_left_ == 0) {
    sink_.loss("item of too many participants", offset);
    return false;
  }
  --shares_left_;
  return true;
}

void Chart::end_chart() {
  while (!sections_.empty()) {
    sink_.note("begin without an end", sections_.back().offset);
    end_section();
  }
  for (Participant& each : participants_) {
    while (!each.active.empty()) end_activation(each, row_);
  }
  activated_.clear();
  end_group();
}

// Messages that go on beyond the chart end with its last row.
void Chart::finish() {
  end_chart();
  for (Skipped& each : skipped_) {
    const int64_t last = std::max(row_ - 1, each.link.send.ticks);
    each.link.receive = {std::min(each.link.send.ticks + each.rows, last)};
    sink_.give(each.link);
  }
}

}  // namespace weft::formats::charts
