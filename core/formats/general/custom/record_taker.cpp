#include "core/formats/general/custom/record_taker.h"

#include <algorithm>
#include <utility>

namespace weft::formats::custom {

void RecordTaker::take(Record& record) {
  const CompiledRule* first = nullptr;
  bool is_too_hard = false;
  const std::optional<Time> before = last_ ? last_ : begin_;
  if (rules_.has_children) keep(record);
  for (size_t i = 0; i < rules_.rules.size(); ++i) {
    const CompiledRule& rule = rules_.rules[i];
    const bool is_given_up = hard_records_[i] == kMostHardRecords;
    const Regex::Found found = is_given_up ? Regex::Found::kTooHard : rule.takes(record);
    if (found == Regex::Found::kTooHard) {
      is_too_hard = true;
      hard_records_[i] += is_given_up ? 0 : 1;
    }
    if (found != Regex::Found::kYes) continue;
    if (first == nullptr) {
      first = &rule;
      if (observer_ != nullptr) observer_->see(record, first);
    }
    apply(rule, record, before);
    if (!rule.goes_on()) break;
  }
  if (first != nullptr && rules_.has_children) end_children_before(record, first->makes());
  if (is_too_hard)
    sink_.loss("regular expression that took too long", {record.offset, LaneId::none(), last_});
  if (first != nullptr) {
    knows_any_ = true;
    taken_ += first->makes() != Makes::kNothing;
    return;
  }
  has_unknown_ = true;
  if (observer_ != nullptr) observer_->see(record, nullptr);
  if (!is_too_hard) sink_.loss(unknown_, {record.offset, LaneId::none(), last_});
}

void RecordTaker::apply(const CompiledRule& rule, const Record& record,
                        std::optional<Time> before) {
  if (rule.makes() == Makes::kNothing) return pass_over();
  if (rule.makes() == Makes::kChild) return add_child(rule, record);
  if (rule.makes() == Makes::kLoss) return add_loss(rule, record);
  const std::string_view lack = rule.read_event(record, rules_.time, before, *event_);
  const trace::LossPlace place = {record.offset, LaneId::none(), last_};
  if (lack == kEndAlone) return sink_.note(lack, place);
  if (!lack.empty()) return sink_.loss(lack, place);
  const Time end = event_->end.value_or(event_->time);
  // Records are in the order of their begins, or of their ends.
  const bool is_late = last_ && event_->time < *last_ && end < last_end_;
  if (is_late && !EventMaker::puts_in_order(*event_))
    sink_.note("time runs backwards", {record.offset, LaneId::none(), event_->time});
  last_ = event_->time;
  last_end_ = end;
  if (!rules_.has_children) return maker_.add(*event_);
  give_pending();
  std::swap(event_, pending_);
  pending_text_ = text_;
  is_pending_ = true;
  is_passed_over_ = false;
}

// Its children, too, unless there is an event that they may be of.
void RecordTaker::pass_over() {
  if (!is_pending_) is_passed_over_ = true;
}

// Those behind what should have been an event are of none before it. Losses and what makes nothing
// may stand between an event and its children.
void RecordTaker::end_children_before(const Record& record, Makes makes) {
  const bool is_event = is_pending_ && pending_->offset == record.offset;
  const bool is_between =
      makes == Makes::kChild || makes == Makes::kNothing || makes == Makes::kLoss;
  if (is_event || is_between) return;
  give_pending();
  is_passed_over_ = true;
}

void RecordTaker::add_loss(const CompiledRule& rule, const Record& record) {
  const uint64_t count = rule.read_loss(record);
  told_losses_ += count;
  if (count > 0)
    sink_.loss("events lost by the tracer", {record.offset, LaneId::none(), last_}, count);
}

void RecordTaker::keep(Record& record) {
  text_ = 1 - pending_text_;
  std::string& text = texts_[text_];
  const auto for_each_view = [&record](const auto& each) {
    each(record.text);
    for (Field& field : record.fields) {
      each(field.name);
      each(field.value);
    }
  };
  text.clear();
  for_each_view([&](std::string_view view) { text += view; });
  const char* at = text.data();
  for_each_view([&](std::string_view& view) {
    if (view.data() == nullptr) return;
    view = {at, view.size()};
    at += view.size();
  });
}

// A parameter that comes again goes on in another line.
void RecordTaker::add_child(const CompiledRule& rule, const Record& record) {
  constexpr size_t kMostBytes = 256 << 10;
  if (is_passed_over_) return;
  if (!is_pending_) return sink_.loss("child of no event", record.offset);
  rule.read_params(record, child_);
  for (const auto& [name, text] : child_.params) {
    child_bytes_ += name.size() + text.size();
    if (child_bytes_ > kMostBytes)
      return sink_.loss("child beyond the memory", {record.offset, LaneId::none(), last_});
    auto grown = std::ranges::find(grown_, name, &std::pair<std::string, std::string>::first);
    auto known = std::ranges::find(pending_->params, name, &EventParam::name);
    const bool is_new = known == pending_->params.end();
    if (is_new) known = pending_->params.emplace(known);
    if (grown == grown_.end()) grown = grown_.emplace(grown, name, known->text);
    if (!is_new) grown->second += '\n';
    grown->second += text;
    *known = {grown->first, grown->second};
  }
}

void RecordTaker::give_pending() {
  if (is_pending_) maker_.add(*pending_);
  is_pending_ = false;
  grown_.clear();
  child_bytes_ = 0;
}

void RecordTaker::finish() {
  give_pending();
  maker_.finish();
}

}  // namespace weft::formats::custom
