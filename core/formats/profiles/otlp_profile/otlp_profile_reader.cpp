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
#include "core/formats/profiles/otlp_profile/timed_samples.h"
#include "core/formats/profiles/pprof/time_units.h"
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

// Its only member says what kind of value it is.
std::string value_of(std::optional<Element> value) {
  std::string text;
  json::for_each_member(value,
                        [&](std::string_view, Element of_kind) { text = json::plain(of_kind); });
  return text;
}

// Attributes, of a resource or a sample, that say whose it is.
class Identity {
 public:
  // Returns false if the attribute says something else, or more: a service has a name of its own.
  bool take(std::string_view name, std::string_view value) {
    std::string* const part = name == "service.name"              ? &service_
                              : name == "process.executable.name" ? &executable_
                              : name == "process.pid"             ? &process_id_
                              : name == "thread.name"             ? &thread_name_
                              : name == "thread.id"               ? &thread_id_
                                                                  : nullptr;
    if (part != nullptr) *part = value;
    return part != nullptr && part != &executable_;
  }
  // "shop (4711)", "process 4711"; empty: nothing is known.
  std::string process() const {
    return named(service_.empty() ? executable_ : service_, process_id_, "process");
  }
  std::string thread() const { return named(thread_name_, thread_id_, "thread"); }

 private:
  static std::string named(const std::string& name, const std::string& id, std::string_view what) {
    if (id.empty()) return name;
    return name.empty() ? fmt::format("{} {}", what, id) : fmt::format("{} ({})", name, id);
  }

