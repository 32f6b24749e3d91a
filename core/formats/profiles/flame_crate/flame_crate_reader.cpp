#include "core/formats/profiles/flame_crate/flame_crate_reader.h"

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace flame_crate {
namespace {

using json::Element;
using json::member;

struct Span {
  std::optional<int64_t> begin, end, worked;
};

class SpanOutput {
 public:
  explicit SpanOutput(trace::EventSink& sink) : sink_(sink) {}

  void give(std::string_view name, const Span& span, LaneId lane, uint32_t depth) {
    const uint64_t number = spans_++;
    if (!span.begin || !span.end || *span.end < *span.begin || *span.begin < 0)
      return sink_.loss("span without times, or that ends before it begins", number);
    const int64_t took = *span.end - *span.begin;
    if (span.worked.value_or(took) != took) args_.add("delta", *span.worked);
    sink_.give(trace::StateEvent{
        .begin = {*span.begin},
        .duration = {took},
        .params = sink_.params(args_.take()),
        .lane = lane,
        .type = sink_.type(trace::Category::kState, name.empty() ? "(anonymous)" : name),
        .nesting = depth});
  }

  void note(Element note, LaneId lane) {
    const auto time = json::integer(member(note, "instant"));
    if (!time) return sink_.loss("note without a time", spans_);
    const std::string_view said = json::text(member(note, "description"));
    if (!said.empty()) args_.add("description", said);
    const std::string_view name = json::text(member(note, "name"));
    sink_.give(trace::PunctualEvent{
        .time = {*time},
        .params = sink_.params(args_.take()),
        .lane = lane,
        .type = sink_.type(trace::Category::kPunctual, name.empty() ? "note" : name, "notes")});
  }

  trace::EventSink& sink() { return sink_; }
  uint64_t spans() const { return spans_; }

 private:
  trace::EventSink& sink_;
  ArgsText args_;
  uint64_t spans_ = 0;
};

class JsonReader {
 public:
  explicit JsonReader(trace::EventSink& sink) : output_(sink) {}

  void read(Element root) {
    json::for_each_part(root, [&](Element thread) { add_thread(thread); });
    if (output_.spans() > 0) return;
    output_.sink().loss("timeline without spans", trace::LossPlace::nowhere());
  }

 private:
  void add_thread(Element thread) {
    const std::string_view name = json::text(member(thread, "name"));
    const std::string id = json::plain(member(thread, "id"));
    const LaneId lane = output_.sink().add_lane(
        {.name = valid_utf8(name.empty() ? fmt::format("thread {}", id)
                                         : fmt::format("{} ({})", name, id)),
         .kind = trace::LaneKind::kThread});
    json::for_each_part(member(thread, "spans"), [&](Element span) { add_span(span, lane, 0); });
  }

  void add_span(Element object, LaneId lane, uint32_t depth) {
    std::string_view name;
    Span span;
    std::optional<Element> children, notes;
    json::Members members(object);
    while (const auto each = members.next()) {
      if (each->name == "name") name = json::text(each->value);
      if (each->name == "start_ns") span.begin = json::integer(each->value);
      if (each->name == "end_ns") span.end = json::integer(each->value);
      if (each->name == "delta") span.worked = json::integer(each->value);
      if (each->name == "children") children = each->value;
      if (each->name == "notes") notes = each->value;
    }
    output_.give(name, span, lane, depth);
    json::for_each_element(notes, [&](Element note) { output_.note(note, lane); });
    json::for_each_part(children, [&](Element child) { add_span(child, lane, depth + 1); });
  }

  SpanOutput output_;
};

// A member's value within its line: `start: 10,`.
std::optional<std::string_view> value_of(std::string_view line, std::string_view name) {
  if (!take_prefix(line, name) || !take_prefix(line, ": ")) return std::nullopt;
  if (line.ends_with(',')) line.remove_suffix(1);
  return line;
}

class ScriptReader {
 public:
  explicit ScriptReader(trace::EventSink& sink)
      : output_(sink), lane_(sink.add_lane({.name = "spans", .kind = trace::LaneKind::kThread})) {}

  void add(const io::Line& line) {
    const std::string_view text = trimmed(line.text);
    if (text == "{") {
      span_ = {};
    } else if (const auto name = value_of(text, "name")) {
      name_ = without_quotes(*name);
    } else if (const auto worked = value_of(text, "value")) {
      span_.worked = parse_number<int64_t>(*worked);
    } else if (const auto begin = value_of(text, "start")) {
      span_.begin = parse_number<int64_t>(*begin);
    } else if (const auto end = value_of(text, "end")) {
      span_.end = parse_number<int64_t>(*end);
    } else if (text == "children: [") {
      output_.give(valid_utf8(name_), span_, lane_, depth_++);
    } else if (text == "}") {
      depth_ -= depth_ > 0 ? 1 : 0;
    } else if (!text.empty() && text != "," && text != "]," && !text.starts_with("]})")) {
      output_.sink().loss("line that is no part of a span", output_.spans());
    }
  }

  Status finish() const {
    if (output_.spans() > 0) return {};
    return fail("is a page of Rust's flame without spans");
  }

 private:
  SpanOutput output_;
  LaneId lane_;
  std::string name_;
  Span span_;
  uint32_t depth_ = 0;  // of the next span
};

// The first lines of a script, of which the first span's name may be anything.
bool begins_script(std::string_view head) {
  constexpr std::string_view kBegins[] = {"{", "name: \"", "value: ", "start: ", "end: "};
  HeadLines lines(head);
  for (const std::string_view begin : kBegins) {
    const auto line = lines.next();
    if (!line || !trimmed(*line).starts_with(begin)) return false;
  }
  return true;
}

}  // namespace
}  // namespace flame_crate

int sniff_flame_crate(std::span<const std::byte> head) {
  constexpr int kSure = 90;
  const std::string_view text = trimmed(as_chars(head));
  if (flame_crate::begins_script(text)) return kSure;
  const bool has_all = text.contains("\"spans\"") && text.contains("\"start_ns\"") &&
                       text.contains("\"end_ns\"") && text.contains("\"delta\"") &&
                       text.contains("\"depth\"");
  return text.starts_with('[') && has_all ? kSure : 0;
}

Status read_flame_crate(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  sink.set_time_base(TimeBase::kNanoseconds);
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  if (!trimmed(as_chars(head)).starts_with('[')) {
    flame_crate::ScriptReader reader(sink);
    for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
    return reader.finish();
  }
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  flame_crate::JsonReader(sink).read(document.root());
  return {};
}

}  // namespace weft::formats
