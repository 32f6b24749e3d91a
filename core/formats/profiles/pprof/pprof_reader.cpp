#include "core/formats/profiles/pprof/pprof_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/text.h"
#include "core/base/text_arena.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/profiles/pprof/pprof_legacy.h"
#include "core/formats/profiles/pprof/time_units.h"
#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats {
namespace {

constexpr std::string_view kValueOption = "value";

using protozero::data_view;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

// Fields of a Profile.
enum ProfileField : uint32_t {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kPeriodType = 11,
  kPeriod = 12,
  kComment = 13,
  kDefaultSampleType = 14,
  kDocumentation = 15,
};

struct ValueType {
  int64_t type = 0, unit = 0;  // strings
};
// A part of a list that others have parts of, too.
struct Part {
  size_t begin = 0, size = 0;
};
struct Location {
  uint64_t mapping = 0;
  uint64_t address = 0;
  Part functions;  // innermost first: what was inlined, then what it is in
};
struct Function {
  int64_t name = 0, system_name = 0, file = 0;  // strings
};

bool is_number(const pbf_reader& field) { return field.wire_type() == pbf_wire_type::varint; }
bool is_message(const pbf_reader& field) {
  return field.wire_type() == pbf_wire_type::length_delimited;
}

// Repeated numbers, packed or one by one.
template <class Number>
void add_numbers(pbf_reader& field, std::vector<Number>& out) {
  if (is_number(field)) {
    out.push_back(static_cast<Number>(field.get_uint64()));
    return;
  }
  const data_view bytes = field.get_view();
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at < end) out.push_back(static_cast<Number>(protozero::decode_varint(&at, end)));
}

// The numbers of a message by their fields; others are passed over.
template <size_t kFields>
std::array<uint64_t, kFields> numbers_of(data_view bytes) {
  std::array<uint64_t, kFields> out{};
  for (pbf_reader field(bytes); field.next();) {
    const uint32_t tag = field.tag();  // it is gone when the value has been taken
    if (tag < kFields && is_number(field)) {
      out[tag] = field.get_uint64();
    } else {
      field.skip();
    }
  }
  return out;
}

ValueType value_type_from(data_view bytes) {
  const auto numbers = numbers_of<3>(bytes);
  return {static_cast<int64_t>(numbers[1]), static_cast<int64_t>(numbers[2])};
}

// Contains protozero's exceptions for truncated or invalid bytes.
template <class Parse>
bool is_parsed(const Parse& parse) {
  try {
    parse();
    return true;
  } catch (const protozero::exception&) {
    return false;
  }
}

// Whether a sample refers to locations.
bool has_stack(data_view sample) {
  bool has = false;
  is_parsed([&] {
    for (pbf_reader field(sample); field.next(); field.skip()) has = has || field.tag() == 1;
  });
  return has;
}

class PprofReader {
 public:
  // `value`: the type of value that is drawn, by its name; empty: the profile's default.
  PprofReader(trace::EventSink& sink, std::string value)
      : sink_(sink), timeline_(sink), value_(std::move(value)) {}

  // The fields may come in any order; the samples are looked at in the end.
  void add(data_view profile) {
    begin_ = profile.data();
    pbf_reader field(profile);
    const bool is_whole = is_parsed([&] {
      while (field.next()) add_field(field);
    });
    if (!is_whole) sink_.loss("profile that breaks off", profile.size() - field.length());
  }

  // Others have fields of the same numbers. Call when all is added.
  bool is_profile() const {
    if (!strings_.empty() && !strings_.front().empty()) return false;
    if (samples_.empty()) return !strings_.empty();
    return !locations_.empty() || std::ranges::none_of(samples_, has_stack);
  }

