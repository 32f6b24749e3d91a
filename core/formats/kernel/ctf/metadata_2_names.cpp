#include "core/formats/kernel/ctf/metadata_2_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <span>
#include <utility>

#include "core/formats/kernel/ctf/escaped_name.h"

namespace weft::formats::ctf {
namespace {

constexpr const char* kField = "field-class";
constexpr const char* kMembers = "member-classes";
constexpr const char* kOptions = "options";
constexpr const char* kMinimumAlignment = "minimum-alignment";

// What a role is called in 1.8, in the scope where it has a meaning.
struct Role {
  std::string_view role;
  const Scope* scope;
  std::string_view name;
};
constexpr Role kRoles[] = {
    {"packet-magic-number", &kPacketHeader, "magic"},
    {"metadata-stream-uuid", &kPacketHeader, "uuid"},
    {kStreamIdRole, &kPacketHeader, "stream_id"},
    {"data-stream-id", &kPacketHeader, "stream_instance_id"},
    {"packet-total-length", &kPacketContext, "packet_size"},
    {"packet-content-length", &kPacketContext, "content_size"},
    {kClockRole, &kPacketContext, "timestamp_begin"},
    {kEndClockRole, &kPacketContext, "timestamp_end"},
    {"discarded-event-record-counter-snapshot", &kPacketContext, "events_discarded"},
    {"packet-sequence-number", &kPacketContext, "packet_seq_num"},
    {kEventIdRole, &kEventHeader, "id"},
    {kClockRole, &kEventHeader, "timestamp"},
};

// The location of an array's length or a variant's selector.
struct FieldLocation {
  std::string origin;              // "" where it is not said
  size_t parents = 0;              // from the structure around to that of the first name
  std::vector<std::string> names;  // of members
};

// In drafts a location is an array, whose first name may be an origin.
FieldLocation location_of(const Json& location) {
  FieldLocation found{.origin = text(location, "origin"), .names = {}};
  for (const Json& step : location.is_array() ? location : member(location, "path")) {
    if (step.is_string())
      found.names.push_back(step.get<std::string>());
    else if (found.names.empty())
      ++found.parents;
    else
      found.names.pop_back();
  }
  const bool has_origin = location.is_array() && !found.names.empty() &&
                          std::ranges::any_of(kScopes, [&](const Scope* scope) {
                            return scope->origin == found.names.front();
                          });
  if (has_origin) {
    found.origin = found.names.front();
    found.names.erase(found.names.begin());
  }
  return found;
}

// An array of 1.8 is aligned as its elements are. Returns how one has to be aligned beyond that; 0:
// it has not.
uint64_t own_alignment(const Json& field) {
  const uint64_t alignment = number(field, kMinimumAlignment, 1);
  const Json& element = member(field, kElement);
  const uint64_t least =
      std::max(number(element, "alignment", 1), number(element, kMinimumAlignment, 1));
  return is_array_class(field) && alignment > least ? alignment : 0;
}

class Namer {
 public:
  explicit Namer(Json& trace) : trace_(trace) {}

  // Names what an event, a stream or the trace holds itself; `stream` is that which it is of.
  void name(Json& own, Json& stream);

 private:
  // A field class, and its path in 1.8.
  struct Place {
    Json* field;
    std::string path;
  };
  // A class that is being walked through, and which of those below it.
  struct Step {
    Place place;
    Json* below = nullptr;
  };

  void walk(const Place& place);
  void walk_below(Json& below, std::string path);
  void name_members(Json& structure);
  void name_options(Json& variant);
  std::string_view role_name(const Json& field) const;
  Place place_at(const Json& location);
  void follow(const Place& from, std::span<const std::string> names, std::vector<Place>& found);
  bool is_found_from_within(const Json* field, std::string_view name) const;

