#include "core/formats/hpc/pj_dump/pj_dump_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/base/large_vector.h"
#include "core/base/text.h"
#include "core/base/text_numbers.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/hpc/paje/paje_text.h"

namespace weft::formats {
namespace {

using trace::Category;

enum class Entity : uint8_t { kContainer, kState, kLink, kVariable, kEvent, kNone };
struct EntityName {
  std::string_view name;
  Entity entity;
  size_t fields;  // at least
};
constexpr EntityName kEntities[] = {
    {"Container", Entity::kContainer, 7}, {"State", Entity::kState, 8}, {"Link", Entity::kLink, 9},
    {"Variable", Entity::kVariable, 7},   {"Event", Entity::kEvent, 5},
};

// Separated by commas with a space behind them, in quotes or not. What is too much stays in the
// last field, which may be a name with commas in it. Behind that name `pj_dump -u` prints the
// values of fields that the trace defines itself.
class Fields {
 public:
  void take_apart(std::string_view line, size_t most) {
    count_ = 0;
    while (count_ + 1 < most) {
      const size_t quote = line.starts_with('"') ? line.find("\",") : std::string_view::npos;
      const size_t comma = quote == std::string_view::npos ? line.find(',') : quote + 1;
      if (comma == std::string_view::npos) break;
      fields_[count_++] = without_quotes(line.substr(0, comma));
      line.remove_prefix(comma + 1);
      take_prefix(line, " ");
    }
    fields_[count_++] = without_quotes(line);
  }
  // Of the last field, leaves the name; the rest become parameters. A comma within brackets is the
  // name's.
  void take_own_fields(ArgsText& params) {
    std::string_view& name = fields_[count_ - 1];
    const size_t end = end_of_name(name);
    if (end == name.size()) return;
    std::string_view rest = name.substr(end + 1);
    name = without_quotes(name.substr(0, end));
    for (int number = 1; !rest.empty(); ++number) {
      take_prefix(rest, " ");
      params.add(fmt::format("field {}", number), without_quotes(take_to(rest, ',')));
    }
  }
  size_t size() const { return count_; }
  std::string_view operator[](size_t i) const {
    return i < count_ ? fields_[i] : std::string_view();
  }

 private:
  static size_t end_of_name(std::string_view text) {
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (std::string_view("(<[{").contains(text[i])) ++depth;
      if (std::string_view(")>]}").contains(text[i])) --depth;
      if (text[i] == ',' && depth <= 0) return i;
    }
    return text.size();
  }

  std::array<std::string_view, 10> fields_;
  size_t count_ = 0;
};

const EntityName* entity_of(std::string_view line) {
  const auto* const it =
      std::ranges::find(kEntities, line.substr(0, line.find(',')), &EntityName::name);
  return it == std::end(kEntities) ? nullptr : it;
}

// The names of the fields, which pj_dump_csv writes before the entities of a kind.
bool is_header(const Fields& fields) {
  const bool is_of_event = fields[2] == "Variable" && fields[3] == "Value";
  return (fields[1] == "Container" || fields[1] == "Parent") &&
         (is_of_event || (fields[2] == "Type" && (fields[3] == "Start" || fields[3] == "Time")));
}

class PjDumpReader {
 public:
  explicit PjDumpReader(trace::EventSink& sink) : sink_(sink) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  void add(std::string_view line, uint64_t offset) {
    const EntityName* const entity = entity_of(line);
    if (entity == nullptr) return sink_.loss("line that is not an entity", offset);
    const bool has_key = entity->entity == Entity::kLink;
    fields_.take_apart(line, entity->fields + (has_key ? 1 : 0));
    if (is_header(fields_)) return;
    if (fields_.size() < entity->fields) return sink_.loss("line with too few fields", offset);
    const auto begin = paje::parse_seconds(fields_[3]);
    const bool is_instant = entity->entity == Entity::kEvent;
    const auto end = is_instant ? begin : paje::parse_seconds(fields_[4]);
    if (!begin || !end) return sink_.loss("line without times", offset);
    if (*end < *begin && entity->entity != Entity::kLink)
      return sink_.loss("entity that ends before it begins", offset);
    switch (entity->entity) {
      case Entity::kContainer:
        return add_container();
      case Entity::kState:
        return add_state(*begin, *end);
      case Entity::kLink:
        return add_link(*begin, *end);
      case Entity::kVariable:
        return add_sample(*begin, offset);
      default:
        return add_event(*begin);
    }
  }

