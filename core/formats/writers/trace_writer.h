// The base of writers of text formats: dictionary, parameters and file.
//
// Expects lanes, types and events in order of time, as from query::extract(), and keeps parameters
// for the next events only. What the format cannot express is left out and counted (LeftOut).
// Memory: lanes, types and what is open.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/formats.h"
#include "core/formats/writers/left_out.h"
#include "core/formats/writers/text_file.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

class TraceWriter : public Writer {
 public:
  std::vector<std::string> left_out() const override { return left_out_.said(); }
  uint64_t events_left_out() const override { return left_out_.events(); }

  void set_time_base(TimeBase base) override;
  void set_metadata(std::string_view key, std::string_view value) override;
  LaneId add_lane(const trace::Lane& lane) override;
  void update_lane(LaneId id, const trace::Lane& lane) override;
  EventTypeId type(trace::Category category, std::string_view name,
                   std::string_view group) override;
  void set_type_color(EventTypeId id, uint32_t rgb) override;
  ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) override;
  void states(std::span<const trace::StateEvent> events) override;
  void punctuals(std::span<const trace::PunctualEvent> events) override;
  void links(std::span<const trace::LinkEvent> events) override;
  void variables(std::span<const trace::VariableSample> events) override;
  void loss(std::string_view, const trace::LossPlace&, uint64_t, bool) override {}
  void set_end(Time) override {}
  void progress(uint64_t, uint64_t) override {}
  bool keep_going() const override { return file_.is_ok(); }

 protected:
  explicit TraceWriter(TextFile file) : file_(std::move(file)) {}

  virtual void write(const trace::StateEvent& event) = 0;
  virtual void write(const trace::PunctualEvent& event) = 0;
  virtual void write(const trace::LinkEvent& event) = 0;
  virtual void write(const trace::VariableSample& event) = 0;

  const trace::Dictionary& dictionary() const { return dictionary_; }
  const trace::EventType& type(EventTypeId id) const { return dictionary_.type(id); }
  // The current event's parameters as a JSON object, and its payload; empty if there are none.
  std::string_view json_of(ParamsId id) const;
  std::string_view payload_of(ParamsId id) const;  // in hexadecimal
  // In nanoseconds; ticks and cycles are kept as they are.
  int64_t ns_from(int64_t ticks) { return left_out_.ns_from(ticks); }
  int64_t ns_from_zero(int64_t ticks) { return left_out_.ns_from_zero(ticks); }
  bool is_out_of_reach(Time first, Time last) { return left_out_.is_out_of_reach(first, last); }
  bool is_out_of_reach_from_zero(Time first, Time last) {
    return left_out_.is_out_of_reach_from_zero(first, last);
  }

  TextFile& out() { return file_; }
  void leave_out(LeftOut::What what, uint64_t count = 1) { left_out_.add(what, count); }
  // Counts the event's parameters, if any, as left out.
  void leave_out(ParamsId params) {
    if (!params.is_none()) left_out_.add(LeftOut::What::kParams);
  }
  // Counts the names of lanes, types and groups of which characters are replaced.
  void leave_out_characters(bool (*is_changed)(std::string_view name));

 private:
  template <class Event>
  void write_all(std::span<const Event> events);

  struct Params {
    std::string json, payload;
  };
  TextFile file_;
  LeftOut left_out_;
  trace::Dictionary dictionary_;
  std::vector<Params> params_;  // of the events to come
};

// Creates a writer of this class, for Format::create_writer.
template <class TextWriter>
Result<std::unique_ptr<Writer>> create_text_writer(const std::filesystem::path& path) {
  WEFT_TRY_ASSIGN(TextFile file, TextFile::create(path));
  return std::make_unique<TextWriter>(std::move(file));
}

// Formats seconds as "12.000000345".
std::string seconds_text(int64_t ns);

}  // namespace weft::formats
