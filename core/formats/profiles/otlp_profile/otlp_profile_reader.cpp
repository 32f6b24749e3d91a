#include "core/formats/profiles/otlp_profile/otlp_profile_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/messages/spans/otlp_text.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"
#include "core/io/memory_source.h"

namespace weft::formats {
namespace otlp_profile {
namespace {

using json::Element;
using json::member;

// Those of protobuf's default are left out.
int64_t number_of(std::optional<Element> value) { return json::integer_or_text(value).value_or(0); }

// What profiles refer to. Its rows are taken apart once; the first of each table is nothing.
class Dictionary {
 public:
  Dictionary(std::optional<Element> tables, trace::EventSink& sink) : sink_(sink) {
    json::for_each_element(member(tables, "stringTable"), [this](Element each) {
      strings_.push_back(valid_utf8(json::text(each)));
    });
    json::for_each_element(member(tables, "mappingTable"), [this](Element each) {
      mappings_.push_back(number_of(member(each, "filenameStrindex")));
    });
    json::for_each_element(member(tables, "functionTable"),
                           [this](Element each) { functions_.push_back(function_of(each)); });
    json::for_each_element(member(tables, "locationTable"),
                           [this](Element each) { locations_.push_back(frames_of(each)); });
    json::for_each_element(member(tables, "stackTable"),
                           [this](Element each) { stacks_.push_back(stack_of(each)); });
    json::for_each_element(member(tables, "attributeTable"),
                           [this](Element each) { attributes_.push_back(attribute_of(each)); });
  }

  std::string_view text(int64_t index) const {
    const std::string* const found = at(strings_, index);
    return found == nullptr ? std::string_view() : std::string_view(*found);
  }
  // From the outermost frame to the innermost; null: there is none.
  const std::vector<EventTypeId>* stack(int64_t index) const { return at(stacks_, index); }

  struct Attribute {
    std::string name, value;
  };
  const Attribute* attribute(int64_t index) const { return at(attributes_, index); }

 private:
  template <class Row>
  static const Row* at(const std::vector<Row>& table, int64_t index) {
    const bool is_there = index >= 0 && static_cast<uint64_t>(index) < table.size();
    return is_there ? &table[static_cast<size_t>(index)] : nullptr;
  }

  EventTypeId type_of(std::string_view name, std::string_view file) {
    return sink_.type(trace::Category::kState, name, file);
  }

  EventTypeId function_of(Element row) {
    if (functions_.empty()) return EventTypeId::none();
    std::string_view name = text(number_of(member(row, "nameStrindex")));
    if (name.empty()) name = text(number_of(member(row, "systemNameStrindex")));
    return type_of(name.empty() ? "(unknown)" : name,
                   text(number_of(member(row, "filenameStrindex"))));
  }

  // What was inlined comes first.
  std::vector<EventTypeId> frames_of(Element row) {
    std::vector<EventTypeId> frames;
    json::for_each_element(member(row, "lines"), [&](Element line) {
      const EventTypeId* const known = at(functions_, number_of(member(line, "functionIndex")));
      if (known != nullptr && !known->is_none()) frames.push_back(*known);
    });
    if (!frames.empty() || locations_.empty()) return frames;
    const int64_t* const file = at(mappings_, number_of(member(row, "mappingIndex")));
    const auto address = static_cast<uint64_t>(number_of(member(row, "address")));
    return {
        type_of(fmt::format("{:#x}", address), file == nullptr ? std::string_view() : text(*file))};
  }

  std::vector<EventTypeId> stack_of(Element row) {
    constexpr size_t kMostDepth = 4096;
    std::vector<EventTypeId> stack;
    for (json::Numbers each(member(row, "locationIndices")); each.next();) {
      const std::vector<EventTypeId>* const frames = at(locations_, each.index());
      if (frames == nullptr) {
        sink_.loss("location that is not there", stacks_.size());
      } else if (stack.size() < kMostDepth) {
        stack.insert(stack.end(), frames->begin(), frames->end());
      }
    }
    std::ranges::reverse(stack);
    return stack;
  }

