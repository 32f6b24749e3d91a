#include "core/formats/general/custom/preview.h"

#include <algorithm>
#include <span>

#include "core/formats/base/text.h"
#include "core/formats/general/custom/custom_reader.h"
#include "core/io/memory_source.h"
#include "core/io/watch.h"

namespace weft::formats::custom {
namespace {

using trace::Category;

// Keeps the records, and where in their texts their fields stand.
class RecordKeeper final : public Observer {
 public:
  RecordKeeper(Preview& preview, const Rules& rules, std::string_view sample)
      : preview_(preview), rules_(rules), sample_(sample) {}

  void see(const Record& record, const CompiledRule* rule) override {
    ++preview_.record_count;
    preview_.unknown_count += rule == nullptr ? 1 : 0;
    count_lines(record.offset);
    if (preview_.records.size() == kMostPreviewed) return;
    PreviewRecord& kept = preview_.records.emplace_back();
    const std::string_view text =
        record.text.data() != nullptr
            ? record.text
            : sample_.substr(std::min<size_t>(record.offset, sample_.size()), record.size_bytes);
    kept.text = text;
    kept.offset = record.offset;
    kept.line = line_;
    if (rule == nullptr) return;
    kept.rule = static_cast<size_t>(rule - rules_.rules.data());
    size_t at = 0;
    for (const Field& field : record.fields) mark(kept, text, field, *rule, at);
    std::ranges::sort(kept.marks, {}, &PreviewMark::begin);
    remove_overlaps(kept.marks);
  }

 private:
  void count_lines(uint64_t offset) {
    for (; counted_ < std::min<uint64_t>(offset, sample_.size()); ++counted_)
      line_ += sample_[counted_] == '\n' ? 1 : 0;
  }

  // A group is a part of the text itself; a cell or an attribute is found in it, behind the last.
  static void mark(PreviewRecord& kept, std::string_view text, const Field& field,
                   const CompiledRule& rule, size_t& at) {
    if (field.value.empty()) return;
    const bool is_in_text = field.value.data() >= text.data() &&
                            field.value.data() + field.value.size() <= text.data() + text.size();
    const size_t begin = is_in_text ? static_cast<size_t>(field.value.data() - text.data())
                                    : text.find(field.value, at);
    if (begin == std::string_view::npos) return;
    const size_t end = begin + field.value.size();
    if (!is_in_text) at = end;
    const auto role = rule.role_of(field.name);
    if (role || !field.name.empty())
      kept.marks.push_back({begin, end, role, std::string(field.name)});
  }

  // Of nested groups the outer one stays.
  static void remove_overlaps(std::vector<PreviewMark>& marks) {
    size_t end = 0;
    std::erase_if(marks, [&](const PreviewMark& mark) {
      if (mark.begin < end) return true;
      end = mark.end;
      return false;
    });
  }

  Preview& preview_;
  const Rules& rules_;
  std::string_view sample_;
  uint64_t counted_ = 0, line_ = 1;
};

// Keeps the first events, with names instead of ids.
class EventKeeper final : public trace::EventSink {
 public:
  EventKeeper(Preview& preview, const std::stop_token& stop) : preview_(preview), stop_(stop) {}