  std::string service_, executable_, process_id_, thread_name_, thread_id_;
};

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
    attribute.value = value_of(member(row, "value"));
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
  explicit ProfilesReader(trace::EventSink& sink)
      : sink_(sink), timeline_(sink), timed_(sink, timeline_) {}

  // Returns false if the document has no profiles that share a dictionary.
  bool add(Element root) {
    const auto tables = member(root, "dictionary");
    if (!tables || !member(root, "resourceProfiles")) return false;
    const Dictionary dictionary(tables, sink_);
    if (!is_any_) choose_times(root, dictionary);
    is_any_ = true;
    for_each_profile(root, [&](Element profile, const Resource& resource) {
      add_profile(profile, resource, dictionary);
    });
    timed_.give();
    return true;
  }

  void lose(std::string_view kind) { sink_.loss(kind, samples_); }

  Status finish() {
    timed_.finish();
    timeline_.finish();
    if (times_left_out_ > 0)
      sink_.note("time of a sample where others have none", trace::LossPlace::nowhere(),
                 times_left_out_);
    if (!is_any_) return fail("has no profiles that share a dictionary (OTLP since 1.8)");
    if (samples_ == 0) sink_.loss("profile without samples", trace::LossPlace::nowhere());
    return {};
  }

 private:
  struct WeightedLane {
    stacks::WeightedStacks stacks;
    std::string resource;  // the last
  };
  // Whose profiles they are.
  struct Resource {
    Identity identity;
    std::string rest;  // of its attributes, the text of an object
  };
  struct Kind {
    std::string name;     // "cpu (nanoseconds)"
    int64_t unit_ns = 0;  // 0: no time
    Duration interval{};  // of samples; 0: not known
  };

  template <class Each>
  static void for_each_profile(Element root, const Each& each) {
    json::for_each_part(member(root, "resourceProfiles"), [&](Element of_resource) {
      const Resource resource = resource_of(member(of_resource, "resource"));
      json::for_each_part(member(of_resource, "scopeProfiles"), [&](Element of_scope) {
        json::for_each_part(member(of_scope, "profiles"),
                            [&](Element profile) { each(profile, resource); });
      });
    });
  }

  template <class Each>
  static void for_each_sample(Element profile, const Each& each) {
    const auto samples = member(profile, "samples");
    json::for_each_element(samples ? samples : member(profile, "sample"), each);
  }

  static Resource resource_of(std::optional<Element> resource) {
    Resource found;
    ArgsText rest;
    json::for_each_element(member(resource, "attributes"), [&](Element each) {
      const std::string name = valid_utf8(json::text(member(each, "key")));
      const std::string value = value_of(member(each, "value"));
      if (!name.empty() && !found.identity.take(name, value)) rest.add(name, value);
    });
    found.rest = rest.take();
    return found;
  }

  // One time line has one unit, and one meaning: samples have times if all of them do.
  void choose_times(Element root, const Dictionary& dictionary) {
    bool is_time = true, is_any = false;
    is_timed_ = true;
    for_each_profile(root, [&](Element profile, const Resource&) {
      is_time = is_time && kind_of(profile, dictionary).unit_ns > 0;
      for_each_sample(profile, [&](Element sample) {
        is_any = true;
        is_timed_ = is_timed_ && !times_of(sample).empty();
      });
    });
    is_timed_ = is_timed_ && is_any;
    is_in_time_ = is_time;
    sink_.set_time_base(is_time || is_timed_ ? TimeBase::kNanoseconds : TimeBase::kTicks);
  }

  static std::vector<int64_t> times_of(Element sample) {
    std::vector<int64_t> times;
    json::for_each_element(member(sample, "timestampsUnixNano"),
                           [&](Element each) { times.push_back(number_of(each)); });
    return times;
  }

  std::optional<Duration> duration_of(int64_t value, int64_t unit_ns) {
    const auto ns = pprof::scaled(value, unit_ns);
    if (!ns) sink_.loss(pprof::kOutOfRange, samples_);
    return ns ? std::optional(Duration{*ns}) : std::nullopt;
  }

  Duration interval_of(Element profile, const Dictionary& dictionary) {
    const auto unit = number_of(member(member(profile, "periodType"), "unitStrindex"));
    const int64_t period = std::max<int64_t>(number_of(member(profile, "period")), 0);
    return duration_of(period, pprof::nanoseconds_of(dictionary.text(unit))).value_or(Duration{});
  }

  static Kind kind_of(Element profile, const Dictionary& dictionary) {
    const auto text = [&](std::string_view key) {
      return dictionary.text(number_of(member(member(profile, "sampleType"), key)));
    };
    const std::string_view type = text("typeStrindex"), unit = text("unitStrindex");
    Kind kind{.name = std::string(type.empty() ? "stacks" : type),
              .unit_ns = pprof::nanoseconds_of(unit)};
    if (!unit.empty()) kind.name += fmt::format(" ({})", unit);
    return kind;
  }

  void add_profile(Element profile, const Resource& resource, const Dictionary& dictionary) {
    Kind kind = kind_of(profile, dictionary);
    if (is_timed_) {
      kind.interval = interval_of(profile, dictionary);
      for_each_sample(profile,
                      [&](Element sample) { add_timed(sample, dictionary, resource, kind); });
      return;
    }
    WeightedLane& lane = lane_of(resource, kind);
    if (lane.resource != resource.rest && !resource.rest.empty())
      add_punctual(lane.stacks.now(), lane.stacks.lane(), "resource", resource.rest);
    lane.resource = resource.rest;
    for_each_sample(profile, [&](Element sample) {
      add_sample(sample, dictionary, is_in_time_ ? kind.unit_ns : 1, lane.stacks);
    });
  }

  // "shop: cpu (nanoseconds)"
  WeightedLane& lane_of(const Resource& resource, const Kind& kind) {
    const std::string process = resource.identity.process();
    const std::string name =
        process.empty() ? kind.name : fmt::format("{}: {}", process, kind.name);
    const auto known = lanes_.find(name);
    if (known != lanes_.end()) return known->second;
    const LaneId lane = sink_.add_lane({.name = name, .kind = trace::LaneKind::kThread});
    return lanes_.emplace(name, WeightedLane{stacks::WeightedStacks(timeline_, lane), {}})
        .first->second;
  }

  // Each time has a value of its own, or none has.
  void add_timed(Element sample, const Dictionary& dictionary, const Resource& resource,
                 const Kind& kind) {
    const uint64_t index = samples_++;
    const std::vector<EventTypeId>* const stack =
        dictionary.stack(number_of(member(sample, "stackIndex")));
    const std::vector<int64_t> times = times_of(sample);
    if (stack == nullptr) return sink_.loss("sample of a stack that is not there", index);
    if (times.empty()) return sink_.note("sample without a time where others have one", index);
    std::vector<int64_t> values;
    json::for_each_element(member(sample, "values"),
                           [&](Element value) { values.push_back(number_of(value)); });
    if (!values.empty() && values.size() != times.size())
      sink_.loss("sample with another number of values than of times", index);
    Identity identity = resource.identity;
    const std::string labels = labels_of(sample, dictionary, &identity);
    const std::string process = identity.process();
    const TimedSamples::Place place{process.empty() ? "process" : process, identity.thread(),
                                    kind.name};
    timed_.describe(place.process, resource.rest);
    std::vector<TimedSamples::Sample> taken;
    for (size_t i = 0; i < times.size(); ++i) {
      TimedSamples::Sample& each = taken.emplace_back(Time{times[i]});
      each.stack = stack;
      ArgsText params;
      if (!labels.empty()) params.continue_object(labels);
      if (kind.unit_ns > 0 && i < values.size() && values[i] >= 0) {
        each.lasted = duration_of(values[i], kind.unit_ns);
      } else if (i < values.size() && values[i] != 1) {
        params.add(kind.name, values[i]);
      }
      each.labels = sink_.params(params.whole());
    }
    timed_.add(place, kind.interval, taken);
  }

  // `scale` is that of its values to ticks.
  void add_sample(Element sample, const Dictionary& dictionary, int64_t scale,
                  stacks::WeightedStacks& lane) {
    const uint64_t index = samples_++;
    const std::vector<EventTypeId>* const stack =
        dictionary.stack(number_of(member(sample, "stackIndex")));
    if (stack == nullptr) return sink_.loss("sample of a stack that is not there", index);
    int64_t weight = 0;
    bool has_values = false, is_in_range = true;
    json::for_each_element(member(sample, "values"), [&](Element value) {
      const auto ticks = pprof::scaled(number_of(value), scale);
      is_in_range = is_in_range && ticks && !__builtin_add_overflow(weight, *ticks, &weight);
      has_values = true;
    });
    if (!is_in_range) return sink_.loss(pprof::kOutOfRange, index);
    const std::vector<int64_t> times = times_of(sample);
    times_left_out_ += times.size();
    if (!has_values) weight = std::ssize(times);
    if (weight < 0) return sink_.note("sample of a negative value", index);
    const Time begin = lane.now();
    if (stack->empty()) {
      const EventTypeId none = sink_.type(trace::Category::kState, "(no stack)", {});
      lane.add({&none, 1}, weight);
    } else {
      lane.add(*stack, weight);
    }
    const std::string labels = weight > 0 ? labels_of(sample, dictionary, nullptr) : std::string();
    if (!labels.empty()) add_punctual(begin, lane.lane(), "labels", labels);
  }

  // The text of an object; without what says whose the sample is, where that is asked for.
  static std::string labels_of(Element sample, const Dictionary& dictionary, Identity* identity) {
    ArgsText args;
    for (json::Numbers each(member(sample, "attributeIndices")); each.next();) {
      const Dictionary::Attribute* const known = dictionary.attribute(each.index());
      if (known == nullptr || known->name.empty()) continue;
      if (identity == nullptr || !identity->take(known->name, known->value))
        args.add(known->name, known->value);
    }
    return args.take();
  }

  void add_punctual(Time at, LaneId lane, std::string_view type, std::string_view params) {
    sink_.give(trace::PunctualEvent{.time = at,
                                    .params = sink_.params(params),
                                    .lane = lane,
                                    .type = sink_.type(trace::Category::kPunctual, type, {})});
  }

  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  std::map<std::string, WeightedLane, std::less<>> lanes_;
  TimedSamples timed_;
  bool is_in_time_ = false;      // all values are times
  bool is_timed_ = false;        // samples lie at their times, not side by side
  uint64_t times_left_out_ = 0;  // where they do not
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