  void finish() {
    describe();
    const LaneId lane = sink_.add_lane({.name = lane_name(), .kind = trace::LaneKind::kThread});
    Time at;
    std::vector<EventTypeId> frames;
    for (const data_view& sample : samples_) {
      const int64_t width = read_sample(sample, frames);
      if (width <= 0) continue;
      if (frames.empty()) frames.push_back(sink_.type(trace::Category::kState, "(no stack)"));
      timeline_.add(lane, frames, at, at + Duration{width});
      add_labels(lane, at);
      at = at + Duration{width};
    }
    timeline_.finish();
    for (size_t i = 0; i < std::min(sums_.size(), types_.size()); ++i) {
      const std::string_view type = text(types_[i].type);
      sink_.set_metadata(type.empty() ? "sum" : fmt::format("sum of {}", type),
                         fmt::format("{} {}", sums_[i], text(types_[i].unit)));
    }
  }

 private:
  void add_field(pbf_reader& field) {
    const uint32_t tag = field.tag();  // it is gone when the value has been taken
    const bool is_list = is_number(field) || is_message(field);
    if (is_list && tag == kComment) return add_numbers(field, comments_);
    if (is_number(field)) return add_number(tag, field.get_int64());
    if (!is_message(field)) return field.skip();
    const data_view bytes = field.get_view();
    switch (tag) {
      case kSampleType:
        types_.push_back(value_type_from(bytes));
        break;
      case kSample:
        samples_.push_back(bytes);
        break;
      case kMapping: {
        const auto numbers = numbers_of<6>(bytes);
        mapping_files_[numbers[1]] = static_cast<int64_t>(numbers[5]);
        break;
      }
      case kLocation:
        add_location(bytes);
        break;
      case kFunction: {
        const auto numbers = numbers_of<5>(bytes);
        functions_[numbers[1]] = {.name = static_cast<int64_t>(numbers[2]),
                                  .system_name = static_cast<int64_t>(numbers[3]),
                                  .file = static_cast<int64_t>(numbers[4])};
        break;
      }
      case kStringTable:
        strings_.push_back(texts_.add(valid_utf8({bytes.data(), bytes.size()})));
        break;
      case kPeriodType:
        period_type_ = value_type_from(bytes);
        break;
      default:
        break;
    }
  }

  void add_number(uint32_t field, int64_t number) {
    if (field == kTimeNanos) time_ns_ = number;
    if (field == kDurationNanos) duration_ns_ = number;
    if (field == kPeriod) period_ = number;
    if (field == kDefaultSampleType) default_name_ = number;
    if (field == kDocumentation) documentation_ = number;
  }

  void add_location(data_view bytes) {
    const auto numbers = numbers_of<4>(bytes);
    Part functions{.begin = location_functions_.size()};
    for (pbf_reader field(bytes); field.next();) {
      if (field.tag() == 4 && is_message(field)) {
        location_functions_.push_back(numbers_of<2>(field.get_view())[1]);
      } else {
        field.skip();
      }
    }
    functions.size = location_functions_.size() - functions.begin;
    locations_[numbers[1]] = {.mapping = numbers[2], .address = numbers[3], .functions = functions};
  }

  // Its width, and its frames from the outermost to the innermost.
  int64_t read_sample(data_view sample, std::vector<EventTypeId>& frames) {
    const auto offset = static_cast<uint64_t>(sample.data() - begin_);
    std::vector<uint64_t> locations;
    std::vector<int64_t> values;
    labels_.clear();
    const bool is_whole = is_parsed([&] {
      for (pbf_reader field(sample); field.next();) {
        const bool is_list = is_number(field) || is_message(field);
        if (is_list && field.tag() == 1) {
          add_numbers(field, locations);
        } else if (is_list && field.tag() == 2) {
          add_numbers(field, values);
        } else if (is_message(field) && field.tag() == 3) {
          labels_.push_back(numbers_of<5>(field.get_view()));
        } else {
          field.skip();
        }
      }
    });
    if (!is_whole) sink_.loss("damaged sample", offset);
    sums_.resize(std::max(sums_.size(), std::min(values.size(), types_.size())));
    for (size_t i = 0; i < std::min(values.size(), sums_.size()); ++i)
      sums_[i] = saturating_add(sums_[i], values[i]);
    frames.clear();
    for (const uint64_t id : locations) {
      if (frames.size() > kMostDepth) break;
      add_frames(id, frames, offset);
    }
    std::ranges::reverse(frames);
    const auto shown = shown_type_ < values.size() ? pprof::scaled(values[shown_type_], scale_) : 0;
    if (!shown) sink_.loss(pprof::kOutOfRange, offset);
    const int64_t width = shown.value_or(0);
    if (width < 0) sink_.note("sample of a negative value", offset);
    if (shown == 0 && std::ranges::any_of(values, [](int64_t value) { return value != 0; }))
      sink_.note("sample that has only other values than the one that is shown", offset);
    return width;
  }

