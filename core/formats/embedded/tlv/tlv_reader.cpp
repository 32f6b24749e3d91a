#include "core/formats/embedded/tlv/tlv_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/large_list.h"
#include "core/base/text_decoder.h"
#include "core/base/text_numbers.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/embedded/tlv/by_two.h"
#include "core/formats/embedded/tlv/tlv_calls.h"
#include "core/formats/embedded/tlv/tlv_component_log.h"
#include "core/formats/embedded/tlv/tlv_condition.h"
#include "core/formats/embedded/tlv/tlv_kernel_log.h"
#include "core/formats/embedded/tlv/tlv_line.h"
#include "core/formats/embedded/tlv/tlv_resources.h"

namespace weft::formats {
namespace {

using trace::Category;

class TlvReader {
 public:
  TlvReader(trace::EventSink& sink, tlv::Resources resources, std::string_view head,
            TextDecoder& decoder)
      : sink_(sink), decoder_(decoder), known_(std::move(resources)), calls_(sink) {
    if (tlv::is_kernel_log(head)) kernel_.emplace(known_);
    unit_of_components_ = tlv::unit_of_component_log(head);
    const bool is_unit_open = kernel_ && known_.time_base == TimeBase::kTicks;
    sink_.set_time_base(
        unit_of_components_.value_or(is_unit_open ? TimeBase::kMicroseconds : known_.time_base));
    for (const std::string& problem : known_.problems)
      sink_.note(problem, trace::LossPlace::nowhere());
    for (const auto& [name, type] : known_.types) {
      if (!type.display_name.empty()) sink_.set_metadata("type " + name, type.display_name);
    }
    for (const tlv::Resource& resource : known_.resources) declare(resource);
  }

  void add(io::Line text) {
    text.text = decoder_.utf8(text.text);
    if (kernel_) return add_of_kernel(text);
    if (unit_of_components_) return add_of_components(text);
    if (!tlv::parse_line(text.text, line_)) {
      const std::string_view rest = trimmed(text.text);
      const bool is_frame = rest == "[" || rest == "]";  // of the array in a .tlv archive
      if (!is_frame) sink_.loss("line that is not a standard log", text.offset);
      return;
    }
    const auto ticks = parse_number<int64_t>(line_.time, known_.radix);
    if (!ticks)
      return sink_.loss(fmt::format("time that is not a number of radix {}", known_.radix),
                        text.offset);
    const Time time{*ticks};
    take_time(time, text.offset);
    if (line_.has_condition) return add_by_condition(time, text.offset);
    add_to(resource_of(line_.resource, {}), time, text.offset);
  }

  void finish() {
    for (const Attribute& attribute : attributes_) end_state(attribute, end_);
    calls_.finish(end_);
  }

 private:
  enum class Kind : uint8_t { kUndecided, kText, kNumber };
  struct Attribute {
    Time since;
    std::string value = {};  // as it was written, where conditions may ask for it
    LaneId lane = LaneId::none();
    EventTypeId variable = EventTypeId::none();  // that a number is
    EventTypeId state = EventTypeId::none();     // that a text is in
    uint32_t name = 0;
    Kind kind = Kind::kUndecided;
    bool is_assumed = false;      // it is declared, and the log has not said so
    bool is_of_declared = false;  // its resource is
  };
  // There may be millions, each with few attributes: names are numbers in names_, and what a
  // resource has is found in tables that all share.
  struct Resource {
    const tlv::Resource* declared = nullptr;
    const tlv::ResourceType* type = nullptr;
    LaneId lane = LaneId::none();
    uint32_t number = 0;
    uint32_t type_name = kNoName;
    uint32_t main_attribute = kNoName;  // lies on its own lane; none: the first that changes
  };

  // Kernels count 32 bits, and write them with a sign.
  void add_of_kernel(const io::Line& text) {
    tlv::KernelLine parts;
    if (!tlv::parse_kernel_line(text.text, parts))
      return sink_.loss("line that is not a log of the kernel", text.offset);
    const auto ticks = parse_number<int64_t>(parts.time);
    if (!ticks) return sink_.loss("time that is not a number of radix 10", text.offset);
    constexpr int64_t kAll = int64_t{1} << 32, kHalf = kAll / 2;
    int64_t whole = *ticks < 0 ? *ticks + kAll : *ticks;
    const bool is_counter = whole >= 0 && whole < kAll;
    if (is_counter && begin_ && whole + turns_ * kAll < end_.ticks - kHalf) ++turns_;
    if (is_counter) whole += turns_ * kAll;
    add_all(kernel_->events_of(parts), Time{whole}, text.offset);
  }