 private:
  // The root of all containers, "0", is not a lane, unless something happens on it. Containers of
  // one name below different ones are different; what happens is said behind its container.
  void add_container() {
    const std::string_view name = fields_[6], parent = fields_[1];
    if (name == "0") return;
    const LaneId above = parent == "0" || parent == name ? LaneId::none() : lane_of(parent);
    const uint64_t key = uint64_t{above.value()} << 32 | names_.add(name).first;
    const size_t* const known = containers_.find(key);
    LaneId& last = value_of(lanes_, name, LaneId::none());
    if (known != nullptr) {
      last = LaneId(static_cast<uint32_t>(*known));
    } else {
      if (last.is_none() || is_declared_[last.value()]) last = new_lane(name);
      containers_.insert(key, last.value());
      is_declared_[last.value()] = true;
    }
    const LaneId lane = last;
    trace::Lane described{
        .name = valid_utf8(name), .parent = above, .kind = paje::lane_kind(fields_[2])};
    // A parent below its own child would be a ring.
    for (LaneId at = described.parent; !at.is_none(); at = parents_[at.value()]) {
      if (at == lane) described.parent = LaneId::none();
    }
    parents_[lane.value()] = described.parent;
    sink_.update_lane(lane, described);
  }

  void add_state(Time begin, Time end) {
    ArgsText params;
    fields_.take_own_fields(params);
    const double depth = parse_number<double>(fields_[6]).value_or(0);
    constexpr double kMostDepth = 1e6;
    sink_.give(trace::StateEvent{
        .begin = begin,
        .duration = end - begin,
        .params = sink_.params(params.take()),
        .lane = lane_of(fields_[1]),
        .type = sink_.type(Category::kState, valid_utf8(fields_[7]), valid_utf8(fields_[2])),
        .nesting = static_cast<uint32_t>(std::clamp(depth, 0.0, kMostDepth))});
  }

  void add_link(Time send, Time receive) {
    ArgsText params, own;
    fields_.take_own_fields(own);
    if (!fields_[9].empty()) params.add("key", fields_[9]);
    sink_.give(trace::LinkEvent{
        .send = send,
        .receive = receive,
        .params = sink_.params(merged_args(params.take(), own.take())),
        .source = lane_of(fields_[7]),
        .target = lane_of(fields_[8]),
        .type = sink_.type(Category::kLink, valid_utf8(fields_[6]), valid_utf8(fields_[2]))});
  }

  // A value holds until the next line's begins.
  void add_sample(Time begin, uint64_t offset) {
    const auto value = parse_number<double>(fields_[6]);
    if (!value) return sink_.loss("value that is not a number", offset);
    sink_.give(
        trace::VariableSample{.time = begin,
                              .value = *value,
                              .lane = lane_of(fields_[1]),
                              .type = sink_.type(Category::kVariable, valid_utf8(fields_[2]))});
  }

  void add_event(Time time) {
    ArgsText params;
    fields_.take_own_fields(params);
    sink_.give(trace::PunctualEvent{
        .time = time,
        .params = sink_.params(params.take()),
        .lane = lane_of(fields_[1]),
        .type = sink_.type(Category::kPunctual, valid_utf8(fields_[4]), valid_utf8(fields_[2]))});
  }

  // That of the last container of this name.
  LaneId lane_of(std::string_view name) {
    LaneId& lane = value_of(lanes_, name, LaneId::none());
    if (lane.is_none()) lane = new_lane(name);
    return lane;
  }

  LaneId new_lane(std::string_view name) {
    const LaneId lane = sink_.add_lane({.name = name == "0" ? "root" : valid_utf8(name)});
    const size_t lanes = std::max<size_t>(parents_.size(), lane.value() + 1);
    parents_.resize(lanes, LaneId::none());
    is_declared_.resize(lanes);
    return lane;
  }

  trace::EventSink& sink_;
  Fields fields_;
  ByName<LaneId> lanes_;
  TextNumbers names_;                           // of containers
  FlatIndex<uint64_t, NumberHash> containers_;  // lanes by what they are in, and name
  LargeVector<LaneId> parents_;                 // by lane
  std::vector<bool> is_declared_;               // likewise
};

}  // namespace

int sniff_pj_dump(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const std::string_view line = text.substr(0, text.find('\n'));
  const EntityName* const entity = entity_of(line);
  if (entity == nullptr) return 0;
  Fields fields;
  fields.take_apart(trimmed(line), entity->fields);
  if (is_header(fields)) return 85;
  return fields.size() == entity->fields && paje::parse_seconds(fields[3]) ? 85 : 0;
}

Status read_pj_dump(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  PjDumpReader reader(sink);
  for_each_ended_line(source, sink,
                      [&](const io::Line& line) { reader.add(line.text, line.offset); });
  return {};
}

}  // namespace weft::formats