  // Adds the labels of the last sample: its thread, request, size, ….
  void add_labels(LaneId lane, Time at) {
    enum Part : size_t { kKey = 1, kText = 2, kNumber = 3, kUnit = 4 };
    ArgsText args;
    for (const Label& label : labels_) {
      const auto number = static_cast<int64_t>(label[kNumber]);
      const std::string_view unit = text_at(label[kUnit]);
      args.name(text_at(label[kKey]));
      if (label[kText] != 0) {
        args.text(text_at(label[kText]));
      } else if (unit.empty()) {
        args.number(number);
      } else {
        args.text(fmt::format("{} {}", number, unit));
      }
    }
    const std::string json = args.take();
    if (json.empty()) return;
    sink_.give(trace::PunctualEvent{.time = at,
                                    .params = sink_.params(json),
                                    .lane = lane,
                                    .type = sink_.type(trace::Category::kPunctual, "labels")});
  }

  std::string_view text(int64_t index) const {
    const bool is_there = index >= 0 && static_cast<size_t>(index) < strings_.size();
    return is_there ? strings_[static_cast<size_t>(index)] : std::string_view();
  }

  std::string_view text_at(uint64_t index) const { return text(static_cast<int64_t>(index)); }

  // The one that was asked for, or that the profile names, else the last, as pprof does; another
  // where that is 0 everywhere.
  size_t type_to_show() {
    const auto type_of = [&](std::string_view name) -> std::optional<size_t> {
      for (size_t i = 0; i < types_.size(); ++i) {
        if (!name.empty() && text(types_[i].type) == name) return i;
      }
      return std::nullopt;
    };
    const std::optional<size_t> asked = type_of(value_);
    if (!asked && !value_.empty())
      sink_.loss("profile without the value that was asked for: its default is shown",
                 trace::LossPlace::nowhere());
    const size_t last = types_.empty() ? 0 : types_.size() - 1;
    return asked ? *asked : type_with_values(type_of(text(default_name_)).value_or(last));
  }

  // A heap with nothing in use still shows what was allocated.
  size_t type_with_values(size_t usual) {
    std::vector<bool> has_values(types_.size());
    for (const data_view& sample : samples_) {
      const std::vector<int64_t> values = values_of(sample);
      for (size_t i = 0; i < std::min(values.size(), has_values.size()); ++i)
        has_values[i] = has_values[i] || values[i] != 0;
      if (usual >= has_values.size() || has_values[usual]) return usual;
    }
    std::optional<size_t> other;
    for (size_t i = 0; i < types_.size(); ++i) {
      const bool is_alike = text(types_[i].unit) == text(types_[usual].unit);
      if (has_values[i] && (is_alike || !other)) other = i;
    }
    if (!other) return usual;
    sink_.set_metadata("shown", fmt::format("{}: {} is 0 everywhere", text(types_[*other].type),
                                            text(types_[usual].type)));
    return *other;
  }

