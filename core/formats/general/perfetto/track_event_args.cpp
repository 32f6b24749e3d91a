// The parameters of a TrackEvent: what else it says, as members of a JSON object.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "core/formats/general/perfetto/annotations.h"
#include "core/formats/general/perfetto/call_stacks.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/track_events.h"
#include "core/formats/general/perfetto/typed_args.h"

namespace weft::formats::perfetto {
namespace {

constexpr std::string_view kPriorities[] = {"",     "",        "verbose", "debug",
                                            "info", "warning", "error",   "fatal"};

// Whether some are parts of one value, and few and small enough to be put together.
bool names_come_again(const std::vector<std::string_view>& annotations) {
  constexpr size_t kMost = 256, kMostBytes = 1 << 16;
  if (annotations.size() < 2 || annotations.size() > kMost) return false;
  std::vector<std::pair<uint64_t, std::string_view>> names;
  size_t bytes = 0;
  for (const std::string_view message : annotations) {
    bytes += message.size();
    for_each_field(message, [&](const Field& field) {
      if (field.number == 1 || field.number == 10) names.emplace_back(field.value, field.bytes);
    });
  }
  std::ranges::sort(names);
  return bytes <= kMostBytes && std::ranges::adjacent_find(names) != names.end();
}

}  // namespace

void TrackEvents::add_args(Sequence& sequence) {
  args_.clear();
  add_annotations(sequence);
  for (const Field& field : event_.details) add_detail(field, sequence);
  add_thread_times(sequence);
  add_histogram(sequence);
  add_mojo_method(sequence);
  add_translations();
  add_typed_arguments(event_.typed_arguments, argument_names_.of_track_event(), args_);
}

// A sample of a histogram whose name is interned.
void TrackEvents::add_histogram(const Sequence& sequence) {
  constexpr uint32_t kHistogramSample = 28, kName = 4;
  const auto it = std::ranges::find(event_.typed_arguments, kHistogramSample, &Field::number);
  if (it == event_.typed_arguments.end()) return;
  for_each_field(it->bytes, [&](const Field& field) {
    if (field.number != kName) return;
    const std::string_view name = sequence.text(Interned::kHistogramName, field.value);
    if (!name.empty()) args_.add("histogram", name);
  });
}

// What is told by a hash, by the name that the trace has for it.
void TrackEvents::add_translations() {
  struct Place {
    uint32_t argument, field;
    Translations::Hash kind;
    std::string_view name;
  };
  constexpr Place kPlaces[] = {{25, 2, Translations::Hash::kUserAction, "user_action"},
                               {28, 1, Translations::Hash::kHistogram, "histogram"},
                               {1011, 1, Translations::Hash::kSite, "site"},
                               {1011, 3, Translations::Hash::kMark, "mark"}};
  for (const Place& place : kPlaces) {
    const auto it = std::ranges::find(event_.typed_arguments, place.argument, &Field::number);
    if (it == event_.typed_arguments.end()) continue;
    for_each_field(it->bytes, [&](const Field& field) {
      if (field.number != place.field) return;
      const std::string_view name = translations_.of(place.kind, field.value);
      if (!name.empty()) args_.add(place.name, name);
    });
  }
}

// The method of an interface that was called, of which nothing but its address was interned.
void TrackEvents::add_mojo_method(const Sequence& sequence) {
  constexpr uint32_t kMojoEvent = 38, kMethod = 4;
  const auto it = std::ranges::find(event_.typed_arguments, kMojoEvent, &Field::number);
  if (it == event_.typed_arguments.end()) return;
  for_each_field(it->bytes, [&](const Field& field) {
    if (field.number != kMethod) return;
    const std::string name = native_location(sequence, field.value);
    if (!name.empty()) args_.add("mojo_interface_method", name);
  });
}

void TrackEvents::add_annotations(const Sequence& sequence) {
  bool is_good = true;
  if (names_come_again(event_.annotations)) {
    std::string whole;
    for (const std::string_view message : event_.annotations) {
      is_good &= add_annotation(message, sequence, args_);
      whole = merged_args(whole, args_.take());
    }
    args_.continue_object(whole);
  } else {
    for (const std::string_view message : event_.annotations)
      is_good &= add_annotation(message, sequence, args_);
  }
  if (!is_good) sink_.loss("annotation damaged or nested too deep", offset_);
}

void TrackEvents::add_thread_times(Sequence& sequence) {
  if (event_.thread_time_delta_us && sequence.thread) {
    sequence.thread->thread_time_us =
        saturating_add(sequence.thread->thread_time_us, *event_.thread_time_delta_us);
    event_.thread_time_us = sequence.thread->thread_time_us;
  }
  if (event_.instructions_delta && sequence.thread) {
    sequence.thread->instructions =
        saturating_add(sequence.thread->instructions, *event_.instructions_delta);
    event_.instructions = sequence.thread->instructions;
  }
  const bool is_end = event_.type == TrackEventType::kEnd ||
                      (event_.has_legacy &&
                       std::string_view("EeF").find(event_.legacy.phase) != std::string_view::npos);
  if (event_.thread_time_us) {
    args_.add(is_end ? "end_thread_time_us" : "thread_time_us", *event_.thread_time_us);
  }
  if (event_.instructions)
    args_.add(is_end ? "end_instructions" : "instructions", *event_.instructions);
}

void TrackEvents::add_detail(const Field& field, const Sequence& sequence) {
  switch (field.number) {
    case 5:
      for_each_field(field.bytes, [&](const Field& inner) {
        if (inner.number == 1)
          add_source_location("posted_from", sequence.text(Interned::kSourceLocation, inner.value));
      });
      break;
    case 21:
      add_log_message(field.bytes, sequence);
      break;
    case 33:
      add_source_location("source", field.bytes);
      break;
    case 34:
      add_source_location("source", sequence.text(Interned::kSourceLocation, field.value));
      break;
    case 52:
      args_.add("correlation_id", field.value);
      break;
    case 53:
      args_.add("correlation_id", field.bytes);
      break;
    case 54:
      args_.add("correlation_id", sequence.text(Interned::kCorrelation, field.value));
      break;
    case 57:
      args_.name("callstack_weight");
      args_.number(field.real());
      break;
    default:
      add_stack(field, sequence);
  }
}

void TrackEvents::add_source_location(std::string_view name, std::string_view message) {
  if (message.empty()) return sink_.loss("interned text that is not known", offset_);
  args_.name(name);
  args_.begin('{');
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 2) args_.add("file", field.bytes);
    if (field.number == 3) args_.add("function", field.bytes);
    if (field.number == 4) args_.add("line", field.value);
  });
  args_.end('}');
  if (!is_good) sink_.loss("source location damaged", offset_);
}

