#include "core/formats/writers/csv_writer.h"

#include <utility>

#include "core/base/text.h"
#include "core/formats/writers/trace_writer.h"

namespace weft::formats {
namespace {

class CsvWriter final : public TraceWriter {
 public:
  explicit CsvWriter(TextFile file) : TraceWriter(std::move(file)) {
    out().print("{}\n", kCsvHeader);
  }

  Status finish() override { return out().commit(); }

 private:
  void begin(LaneId lane, EventTypeId type_id, Time time) {
    const trace::EventType& of = type(type_id);
    out().print("{},{},{},{},", name_of(of.category), time.ticks, path(lane), csv_cell(of.name));
  }
  void end(ParamsId params) {
    out().print("{},{}\n", csv_cell(json_of(params)), payload_of(params));
  }
  std::string path(LaneId lane) const {
    return lane.is_none() ? std::string() : csv_cell(dictionary().path_text(lane));
  }

  void write(const trace::StateEvent& event) override {
    begin(event.lane, event.type, event.begin);
    out().print("{},{},,,,", event.duration.ticks, event.nesting);
    end(event.params);
  }
  void write(const trace::PunctualEvent& event) override {
    begin(event.lane, event.type, event.time);
    out().print(",,,,,");
    end(event.params);
  }
  void write(const trace::LinkEvent& event) override {
    begin(event.source, event.type, event.source.is_none() ? event.receive : event.send);
    out().print(",,{},{},,", path(event.target),
                event.target.is_none() ? "" : std::to_string(event.receive.ticks));
    end(event.params);
  }
  void write(const trace::VariableSample& event) override {
    begin(event.lane, event.type, event.time);
    out().print(",,,,{},", event.value);
    end(event.params);
  }
  using TraceWriter::type;
};

}  // namespace

Result<std::unique_ptr<Writer>> create_csv_writer(const std::filesystem::path& path) {
  return create_text_writer<CsvWriter>(path);
}

}  // namespace weft::formats