  void set_time_base(TimeBase base) override { preview_.time_base = base; }
  void set_metadata(std::string_view, std::string_view) override {}
  LaneId add_lane(const trace::Lane& lane) override {
    const std::string parent = lane.parent.is_none() ? "" : lanes_[lane.parent.value()] + '/';
    lanes_.push_back(parent + lane.name);
    return LaneId(static_cast<uint32_t>(lanes_.size() - 1));
  }
  void update_lane(LaneId, const trace::Lane&) override {}
  EventTypeId type(Category, std::string_view name, std::string_view) override {
    types_.emplace_back(name);
    return EventTypeId(static_cast<uint32_t>(types_.size() - 1));
  }
  void set_type_color(EventTypeId, uint32_t) override {}
  ParamsId keep_params(std::string_view json, std::span<const std::byte>) override {
    params_.emplace_back(json);
    return ParamsId(params_.size() - 1);
  }
  void states(std::span<const trace::StateEvent> events) override {
    for (const auto& e : events) {
      PreviewEvent* const kept = keep(Category::kState, e.begin, e.lane, e.type, e.params);
      if (kept != nullptr) kept->end = e.begin + e.duration;
    }
  }
  void punctuals(std::span<const trace::PunctualEvent> events) override {
    for (const auto& e : events) keep(Category::kPunctual, e.time, e.lane, e.type, e.params);
  }
  void links(std::span<const trace::LinkEvent> events) override {
    for (const auto& e : events) {
      const Time time = e.source.is_none() ? e.receive : e.send;
      PreviewEvent* const kept = keep(Category::kLink, time, e.source, e.type, e.params);
      if (kept == nullptr) continue;
      kept->target = lane_name(e.target);
      if (!e.target.is_none()) kept->end = e.receive;
    }
  }
  void variables(std::span<const trace::VariableSample> events) override {
    for (const auto& e : events) {
      PreviewEvent* const kept = keep(Category::kVariable, e.time, e.lane, e.type, e.params);
      if (kept != nullptr) kept->value = e.value;
    }
  }
  void loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
            bool is_damage) override {
    // Without its lane: it would be a number of lanes that nobody keeps.
    preview_.report.add(kind, {place.offset, LaneId::none(), place.time}, count, is_damage);
  }
  void set_end(Time) override {}
  void progress(uint64_t, uint64_t) override {}
  bool keep_going() const override { return !stop_.stop_requested(); }

 private:
  std::string lane_name(LaneId lane) const {
    return lane.is_none() ? std::string() : lanes_[lane.value()];
  }
  PreviewEvent* keep(Category category, Time time, LaneId lane, EventTypeId type, ParamsId params) {
    if (++preview_.event_count > kMostPreviewed) return nullptr;
    PreviewEvent& kept = preview_.events.emplace_back();
    kept.category = category;
    kept.time = time;
    kept.lane = lane_name(lane);
    kept.type = types_[type.value()];
    if (!params.is_none()) kept.params = params_[params.value()];
    return &kept;
  }

  Preview& preview_;
  const std::stop_token& stop_;
  std::vector<std::string> lanes_, types_, params_;
};

}  // namespace

Preview preview(const Rules& rules, std::string_view sample, const std::stop_token& stop) {
  constexpr uint64_t kMemoryBytes = 16 << 20;
  Preview out;
  RecordKeeper records(out, rules, sample);
  EventKeeper events(out, stop);
  io::MemorySource source(std::as_bytes(std::span(sample)));
  const Status status = read_custom(rules, source, events, kMemoryBytes, {}, &records);
  if (!status) out.error = status.error().message;
  std::ranges::stable_sort(out.events, {}, &PreviewEvent::time);
  return out;
}

// Of what is still being written these are the whole lines that have come when it pauses.
Result<std::string> read_sample(const std::filesystem::path& path, const std::stop_token& stop) {
  const io::Watch watch{.on_wait = [&stop] { return !stop.stop_requested(); }};
  WEFT_TRY_ASSIGN(const auto source, io::open_watched(path, watch));
  if (source->is_folder()) return fail("is a folder");
  std::string_view text;
  do {
    WEFT_TRY_ASSIGN(const auto head, source->peek(kSampleBytes));
    text = as_chars(head).substr(0, kSampleBytes);
  } while (!text.contains('\n') && text.size() < kSampleBytes && !source->is_ended());
  const size_t feed = text.rfind('\n');
  const bool goes_on = text.size() == kSampleBytes || !source->is_ended();
  return std::string(goes_on && feed != std::string::npos ? text.substr(0, feed + 1) : text);
}

}  // namespace weft::formats::custom
