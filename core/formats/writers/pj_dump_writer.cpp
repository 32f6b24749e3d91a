#include "core/formats/writers/pj_dump_writer.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/formats/writers/trace_writer.h"

namespace weft::formats {
namespace {

bool parts_fields(char c) { return c == ',' || static_cast<uint8_t>(c) < 0x20; }

// A field between commas, on one line, not in quotes.
std::string field(std::string_view text) {
  std::string out(text.empty() ? "-" : text);
  if (out.front() == '"') out.front() = '\'';
  for (char& c : out) {
    if (parts_fields(c)) c = c == ',' ? ';' : ' ';
  }
  return out;
}

std::string group_of(const trace::EventType& type) {
  return type.group.empty() ? "EVENT" : field(type.group);
}

class PjDumpWriter final : public TraceWriter {
 public:
  explicit PjDumpWriter(TextFile file) : TraceWriter(std::move(file)) {}

  // Containers may be said at the end, when their times are known.
  Status finish() override {
    for (const auto& [variable, sample] : samples_) give(sample, last_);
    if (dictionary().lanes.empty()) out().print("Container, 0, 0, 0, 0, 0, 0\n");
    for (const LaneId id : dictionary().lanes_in_order()) {
      const trace::Lane& lane = dictionary().lane(id);
      out().print("Container, {}, {}, {}, {}, {}, {}\n",
                  lane.parent.is_none() ? "0" : container(lane.parent), field(name_of(lane.kind)),
                  seconds_text(first_.value_or(0)), seconds_text(last_),
                  seconds_text(saturating_sub(last_, first_.value_or(0))), container(id));
      if (lane.name.empty()) leave_out(What::kEmptyNames);
    }
    for (const trace::EventType& type : dictionary().types) {
      if (type.rgb != trace::EventType::kNoColor) leave_out(What::kColors);
      if (type.name.empty()) leave_out(What::kEmptyTypes);
      if (type.category == trace::Category::kVariable && !type.group.empty())
        leave_out(What::kGroups);
    }
    leave_out(What::kMetadata, dictionary().metadata.size());
    leave_out_characters([](std::string_view name) {
      return name.starts_with('"') || std::ranges::any_of(name, parts_fields);
    });
    return out().commit();
  }

 private:
  using What = LeftOut::What;

  const std::string& container(LaneId id) {
    for (uint32_t i = static_cast<uint32_t>(names_.size()); i <= id.value(); ++i) {
      const std::string name = field(dictionary().lanes[i].name);
      std::string unique = name;
      while (unique == "0" || taken_.contains(unique))
        unique = name + " (" + dictionary().path_text(LaneId(i)) + ' ' + std::to_string(i) + ')';
      if (unique != name && !dictionary().lanes[i].name.empty()) leave_out(What::kEqualNames);
      names_.push_back(field(unique));
      taken_.insert(names_.back());
    }
    return names_[id.value()];
  }

  int64_t seen(Time time) {
    const int64_t ns = ns_from(time.ticks);
    first_ = std::min(first_.value_or(ns), ns);
    last_ = std::max(last_, ns);
    return ns;
  }

  void write(const trace::StateEvent& event) override {
    if (is_out_of_reach(event.begin, event.begin + event.duration)) return;
    const int64_t begin = seen(event.begin), end = seen(event.begin + event.duration);
    out().print("State, {}, {}, {}, {}, {}, {}.000000, {}\n", container(event.lane),
                group_of(type(event.type)), seconds_text(begin), seconds_text(end),
                seconds_text(end - begin), event.nesting, field(type(event.type).name));
    leave_out(event.params);
  }
  void write(const trace::PunctualEvent& event) override {
    if (is_out_of_reach(event.time, event.time)) return;
    out().print("Event, {}, {}, {}, {}\n", container(event.lane), group_of(type(event.type)),
                seconds_text(seen(event.time)), field(type(event.type).name));
    leave_out(event.params);
  }
  void write(const trace::LinkEvent& event) override {
    if (event.source.is_none() || event.target.is_none()) {
      leave_out(What::kEvents);
      return;
    }
    if (is_out_of_reach(event.send, event.receive)) return;
    const int64_t send = seen(event.send), receive = seen(event.receive);
    out().print("Link, 0, {}, {}, {}, {}, {}, {}, {}, {}\n", group_of(type(event.type)),
                seconds_text(send), seconds_text(receive), seconds_text(receive - send),
                field(type(event.type).name), container(event.source), container(event.target),
                key_of(event.params));
  }
  // The key by which Pajé pairs a link's ends, if the trace has it.
  std::string key_of(ParamsId params) {
    ++links_;
    const auto json = nlohmann::json::parse(json_of(params), nullptr, false);
    const auto key = json.is_object() ? json.find("key") : json.end();
    const bool is_there = json.is_object() && key != json.end() && key->is_string();
    if (!is_there || json.size() > 1) leave_out(params);
    return is_there ? field(key->get_ref<const std::string&>()) : std::to_string(links_);
  }
  // A value holds until the next.
  void write(const trace::VariableSample& event) override {
    if (!std::isfinite(event.value)) {
      leave_out(What::kEvents);
      return;
    }
    if (is_out_of_reach(event.time, event.time)) return;
    leave_out(event.params);
    const int64_t begin = seen(event.time);
    const auto [it, is_new] =
        samples_.try_emplace({event.lane.value(), event.type.value()}, Sample{event, begin});
    if (is_new) return;
    give(it->second, begin);
    it->second = {event, begin};
  }

  struct Sample {
    trace::VariableSample event;
    int64_t begin;
  };
  void give(const Sample& sample, int64_t end) {
    out().print("Variable, {}, {}, {}, {}, {}, {}\n", container(sample.event.lane),
                field(type(sample.event.type).name), seconds_text(sample.begin), seconds_text(end),
                seconds_text(saturating_sub(end, sample.begin)), sample.event.value);
  }

  using TraceWriter::type;
  std::deque<std::string> names_;  // by lane; they stay where they are
  std::set<std::string> taken_;
  std::map<std::pair<uint32_t, uint32_t>, Sample> samples_;  // the last, by lane and type
  std::optional<int64_t> first_;
  int64_t last_ = 0;
  uint64_t links_ = 0;
};

}  // namespace

Result<std::unique_ptr<Writer>> create_pj_dump_writer(const std::filesystem::path& path) {
  return create_text_writer<PjDumpWriter>(path);
}

}  // namespace weft::formats