  Attribute attribute_of(Element row) {
    Attribute attribute{std::string(text(number_of(member(row, "keyStrindex")))), {}};
    // The only member says what kind of value it is.
    json::for_each_member(member(row, "value"), [&](std::string_view, Element value) {
      attribute.value = json::plain(value);
    });
    const std::string_view unit = text(number_of(member(row, "unitStrindex")));
    if (!unit.empty()) attribute.value.append(1, ' ').append(unit);
    return attribute;
  }

  trace::EventSink& sink_;
  std::vector<std::string> strings_;
  std::vector<int64_t> mappings_;  // names of their files, in strings_
  std::vector<EventTypeId> functions_;
  std::vector<std::vector<EventTypeId>> locations_, stacks_;
  std::vector<Attribute> attributes_;
};

class ProfilesReader {
 public:
  explicit ProfilesReader(trace::EventSink& sink) : sink_(sink), timeline_(sink) {}

  // Returns false if the document has no profiles that share a dictionary.
  bool add(Element root) {
    const auto tables = member(root, "dictionary");
    if (!tables || !member(root, "resourceProfiles")) return false;
    const Dictionary dictionary(tables, sink_);
    // One time line has one unit.
    bool is_time = true;
    for_each_profile(root, [&](Element profile, const std::string&) {
      const auto unit = member(member(profile, "sampleType"), "unitStrindex");
      is_time = is_time && dictionary.text(number_of(unit)) == "nanoseconds";
    });
    if (!is_any_) sink_.set_time_base(is_time ? TimeBase::kNanoseconds : TimeBase::kTicks);
    for_each_profile(root, [&](Element profile, const std::string& service) {
      add_profile(profile, service, dictionary);
    });
    is_any_ = true;
    return true;
  }

  void lose(std::string_view kind) { sink_.loss(kind, samples_); }

  Status finish() {
    timeline_.finish();
    if (!is_any_) return fail("has no profiles that share a dictionary (OTLP since 1.8)");
    if (samples_ == 0) sink_.loss("profile without samples", trace::LossPlace::nowhere());
    return {};
  }

 private:
  template <class Each>
  static void for_each_profile(Element root, const Each& each) {
    json::for_each_part(member(root, "resourceProfiles"), [&](Element of_resource) {
      const std::string service = service_of(member(of_resource, "resource"));
      json::for_each_part(member(of_resource, "scopeProfiles"), [&](Element of_scope) {
        json::for_each_part(member(of_scope, "profiles"),
                            [&](Element profile) { each(profile, service); });
      });
    });
  }

  static std::string service_of(std::optional<Element> resource) {
    std::string service;
    json::for_each_element(member(resource, "attributes"), [&](Element each) {
      if (json::text(member(each, "key")) == "service.name")
        service = valid_utf8(json::text(member(member(each, "value"), "stringValue")));
    });
    return service;
  }

  void add_profile(Element profile, const std::string& service, const Dictionary& dictionary) {
    const auto type = member(profile, "sampleType");
    stacks::WeightedStacks& lane =
        lane_of(service, dictionary.text(number_of(member(type, "typeStrindex"))),
                dictionary.text(number_of(member(type, "unitStrindex"))));
    const auto samples = member(profile, "samples");
    json::for_each_element(samples ? samples : member(profile, "sample"),
                           [&](Element sample) { add_sample(sample, dictionary, lane); });
  }

  // "shop: cpu (nanoseconds)"
  stacks::WeightedStacks& lane_of(const std::string& service, std::string_view type,
                                  std::string_view unit) {
    std::string name(type.empty() ? "stacks" : type);
    if (!unit.empty()) name += fmt::format(" ({})", unit);
    if (!service.empty()) name = fmt::format("{}: {}", service, name);
    const auto known = lanes_.find(name);
    if (known != lanes_.end()) return known->second;
    const LaneId lane = sink_.add_lane({.name = name, .kind = trace::LaneKind::kThread});
    return lanes_.emplace(name, stacks::WeightedStacks(timeline_, lane)).first->second;
  }