  void add_of_components(const io::Line& text) {
    tlv::ComponentLine parts;
    if (!tlv::parse_component_line(text.text, parts))
      return sink_.loss("line that is not a log of a component", text.offset);
    const auto ticks = parse_number<int64_t>(parts.time);
    if (!ticks) return sink_.loss("time that is not a number of radix 10", text.offset);
    if (parts.unit != unit_of_components_)
      return sink_.loss("unit of time that changes on the way", text.offset);
    add_all(components_.events_of(parts), Time{*ticks}, text.offset);
  }

  void add_all(const std::vector<tlv::KernelEvent>& events, Time time, uint64_t offset) {
    take_time(time, offset);
    for (const tlv::KernelEvent& event : events) {
      line_ = {.time = {},
               .resource = event.resource,
               .condition = {},
               .name = event.name,
               .value = event.value,
               .is_behavior = event.is_behavior};
      is_text_ = event.is_text;
      add_to(resource_of(event.resource, event.type), time, offset);
    }
  }

  void take_time(Time time, uint64_t offset) {
    if (!begin_) begin(time);
    if (time < end_) sink_.note("time before the one before it", offset);
    end_ = std::max(end_, time);
  }

  void add_to(Resource& resource, Time time, uint64_t offset) {
    if (line_.is_behavior) return add_behavior(resource, time, offset);
    if (!set(attribute_of(resource, line_.name), line_.name, line_.value, time))
      sink_.loss("value that is not a number", offset);
  }

  // All resources of the type for which it holds now.
  void add_by_condition(Time time, uint64_t offset) {
    std::vector<Resource*> meant;
    for (size_t i = 0; i < declared_count_; ++i) {
      Resource& resource = resources_[i];
      if (resource.declared->type != line_.resource) continue;
      const auto holds = tlv::holds(line_.condition,
                                    [&](std::string_view name) { return current(resource, name); });
      if (!holds) return sink_.loss("condition that cannot be understood", offset);
      if (*holds) meant.push_back(&resource);
    }
    if (meant.empty()) sink_.note("condition that no resource meets", offset);
    for (Resource* const resource : meant) add_to(*resource, time, offset);
  }

  std::string_view current(const Resource& resource, std::string_view name) const {
    const auto known = names_.find(name);
    const size_t* const at =
        known ? attribute_of_.find(tlv::key_of(resource.number, *known)) : nullptr;
    if (at != nullptr) return attributes_[*at].value;
    const tlv::Resource& declared = *resource.declared;
    if (name == "_name") return declared.name;
    if (name == "_type") return declared.type;
    if (name == "_displayName") return name_shown(declared);
    const auto it = declared.attributes.find(name);
    return it == declared.attributes.end() ? std::string_view() : std::string_view(it->second);
  }

  static const std::string& name_shown(const tlv::Resource& declared) {
    return declared.display_name.empty() ? declared.name : declared.display_name;
  }

  void declare(const tlv::Resource& declared) {
    Resource& resource = add_resource(declared.name);
    declared_count_ = resources_.size();
    const auto type = known_.types.find(declared.type);
    if (type != known_.types.end()) resource.type = &type->second;
    resource.declared = &declared;
    resource.type_name = number_of(declared.type);
    const bool has_state = declared.attributes.contains(kState) ||
                           (resource.type != nullptr && resource.type->attributes.contains(kState));
    if (has_state) resource.main_attribute = number_of(kState);
    resource.lane = sink_.add_lane({.name = name_shown(declared),
                                    .parent = group_of(declared.type),
                                    .kind = trace::LaneKind::kThread});
    if (declared.rgb) colors_[declared.name] = *declared.rgb;
    for (const auto& [attribute, value] : declared.attributes)
      sink_.set_metadata(fmt::format("{}.{}", declared.name, attribute), value);
  }

  LaneId group_of(std::string_view type) {
    if (type.empty()) return LaneId::none();
    const auto [group, is_new] = groups_.try_emplace(type, LaneId::none());
    if (is_new) group->second = sink_.add_lane({.name = std::string(type)});
    return group->second;
  }

  uint32_t number_of(std::string_view name) { return names_.add(name).first; }

  // Returns the resource of this name, a new one if there is none.
  Resource& add_resource(std::string_view name) {
    const auto [number, is_new] = resource_names_.add(name);
    if (!is_new) return resources_[number];
    Resource& resource = resources_.emplace_back();
    resource.number = number;
    return resource;
  }