  static std::vector<int64_t> values_of(data_view sample) {
    std::vector<int64_t> values;
    is_parsed([&] {
      for (pbf_reader field(sample); field.next();) {
        const bool is_list = is_number(field) || is_message(field);
        if (is_list && field.tag() == 2) {
          add_numbers(field, values);
        } else {
          field.skip();
        }
      }
    });
    return values;
  }

  void describe() {
    shown_type_ = type_to_show();
    const int64_t unit = types_.empty() ? 0 : pprof::nanoseconds_of(text(types_[shown_type_].unit));
    const bool is_time = unit > 0;
    if (is_time) scale_ = unit;
    sink_.set_time_base(is_time ? TimeBase::kNanoseconds : TimeBase::kTicks);
    if (time_ns_ != 0) sink_.set_metadata("time", fmt::format("{} ns", time_ns_));
    if (duration_ns_ != 0) sink_.set_metadata("duration", fmt::format("{} ns", duration_ns_));
    if (period_ != 0)
      sink_.set_metadata("period", fmt::format("{} {} {}", period_, text(period_type_.unit),
                                               text(period_type_.type)));
    std::string comments;
    for (const int64_t comment : comments_) {
      if (!comments.empty()) comments += '\n';
      comments += text(comment);
    }
    if (!comments.empty()) sink_.set_metadata("comment", comments);
    if (documentation_ != 0) sink_.set_metadata("documentation", text(documentation_));
  }

  std::string lane_name() const {
    if (types_.empty() || text(types_[shown_type_].type).empty()) return "stacks";
    const ValueType& type = types_[shown_type_];
    return fmt::format("{} ({})", text(type.type), text(type.unit));
  }

  void add_frames(uint64_t id, std::vector<EventTypeId>& frames, uint64_t offset) {
    const auto [known, is_new] = frames_.try_emplace(id);
    Part& part = known->second;
    if (is_new) {
      part.begin = location_frames_.size();
      add_frames_of(id, offset);
      part.size = location_frames_.size() - part.begin;
    }
    const auto added = std::span(location_frames_).subspan(part.begin, part.size);
    frames.insert(frames.end(), added.begin(), added.end());
  }

  // Some have only the name that the linker knows.
  std::string_view name_of(const Function& function) const {
    const std::string_view name = text(function.name);
    return name.empty() ? text(function.system_name) : name;
  }

  // Adds the frames of a location to those of all.
  void add_frames_of(uint64_t id, uint64_t offset) {
    const auto add = [this](std::string_view name, std::string_view file) {
      location_frames_.push_back(name.empty() ? sink_.type(trace::Category::kState, "(unknown)")
                                              : sink_.type(trace::Category::kState, name, file));
    };
    const auto location = locations_.find(id);
    if (location == locations_.end()) {
      sink_.loss("location that is not there", offset);
      return add({}, {});
    }
    const auto& [mapping, address, functions] = location->second;
    for (size_t i = 0; i < functions.size; ++i) {
      const auto function = functions_.find(location_functions_[functions.begin + i]);
      const bool is_there = function != functions_.end();
      add(is_there ? name_of(function->second) : "", is_there ? text(function->second.file) : "");
    }
    if (functions.size > 0) return;
    const auto file = mapping_files_.find(mapping);
    add(fmt::format("{:#x}", address), file == mapping_files_.end() ? "" : text(file->second));
  }

  static constexpr size_t kMostDepth = 4096;

  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  const char* begin_ = nullptr;
  TextArena texts_;
  LargeVector<std::string_view> strings_;  // in it
  std::vector<ValueType> types_;
  LargeVector<data_view> samples_;
  LargePool memory_;
  std::pmr::unordered_map<uint64_t, int64_t> mapping_files_{&memory_};  // strings
  std::pmr::unordered_map<uint64_t, Location> locations_{&memory_};
  std::pmr::unordered_map<uint64_t, Function> functions_{&memory_};
  std::pmr::unordered_map<uint64_t, Part> frames_{&memory_};  // by location
  LargeVector<uint64_t> location_functions_;
  LargeVector<EventTypeId> location_frames_;
  std::vector<int64_t> sums_;  // by type
  ValueType period_type_{};
  int64_t time_ns_ = 0, duration_ns_ = 0, period_ = 0, default_name_ = 0, documentation_ = 0;
  std::vector<int64_t> comments_;  // strings
  using Label = std::array<uint64_t, 5>;
  std::vector<Label> labels_;  // of the sample that was read last: numbers by field
  const std::string value_;
  size_t shown_type_ = 0;
  int64_t scale_ = 1;  // of its values to ticks
};

}  // namespace

