#include "core/formats/kernel/perf/perf_json_reader.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/perf/perf_threads.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

class PerfJsonReader {
 public:
  explicit PerfJsonReader(trace::EventSink& sink) : sink_(sink) {}

  void add_headers(Element headers) {
    for (const std::string_view name :
         {"captured-on", "hostname", "os-release", "arch", "cpu-desc", "perf-version"}) {
      const std::string_view value = json::text(member(headers, name));
      if (!value.empty()) sink_.set_metadata(name, value);
    }
  }

  void add_sample(Element sample) {
    const uint64_t number = samples_++;
    const auto time = json::integer(member(sample, "timestamp"));
    const auto tid = json::integer(member(sample, "tid"));
    if (!time || !tid) return sink_.loss("sample without a time or a thread", number);
    perf::Thread& thread =
        threads_.thread(number_of(member(sample, "pid")), static_cast<int32_t>(*tid),
                        json::text(member(sample, "comm")), number_of(member(sample, "cpu")));
    if (thread.last && Time{*time} < *thread.last)
      sink_.note("sample before the one before it", {number, thread.lane, Time{*time}});
    thread.last = Time{*time};
    frames_.clear();
    json::for_each_element(member(sample, "callchain"), [&](Element frame) {
      frames_.push_back(
          threads_.frame(json::text(member(frame, "symbol")), json::text(member(frame, "dso"))));
    });
    std::ranges::reverse(frames_);
    thread.samples->add(Time{*time}, frames_);
    sink_.give(trace::PunctualEvent{.time = Time{*time},
                                    .lane = thread.lane,
                                    .type = sink_.type(trace::Category::kPunctual, "sample")});
  }

  void finish() { threads_.finish(); }

 private:
  static int32_t number_of(std::optional<Element> value) {
    const int64_t number = json::integer(value).value_or(-1);
    return number >= 0 && number <= std::numeric_limits<int32_t>::max()
               ? static_cast<int32_t>(number)
               : -1;
  }

  trace::EventSink& sink_;
  ftrace::Lanes lanes_{sink_};
  perf::Threads threads_{sink_, lanes_};
  uint64_t samples_ = 0;
  std::vector<EventTypeId> frames_;  // kept for its memory
};

}  // namespace

int sniff_perf_json(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with('{') && text.find("\"linux-perf-json-version\"") < 64 ? 95 : 0;
}

Status read_perf_json(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  sink.set_time_base(TimeBase::kNanoseconds);
  PerfJsonReader reader(sink);
  if (const auto headers = member(document.root(), "headers")) reader.add_headers(*headers);
  json::for_each_element(member(document.root(), "samples"),
                         [&](Element sample) { reader.add_sample(sample); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
