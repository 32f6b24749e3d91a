#include "core/formats/general/perfetto/perfetto_writer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/formats/general/perfetto/packet_writer.h"
#include "core/formats/general/perfetto/track_writer.h"
#include "core/formats/writers/left_out.h"
#include "core/io/output_file.h"

namespace weft::formats {
namespace {

using perfetto::annotations_of;
using perfetto::EventPacket;
using perfetto::PacketWriter;
using perfetto::TrackPacket;
using perfetto::TrackWriter;

constexpr size_t kWriteFrom = size_t{1} << 20;

class PerfettoWriter final : public Writer {
 public:
  explicit PerfettoWriter(io::OutputFile file) : file_(std::move(file)), tracks_(packets_) {}

  void set_time_base(TimeBase base) override { left_out_.set_time_base(base); }
  void set_metadata(std::string_view, std::string_view) override { left_out_.add(What::kMetadata); }
  LaneId add_lane(const trace::Lane& lane) override {
    using trace::LaneKind;
    const bool is_said = lane.kind == LaneKind::kProcess || lane.kind == LaneKind::kThread ||
                         lane.kind == LaneKind::kAsync || lane.kind == LaneKind::kCounter;
    if (!is_said) left_out_.add(What::kKinds);
    return tracks_.add_lane(lane);
  }
  void update_lane(LaneId id, const trace::Lane& lane) override { tracks_.update_lane(id, lane); }
  EventTypeId type(trace::Category category, std::string_view name,
                   std::string_view group) override {
    const auto [it, is_new] = type_ids_.try_emplace(
        {category, std::string(name), std::string(group)}, static_cast<uint32_t>(types_.size()));
    if (is_new) types_.push_back(&it->first);
    if (is_new && category == trace::Category::kVariable && !group.empty())
      left_out_.add(What::kGroups);
    return EventTypeId(it->second);
  }
  void set_type_color(EventTypeId, uint32_t) override { left_out_.add(What::kColors); }
  ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) override {
    params_[params_made_ % kParamsKept] = annotations_of(json, payload);
    return ParamsId(params_made_++);
  }

  void states(std::span<const trace::StateEvent> events) override {
    for (const trace::StateEvent& e : events) {
      if (left_out_.is_out_of_reach_from_zero(e.begin, e.begin + e.duration)) continue;
      const int64_t begin = ns_of(e.begin), end = ns_of(e.begin + e.duration);
      const uint64_t track = tracks_.begin_state(e.lane, begin, end);
      EventPacket packet{.time = begin, .track = track, .kind = perfetto::kSliceBegin};
      give(packet, e.type, e.params);
    }
  }
  void punctuals(std::span<const trace::PunctualEvent> events) override {
    for (const trace::PunctualEvent& e : events) {
      if (left_out_.is_out_of_reach_from_zero(e.time, e.time)) continue;
      EventPacket packet{
          .time = ns_of(e.time), .track = tracks_.of_lane(e.lane), .kind = perfetto::kInstant};
      give(packet, e.type, e.params);
    }
  }
  void links(std::span<const trace::LinkEvent> events) override {
    for (const trace::LinkEvent& e : events) {
      // A flow goes from what is earlier to what is later: one that leads back would read as two.
      if (!e.source.is_none() && !e.target.is_none() && e.receive < e.send) {
        left_out_.add(What::kEvents);
        continue;
      }
      if (left_out_.is_out_of_reach_from_zero(e.source.is_none() ? e.receive : e.send,
                                              e.target.is_none() ? e.send : e.receive))
        continue;
      ++links_;
      const auto give_end = [&](LaneId lane, Time time, char phase, ParamsId params) {
        if (lane.is_none()) return;
        EventPacket packet{
            .time = ns_of(time), .track = tracks_.of_lane(lane), .phase = phase, .flow = links_};
        give(packet, e.type, params);
      };
      give_end(e.source, e.send, 's', e.params);
      give_end(e.target, e.receive, 'f', e.source.is_none() ? e.params : ParamsId::none());
    }
  }
  void variables(std::span<const trace::VariableSample> events) override {
    for (const trace::VariableSample& e : events) {
      if (left_out_.is_out_of_reach_from_zero(e.time, e.time)) continue;
      const uint64_t track = tracks_.counter(e.lane, std::get<1>(*types_[e.type.value()]));
      packets_.add_sample(ns_of(e.time), track, e.value);
      if (!e.params.is_none()) left_out_.add(What::kParams);
      flush(false);
    }
  }
  void loss(std::string_view, const trace::LossPlace&, uint64_t, bool) override {}
  void set_end(Time) override {}
  void progress(uint64_t, uint64_t) override {}
  bool keep_going() const override { return !error_; }
  std::vector<std::string> left_out() const override { return left_out_.said(); }
  uint64_t events_left_out() const override { return left_out_.events(); }

  Status finish() override {
    left_out_.add(What::kEmpty, tracks_.end_all());
    // Readers call these by names of their own.
    for (const TypeKey* type : types_) {
      const auto& [category, name, group] = *type;
      const bool must_be_named =
          category == trace::Category::kLink || category == trace::Category::kVariable;
      if (must_be_named && name.empty()) left_out_.add(What::kEmptyTypes);
    }
    flush(true);
    if (error_) return fail(*error_);
    return file_.commit();
  }

 private:
  using What = LeftOut::What;
  static constexpr uint64_t kParamsKept = 1 << 16;

  int64_t ns_of(Time time) { return left_out_.ns_from_zero(time.ticks); }

  void give(EventPacket& packet, EventTypeId type, ParamsId params) {
    const auto& [category, name, group] = *types_[type.value()];
    packet.name = name;
    packet.category = group;
    const bool is_kept = !params.is_none() && params.value() + kParamsKept >= params_made_;
    if (is_kept) packet.annotations = params_[params.value() % kParamsKept];
    packets_.add_event(packet);
    flush(false);
  }

  void flush(bool is_end) {
    std::string& text = packets_.bytes();
    if ((text.size() < kWriteFrom && !is_end) || error_) return;
    const Status status = file_.write_at(written_, std::as_bytes(std::span(text)));
    if (!status) error_ = status.error();
    written_ += text.size();
    text.clear();
  }

  using TypeKey = std::tuple<trace::Category, std::string, std::string>;

  io::OutputFile file_;
  PacketWriter packets_;
  TrackWriter tracks_;
  std::map<TypeKey, uint32_t> type_ids_;
  std::vector<const TypeKey*> types_;
  std::vector<std::string> params_ = std::vector<std::string>(kParamsKept);  // by id, a ring
  uint64_t params_made_ = 0;
  uint64_t links_ = 0;
  LeftOut left_out_;
  uint64_t written_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<std::unique_ptr<Writer>> create_perfetto_writer(const std::filesystem::path& path) {
  WEFT_TRY_ASSIGN(io::OutputFile file, io::OutputFile::create(path));
  return std::make_unique<PerfettoWriter>(std::move(file));
}

}  // namespace weft::formats