  // One that is not declared is met by its first event; its type may be unknown.
  Resource& resource_of(std::string_view name, std::string_view type) {
    Resource& resource = add_resource(name);
    if (!resource.lane.is_none()) return resource;
    resource.type_name = number_of(type);
    resource.lane = sink_.add_lane(
        {.name = std::string(name), .parent = group_of(type), .kind = trace::LaneKind::kThread});
    if (!type.empty() && type != "Context") resource.main_attribute = number_of(kState);
    return resource;
  }

  // Attributes that may change have their declared value from the first line on; numbers are given
  // it when they do.
  void begin(Time time) {
    begin_ = end_ = time;
    for (const tlv::Resource& declared : known_.resources) {
      Resource& resource = resource_of(declared.name, declared.type);
      for (const auto& [name, value] : declared.attributes) {
        const tlv::Attribute* const known = declaration_of(resource, name);
        const bool is_text = known != nullptr && known->is_dynamic && !known->is_number;
        if (is_text || name == kState) attribute_of(resource, name);
      }
    }
  }

  static const tlv::Attribute* declaration_of(const Resource& resource, std::string_view name) {
    if (resource.type == nullptr) return nullptr;
    const auto it = resource.type->attributes.find(name);
    return it == resource.type->attributes.end() ? nullptr : &it->second;
  }

  Attribute& attribute_of(Resource& resource, std::string_view name) {
    const uint32_t number = number_of(name);
    const size_t at =
        attribute_of_.insert(tlv::key_of(resource.number, number), attributes_.size());
    return at < attributes_.size() ? attributes_[at] : add_attribute(resource, number, name);
  }

  Attribute& add_attribute(Resource& resource, uint32_t number, std::string_view name) {
    Attribute& attribute = attributes_.emplace_back();
    attribute.name = number;
    attribute.is_of_declared = resource.declared != nullptr;
    if (resource.main_attribute == kNoName) resource.main_attribute = number;
    attribute.lane = resource.main_attribute == number
                         ? resource.lane
                         : sink_.add_lane({.name = std::string(name), .parent = resource.lane});
    if (const tlv::Attribute* const known = declaration_of(resource, name))
      attribute.kind = known->is_number ? Kind::kNumber : Kind::kText;
    if (resource.declared != nullptr) {
      const auto first = resource.declared->attributes.find(name);
      if (first != resource.declared->attributes.end())
        attribute.is_assumed = set(attribute, name, first->second, *begin_);
    }
    return attribute;
  }

  // Returns false if it should be a number and is not. The first value decides where no header
  // does.
  bool set(Attribute& attribute, std::string_view name, std::string_view value, Time time) {
    if (attribute.is_of_declared) attribute.value = value;
    const auto number = attribute.kind == Kind::kText ? std::nullopt : parse_number<double>(value);
    if (attribute.kind == Kind::kUndecided) attribute.kind = number ? Kind::kNumber : Kind::kText;
    if (attribute.kind == Kind::kText) {
      change(attribute, name, value, time);
      return true;
    }
    if (!number) return false;
    if (attribute.variable.is_none()) attribute.variable = sink_.type(Category::kVariable, name);
    sink_.give(trace::VariableSample{
        .time = time, .value = *number, .lane = attribute.lane, .type = attribute.variable});
    return true;
  }

  void change(Attribute& attribute, std::string_view name, std::string_view value, Time time) {
    EventTypeId type = EventTypeId::none();
    if (!value.empty()) {
      const uint64_t key = tlv::key_of(attribute.name, values_.add(value).first);
      const size_t* const known = type_of_value_.find(key);
      type = known != nullptr ? EventTypeId(static_cast<uint32_t>(*known))
                              : new_type(key, name, value);
    }
    if (type == attribute.state) return;
    end_state(attribute, time);
    attribute.state = type;
    attribute.since = time;
    attribute.is_assumed = false;
  }

  // A value that is a resource's name has the resource's colour.
  EventTypeId new_type(uint64_t key, std::string_view name, std::string_view value) {
    const EventTypeId type = sink_.type(Category::kState, value, name);
    const auto* const color = colors_.find(value);
    if (color != nullptr) sink_.set_type_color(type, color->second);
    type_of_value_.insert(key, type.value());
    return type;
  }

  void end_state(const Attribute& attribute, Time time) {
    const bool was_never_seen = attribute.is_assumed && time == attribute.since;
    if (attribute.state.is_none() || was_never_seen) return;
    sink_.give(trace::StateEvent{.begin = attribute.since,
                                 .duration = {std::max<int64_t>(0, (time - attribute.since).ticks)},
                                 .lane = attribute.lane,
                                 .type = attribute.state});
  }

