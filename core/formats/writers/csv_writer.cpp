#include "core/formats/writers/csv_writer.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/own_csv.h"
#include "core/formats/writers/trace_writer.h"

namespace weft::formats {
namespace {

class CsvWriter final : public TraceWriter {
 public:
  explicit CsvWriter(TextFile file) : TraceWriter(std::move(file)) {
    out().print("{},type_group,time_base\n", kOwnCsvColumns);
  }

  Status finish() override {
    std::set<std::pair<uint32_t, std::string_view>> names;
    for (uint32_t i = 0; i < dictionary().lanes.size(); ++i) {
      const trace::Lane& lane = dictionary().lanes[i];
      if (lane.kind != trace::LaneKind::kGroup) leave_out(What::kKinds);
      if (lane.sort_index != 0) leave_out(What::kOrder);
      if (lane.name.ends_with('\\')) leave_out(What::kBackslashes);
      if (lane.name.empty()) leave_out(What::kEmptyNames);
      if (!names.emplace(lane.parent.value(), lane.name).second) leave_out(What::kEqualNames);
      if (i >= is_said_.size() || !is_said_[i]) leave_out(What::kEmpty);
    }
    for (const trace::EventType& type : dictionary().types)
      if (type.rgb != trace::EventType::kNoColor) leave_out(What::kColors);
    leave_out(What::kMetadata, dictionary().metadata.size());
    return out().commit();
  }

 private:
  using What = LeftOut::What;

  static std::string name_cell(std::string_view name) { return csv_cell(visible_name(name)); }

  void begin(LaneId lane, EventTypeId type_id, Time time) {
    const trace::EventType& of = type(type_id);
    out().print("{},{},{},{},", name_of(of.category), time.ticks, path(lane), name_cell(of.name));
  }
  void end(ParamsId params, EventTypeId type_id) {
    out().print("{},{},{},{}\n", csv_cell(json_of(params)), payload_of(params),
                name_cell(type(type_id).group), name_of(dictionary().time_base));
  }
  std::string path(LaneId lane) {
    if (lane.is_none()) return {};
    for (LaneId id = lane; !id.is_none(); id = dictionary().lane(id).parent) {
      if (is_said_.size() <= id.value()) is_said_.resize(dictionary().lanes.size());
      is_said_[id.value()] = true;
    }
    return csv_cell(visible_path(dictionary(), lane));
  }

  void write(const trace::StateEvent& event) override {
    begin(event.lane, event.type, event.begin);
    out().print("{},{},,,,", event.duration.ticks, event.nesting);
    end(event.params, event.type);
  }
  void write(const trace::PunctualEvent& event) override {
    begin(event.lane, event.type, event.time);
    out().print(",,,,,");
    end(event.params, event.type);
  }
  void write(const trace::LinkEvent& event) override {
    begin(event.source, event.type, event.source.is_none() ? event.receive : event.send);
    out().print(",,{},{},,", path(event.target),
                event.target.is_none() ? "" : std::to_string(event.receive.ticks));
    end(event.params, event.type);
  }
  void write(const trace::VariableSample& event) override {
    begin(event.lane, event.type, event.time);
    out().print(",,,,{},", event.value);
    end(event.params, event.type);
  }
  using TraceWriter::type;
  std::vector<bool> is_said_;  // by lane: it, or one below it, has an event
};

}  // namespace

Result<std::unique_ptr<Writer>> create_csv_writer(const std::filesystem::path& path) {
  return create_text_writer<CsvWriter>(path);
}

}  // namespace weft::formats