// Whether the bytes, of which only the begin may be there, are fields of a profile.
int sniff_pprof(std::span<const std::byte> head) {
  constexpr int kSure = 75;
  const std::string_view text = as_chars(head);
  if (is_legacy_profile(text)) return kSure;
  pbf_reader field(text.data(), text.size());
  constexpr size_t kMostTypeBytes = 24;
  constexpr int64_t kMostStrings = 1 << 24;
  constexpr uint32_t kMessages = 1 << kSampleType | 1 << kSample | 1 << kMapping | 1 << kLocation |
                                 1 << kFunction | 1 << kStringTable | 1 << kPeriodType | 1 << 13;
  constexpr uint32_t kNumbers = 1 << 7 | 1 << 8 | 1 << kTimeNanos | 1 << kDurationNanos |
                                1 << kPeriod | 1 << 13 | 1 << kDefaultSampleType | 1 << 15;
  uint32_t seen = 0;
  bool is_right = true, is_named = true, has_stacks = false;
  const bool has_ended = is_parsed([&] {
    while (is_right && field.next()) {
      const uint32_t bit = field.tag() < 16 ? 1u << field.tag() : 0;
      is_right = (is_number(field) && (bit & kNumbers) != 0) ||
                 (is_message(field) && (bit & kMessages) != 0);
      if (!is_right) return;
      if (bit == 1u << kSampleType) {
        const data_view type = field.get_view();
        is_named = !type.empty();
        const int64_t name = is_named ? value_type_from(type).type : 1;
        is_right = type.size() <= kMostTypeBytes && name > 0 && name < kMostStrings;
      } else if (bit == 1u << kStringTable) {
        const bool is_first = (seen & bit) == 0;
        is_right = field.get_view().empty() || !is_first;
      } else if (bit == 1u << kSample) {
        const data_view sample = field.get_view();
        has_stacks = has_stacks || has_stack(sample);
      } else {
        field.skip();
      }
      seen |= bit;
    }
  });
  const auto has = [&](ProfileField tag) { return (seen & 1u << tag) != 0; };
  // Some do not say what they counted: then more must be right.
  const bool has_places = has(kSample) && has(kLocation);
  const bool is_cut = !has_ended || head.size() >= kHeadBytes;
  const bool is_complete = has(kStringTable) && (has(kLocation) || !has_stacks);
  return is_right && has(kSampleType) && (has(kSample) || has(kStringTable)) &&
                 (is_named || has_places) && (is_cut || is_complete)
             ? kSure
             : 0;
}

Status read_pprof(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const WholeInput input, WholeInput::read(source, sink));
  std::string_view bytes = input.bytes();
  std::string of_legacy;
  if (is_legacy_profile(bytes)) bytes = of_legacy = profile_from_legacy(bytes, sink);
  PprofReader reader(sink, std::string(context.option(kValueOption)));
  reader.add({bytes.data(), bytes.size()});
  if (!reader.is_profile())
    return fail("is no profile of pprof, or one that breaks off before its locations");
  reader.finish();
  return {};
}

Option pprof_value_option() {
  return {.name = std::string(kValueOption),
          .about =
              "The type of value whose stacks are drawn, as the profile calls it "
              "(inuse_space, say); else the profile's default."};
}

}  // namespace weft::formats