  void add_behavior(Resource& resource, Time time, uint64_t offset) {
    arguments_.clear();
    if (!is_text_) tlv::split_arguments(line_.value, arguments_);
    if (calls_.add(line_.name, arguments_, {resource.lane, time, offset})) return;
    if (line_.name == "exit" || line_.name == "terminate") calls_.end_all(resource.lane, time);
    sink_.give(trace::PunctualEvent{.time = time,
                                    .params = params_of(resource),
                                    .lane = resource.lane,
                                    .type = type_of_behavior(resource.type_name, line_.name)});
  }

  EventTypeId type_of_behavior(uint32_t type_name, std::string_view name) {
    const uint64_t key = tlv::key_of(type_name, number_of(name));
    if (const size_t* const known = type_of_behavior_.find(key))
      return EventTypeId(static_cast<uint32_t>(*known));
    const EventTypeId type = sink_.type(Category::kPunctual, name, names_.text(type_name));
    type_of_behavior_.insert(key, type.value());
    return type;
  }

  // Arguments by the names that the header gives them, else by number.
  ParamsId params_of(const Resource& resource) {
    if (is_text_) return text_params(line_.value);
    if (arguments_.empty()) return ParamsId::none();
    const std::vector<std::string>* names = nullptr;
    if (resource.type != nullptr) {
      const auto it = resource.type->behaviors.find(line_.name);
      if (it != resource.type->behaviors.end()) names = &it->second;
    }
    params_.clear();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (names != nullptr && i < names->size()) {
        params_.add((*names)[i], arguments_[i]);
      } else {
        params_.add(fmt::format("arg{}", i), arguments_[i]);
      }
    }
    return sink_.params(params_.whole());
  }

  ParamsId text_params(std::string_view text) {
    params_.clear();
    params_.add("text", text);
    return sink_.params(params_.whole());
  }

  static constexpr std::string_view kState = "state";
  static constexpr uint32_t kNoName = UINT32_MAX;

  trace::EventSink& sink_;
  TextDecoder& decoder_;
  const tlv::Resources known_;
  std::optional<tlv::KernelLog> kernel_;        // where it is the log of one
  std::optional<TimeBase> unit_of_components_;  // where it is the log of those of TECS
  tlv::ComponentLog components_;
  tlv::Calls calls_;
  int64_t turns_ = 0;  // of the kernel's counter of time
  TextNumbers resource_names_;
  LargeList<Resource> resources_;  // by number
  size_t declared_count_ = 0;      // they are the first
  TextNumbers names_, values_;     // of attributes, behaviours and types; of attributes' values
  tlv::ByTwo attribute_of_;        // by resource and name
  LargeList<Attribute> attributes_;
  tlv::ByTwo type_of_value_;     // by the names of attribute and value
  tlv::ByTwo type_of_behavior_;  // by the names of type and behaviour
  ByName<LaneId> groups_;
  ByName<uint32_t> colors_;
  std::optional<Time> begin_;  // of the first line
  Time end_;                   // of the last
  tlv::Line line_;
  bool is_text_ = false;                     // the line's arguments are one text
  std::vector<std::string_view> arguments_;  // of the line
  ArgsText params_;                          // kept for its memory
};

}  // namespace

int sniff_tlv(std::span<const std::byte> head) {
  constexpr int kLinesLookedAt = 32;
  HeadLines lines(as_chars(head), kLinesLookedAt);
  int right = 0, wrong = 0;
  tlv::Line parts;
  while (const auto next = lines.next()) {
    const std::string_view line = trimmed(*next);
    if (line.empty() || line == "[" || line == "]") continue;
    const bool is_right = tlv::parse_line(line, parts);
    if (is_right || !lines.is_open()) ++(is_right ? right : wrong);
  }
  constexpr int kSure = 70;
  const bool is_raw =
      tlv::is_kernel_log(as_chars(head)) || tlv::unit_of_component_log(as_chars(head));
  return right > 2 * wrong || is_raw ? kSure : 0;
}

Status read_tlv(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  const std::string_view text = as_chars(head);
  TextDecoder decoder;
  // The log decides on the encoding, as far as whole lines of it are here: it has more text.
  decoder.utf8(text.substr(0, text.rfind('\n')));
  TlvReader reader(sink, tlv::resources_of(source.path(), decoder), text, decoder);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