  void add_sample(Element sample, const Dictionary& dictionary, stacks::WeightedStacks& lane) {
    const uint64_t index = samples_++;
    const std::vector<EventTypeId>* const stack =
        dictionary.stack(number_of(member(sample, "stackIndex")));
    if (stack == nullptr) return sink_.loss("sample of a stack that is not there", index);
    int64_t weight = 0;
    bool has_values = false;
    json::for_each_element(member(sample, "values"), [&](Element value) {
      weight = saturating_add(weight, number_of(value));
      has_values = true;
    });
    if (!has_values) {
      json::for_each_element(member(sample, "timestampsUnixNano"), [&](Element) { ++weight; });
    }
    if (weight < 0) return sink_.loss("sample of a negative value", index, 1, false);
    const Time begin = lane.now();
    if (stack->empty()) {
      const EventTypeId none = sink_.type(trace::Category::kState, "(no stack)", {});
      lane.add({&none, 1}, weight);
    } else {
      lane.add(*stack, weight);
    }
    if (weight > 0) add_labels(sample, dictionary, lane.lane(), begin);
  }

  void add_labels(Element sample, const Dictionary& dictionary, LaneId lane, Time at) {
    ArgsText args;
    for (json::Numbers each(member(sample, "attributeIndices")); each.next();) {
      const Dictionary::Attribute* const known = dictionary.attribute(each.index());
      if (known != nullptr && !known->name.empty()) args.add(known->name, known->value);
    }
    if (args.is_empty()) return;
    const trace::PunctualEvent event{.time = at,
                                     .params = sink_.params(args.take()),
                                     .lane = lane,
                                     .type = sink_.type(trace::Category::kPunctual, "labels", {})};
    sink_.punctuals({&event, 1});
  }

  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  std::map<std::string, stacks::WeightedStacks, std::less<>> lanes_;
  uint64_t samples_ = 0;
  bool is_any_ = false;
};

bool is_json(std::string_view text) { return trimmed(text).starts_with('{'); }

// Whether one object ends with the first line, and another begins in the next.
bool are_lines(std::string_view head) {
  head = trimmed(head);
  const std::string_view first = trimmed(take_to(head, '\n'));
  return first.ends_with('}') && trimmed(head).starts_with('{');
}

Status read_lines(io::Source& source, ProfilesReader& reader, trace::EventSink& sink,
                  uint64_t memory_bytes) {
  json::Document document;
  const auto add = [&](const io::Line& line) {
    if (!document.parse_next(line.text) || !reader.add(document.root()))
      reader.lose("line without profiles");
  };
  for_each_line(source, sink, add, memory_bytes / 2);
  return {};
}

Status read_message(io::Source& source, ProfilesReader& reader, trace::EventSink& sink,
                    uint64_t memory_bytes) {
  // A message grows about four times as JSON.
  WEFT_TRY_ASSIGN(const WholeInput message, WholeInput::read(source, sink, memory_bytes / 4));
  bool is_whole = true;
  const std::string text = spans::otlp_profiles_text(message.bytes(), is_whole);
  if (!is_whole) reader.lose("message that is cut or damaged");
  io::MemorySource as_json(std::as_bytes(std::span(text)));
  WEFT_TRY_ASSIGN(const json::Document document, json::Document::read(as_json, sink, memory_bytes));
  if (!reader.add(document.root()) && !is_whole)
    return fail("is cut before the dictionary of its stacks");
  return {};
}

}  // namespace
}  // namespace otlp_profile

int sniff_otlp_profile(std::span<const std::byte> head) {
  constexpr int kSure = 96, kMessage = 90;
  const std::string_view text = as_chars(head);
  if (!otlp_profile::is_json(text)) return spans::has_otlp_profile(text) ? kMessage : 0;
  const bool is_profile = text.contains("\"resourceProfiles\"") ||
                          (text.contains("\"dictionary\"") && text.contains("\"stackTable\""));
  return is_profile ? kSure : 0;
}

Status read_otlp_profile(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(size_t{1} << 20));
  const std::string_view text = as_chars(head);
  otlp_profile::ProfilesReader reader(sink);
  if (!otlp_profile::is_json(text)) {
    WEFT_TRY(otlp_profile::read_message(source, reader, sink, context.memory_bytes));
  } else if (otlp_profile::are_lines(text)) {
    WEFT_TRY(otlp_profile::read_lines(source, reader, sink, context.memory_bytes));
  } else {
    WEFT_TRY_ASSIGN(const json::Document document,
                    json::Document::read(source, sink, context.memory_bytes));
    reader.add(document.root());
  }
  return reader.finish();
}

}  // namespace weft::formats
