#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/formats/messages/spans/span_trace.h"
#include "core/trace/event_counter.h"

namespace weft::formats::spans {
namespace {

class Lanes : public trace::EventCounter {
 public:
  void states(std::span<const trace::StateEvent> all) override {
    for (const trace::StateEvent& each : all)
      rows.push_back(fmt::format("{} {} {} {}", each.begin.ticks, each.duration.ticks,
                                 each.lane.value(), each.nesting));
  }
  std::vector<std::string> rows;
};

// Spans of a few services, each of which may be the child of any other.
std::vector<Span> some_spans(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Span> spans(300);
  for (size_t i = 0; i < spans.size(); ++i) {
    Span& span = spans[i];
    span.key = key_of("t", std::to_string(i));
    span.service = fmt::format("service {}", random() % 3);
    span.name = "work";
    span.begin = Time{static_cast<int64_t>(random() % 400) - 50};
    span.end = span.begin + Duration{static_cast<int64_t>(random() % 60)};
    if (random() % 4 == 0) continue;
    const std::string parent = std::to_string(random() % spans.size());
    span.references.push_back({"child of", key_of("t", parent)});
  }
  return spans;
}

std::vector<std::string> rows_of(std::vector<Span> spans) {
  Lanes sink;
  SpanTrace trace(sink);
  for (Span& span : spans) trace.add(std::move(span));
  trace.finish();
  return sink.rows;
}

// Where two spans have one number, all rows are looked at.
TEST(SpanRows, AreTheSameWhereNumbersComeAgainElsewhere) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    const std::vector<Span> spans = some_spans(seed);
    std::vector<Span> more = spans;
    for (int i = 0; i < 2; ++i) {
      Span& span = more.emplace_back();
      span.key = key_of("u", "1");
      span.service = "elsewhere";
      span.name = "work";
      span.begin = Time{1000 + i};
      span.end = Time{2000};
    }
    std::vector<std::string> rows = rows_of(more);
    ASSERT_EQ(rows.size(), more.size());
    rows.resize(spans.size());  // the others begin last
    EXPECT_EQ(rows, rows_of(spans)) << seed;
  }
}

}  // namespace
}  // namespace weft::formats::spans