void TrackEvents::add_log_message(std::string_view message, const Sequence& sequence) {
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1)
      add_source_location("log_source", sequence.text(Interned::kSourceLocation, field.value));
    if (field.number == 2) args_.add("log", sequence.text(Interned::kLogBody, field.value));
    if (field.number == 3 && field.value < std::size(kPriorities))
      args_.add("log_priority", kPriorities[field.value]);
  });
  if (!is_good) sink_.loss("log message damaged", offset_);
}

// Written out (55) or interned (56).
void TrackEvents::add_stack(const Field& field, const Sequence& sequence) {
  args_.name("callstack");
  args_.begin('[');
  if (field.number == 56) {
    for (const std::string& frame : frames_with_sources(sequence, field.value)) args_.text(frame);
  } else {
    const bool is_good = for_each_field(field.bytes, [&](const Field& frame) {
      std::string_view name, file;
      uint64_t line_number = 0;
      for_each_field(frame.bytes, [&](const Field& inner) {
        if (inner.number == 1) name = inner.bytes;
        if (inner.number == 2) file = inner.bytes;
        if (inner.number == 3) line_number = inner.value;
      });
      args_.text(with_source(name, file, line_number));
    });
    if (!is_good) sink_.loss("call stack damaged", offset_);
  }
  args_.end(']');
}

}  // namespace weft::formats::perfetto