  Json& trace_;
  std::array<Json*, 3> holders_{};  // of scopes: the event or stream, its stream, the trace
  const Scope* scope_ = nullptr;
  std::vector<Step> way_;  // outermost first
  size_t names_ = 0;
  Visits visits_;
};

void Namer::name(Json& own, Json& stream) {
  holders_ = {&own, &stream, &trace_};
  for (const Scope* scope : kScopes) {
    const auto at = own.find(std::string(scope->key));
    if (at == own.end()) continue;
    scope_ = scope;
    walk({&*at, std::string(scope->path)});
  }
}

// Names are given before anything below is walked through, since a class that grows moves those.
void Namer::walk(const Place& place) {
  visits_.visit(way_.size());
  Json& field = *place.field;
  if (!field.is_object()) return;
  if (const auto length = field.find("length-field-location"); length != field.end())
    field[kPath1] = place_at(*length).path;
  const std::string type = text(field, "type");
  if (type == "structure") name_members(field);
  if (type == "variant") name_options(field);
  way_.push_back({place});
  for (const char* key : {kMembers, kOptions}) {
    if (!field.contains(key)) continue;
    for (Json& each : field[key]) walk_below(each[kField], place.path + '.' + text(each, kName1));
  }
  if (field.contains(kElement)) walk_below(field[kElement], place.path);
  way_.pop_back();
}

void Namer::walk_below(Json& below, std::string path) {
  way_.back().below = &below;
  const bool is_member = text(*way_.back().place.field, "type") == "structure";
  if (!is_member && own_alignment(below) > 0)
    throw Unreadable{"arrays that are aligned within an array or a variant"};
  walk({&below, std::move(path)});
}

// Of several members with one role the last has its meaning. Before an array that has an alignment
// of its own goes a structure without members that has it.
void Namer::name_members(Json& structure) {
  std::set<std::string_view> taken;
  std::vector<Json> members;
  for (Json& each : structure[kMembers]) members.push_back(std::move(each));
  Json named = Json::array();
  for (Json& each : members | std::views::reverse) {
    const Json& field = member(each, kField);
    const std::string_view role = role_name(field);
    const uint64_t alignment = own_alignment(field);
    each[kName1] = !role.empty() && taken.insert(role).second
                       ? std::string(role)
                       : escaped_name(++names_, text(each, "name"));
    named.push_back(std::move(each));
    if (alignment == 0) continue;
    named.push_back({{kName1, hidden_name(++names_)},
                     {kField, {{"type", "structure"}, {kMinimumAlignment, alignment}}}});
  }
  std::ranges::reverse(named);
  structure[kMembers] = std::move(named);
}

// In 1.8 an option is selected by the label of an enumeration: what selects becomes one, which has
// a label more for each option.
void Namer::name_options(Json& variant) {
  const Place selector = place_at(member(variant, "selector-field-location"));
  const std::string name = selector.path.substr(selector.path.rfind('.') + 1);
  if (!is_found_from_within(selector.field, name))
    throw Unreadable{"a variant whose selector is neither beside it nor beside what is around it"};
  variant[kPath1] = name;
  Json& mappings = (*selector.field)["mappings"];
  if (!mappings.is_object()) mappings = Json::object();
  for (Json& option : variant[kOptions]) {
    const Json& ranges = member(option, "selector-field-ranges");
    if (!ranges.is_array() || ranges.empty()) throw Unreadable{"an option that nothing selects"};
    const std::string label = hidden_name(++names_);
    mappings[label] = ranges;
    option[kName1] = label;
  }
}

std::string_view Namer::role_name(const Json& field) const {
  for (const Role& each : kRoles) {
    if (each.scope != scope_ || !has_role(field, each.role)) continue;
    if (scope_ != &kEventHeader && !way_.empty())
      throw Unreadable{fmt::format("'{}' within a structure", each.role)};
    return each.name;
  }
  return {};
}

// In 1.8 what selects, and what tells a length, is one field.
Namer::Place Namer::place_at(const Json& location) {
  const FieldLocation its = location_of(location);
  std::vector<Place> found;
  if (its.origin.empty()) {
    size_t parents = its.parents;
    for (const Step& step : way_ | std::views::reverse) {
      if (!step.place.field->contains(kMembers) || parents-- > 0) continue;
      follow(step.place, its.names, found);
      break;
    }
  }
  for (const Scope* scope : kScopes) {
    if (its.origin != scope->origin || its.parents > 0) continue;
    for (Json* holder : holders_) {
      const auto at = holder->find(std::string(scope->key));
      if (at == holder->end()) continue;
      follow({&*at, std::string(scope->path)}, its.names, found);
      break;
    }
  }
  if (found.empty()) throw Unreadable{"a length or a selector that is not found"};
  if (found.size() > 1) throw Unreadable{"a length or a selector in several options of a variant"};
  return found.front();
}

// Through what is being walked through there is one way; into the options of another variant there
// are as many as it has.
void Namer::follow(const Place& from, std::span<const std::string> names,
                   std::vector<Place>& found) {
  visits_.visit(names.size());
  Json& field = *from.field;
  const auto step =
      std::ranges::find(way_, from.field, [](auto& each) { return each.place.field; });
  const std::string type = text(field, "type");
  if (type == "variant") {
    for (Json& option : field[kOptions]) {
      Json& below = option[kField];
      if (step == way_.end() || step->below == &below)
        follow({&below, from.path + '.' + text(option, kName1)}, names, found);
    }
  } else if (is_array_class(field)) {
    if (step != way_.end()) follow({&field[kElement], from.path}, names, found);
  } else if (type == "structure" && !names.empty()) {
    for (Json& each : field[kMembers]) {
      const std::string name = text(each, kName1);
      if (!name.empty() && !is_hidden_name(name) && text(each, "name") == names.front())
        follow({&each[kField], from.path + '.' + name}, names.subspan(1), found);
    }
  } else if (type != "structure" && names.empty()) {
    found.push_back(from);
  }
}

// Babeltrace's parser wants a name alone for what selects an option, and looks for it in the
// structures around, from the innermost outwards.
bool Namer::is_found_from_within(const Json* field, std::string_view name) const {
  for (const Step& step : way_ | std::views::reverse) {
    for (const Json& each : member(*step.place.field, kMembers)) {
      if (text(each, kName1) == name) return &member(each, kField) == field;
    }
  }
  return false;
}

}  // namespace

bool has_role(const Json& field, std::string_view role) {
  const Json& roles = member(field, "roles");
  return roles.is_array() && std::ranges::find(roles, Json(role)) != roles.end();
}

void give_names_1(Metadata2Classes& classes) {
  Namer namer(classes.trace);
  namer.name(classes.trace, classes.trace);
  for (auto& [id, stream] : classes.streams) namer.name(stream, stream);
  for (Json& event : classes.events) {
    const auto stream = classes.streams.find(number(event, "data-stream-class-id", 0));
    namer.name(event, stream == classes.streams.end() ? event : stream->second);
  }
}

}  // namespace weft::formats::ctf
