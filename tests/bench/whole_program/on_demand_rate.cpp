// on_demand_rate FILE [RUNS]: the rate that an import of Chrome JSON is held against: simdjson's
// On-Demand over the whole file in memory, one thread, taking ph, tid, ts, dur and name of every
// complete event. It keeps nothing, so it is what the text alone costs.
//
// On-Demand is at its best where values are asked for in the order in which they stand, which only
// who knows the writer can do; asked for in another order, as of a writer unknown, it goes around
// the object again. Both are measured.
//
// Prints one JSON object; times are medians of RUNS (3) with a warm parser.
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

namespace ondemand = simdjson::ondemand;

struct Taken {
  uint64_t events = 0;
  uint64_t sum = 0;  // of what was taken, so that it is really taken
};

uint64_t nanoseconds_from(simdjson::simdjson_result<ondemand::value> microseconds) {
  return static_cast<uint64_t>(static_cast<double>(microseconds) * 1000);
}

enum class Order { kOfTheFile, kAnother };

template <Order kOrder>
Taken take_all(ondemand::parser& parser, const simdjson::padded_string& text) {
  Taken taken;
  auto document = parser.iterate(text);
  for (auto element : document["traceEvents"].get_array()) {
    auto event = element.get_object();
    const std::string_view phase = event["ph"];
    if (phase != "X") continue;
    if constexpr (kOrder == Order::kOfTheFile) {
      taken.sum += static_cast<uint64_t>(event["tid"]);
      taken.sum += nanoseconds_from(event["ts"]);
      taken.sum += nanoseconds_from(event["dur"]);
    } else {
      taken.sum += nanoseconds_from(event["dur"]);
      taken.sum += nanoseconds_from(event["ts"]);
      taken.sum += static_cast<uint64_t>(event["tid"]);
    }
    taken.sum += static_cast<std::string_view>(event["name"]).size();
    ++taken.events;
  }
  return taken;
}

template <Order kOrder>
double median_seconds(ondemand::parser& parser, const simdjson::padded_string& text, int runs) {
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    take_all<kOrder>(parser, text);
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: on_demand_rate FILE [RUNS]\n");
    return 2;
  }
  const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 3;
  try {
    const simdjson::padded_string text = simdjson::padded_string::load(argv[1]);
    ondemand::parser parser;
    const Taken taken = take_all<Order::kOfTheFile>(parser, text);  // warms the parser's buffers
    const double in_order = median_seconds<Order::kOfTheFile>(parser, text, runs);
    const double in_another = median_seconds<Order::kAnother>(parser, text, runs);
    std::printf(R"({"bytes": %zu, "events": %llu, "seconds": %.6f, "seconds_in_order": %.6f, )"
                R"("sum": %llu})"
                "\n",
                text.size(), static_cast<unsigned long long>(taken.events), in_another, in_order,
                static_cast<unsigned long long>(taken.sum));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "on_demand_rate: %s: %s\n", argv[1], error.what());
    return 1;
  }
}
