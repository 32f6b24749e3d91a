// on_demand_rate FILE [RUNS]: the rate that an import of Chrome JSON is held against: simdjson's
// On-Demand over the whole file in memory, one thread, taking ph, tid, ts, dur and name of every
// complete event. It keeps nothing, so it is what the text alone costs.
//
// Prints one JSON object; the time is the median of RUNS (3) with a warm parser.
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

Taken take_all(ondemand::parser& parser, const simdjson::padded_string& text) {
  Taken taken;
  auto document = parser.iterate(text);
  for (auto element : document["traceEvents"].get_array()) {
    auto event = element.get_object();
    const std::string_view phase = event["ph"];
    if (phase != "X") continue;
    taken.sum += static_cast<uint64_t>(event["tid"]);
    taken.sum += static_cast<uint64_t>(static_cast<double>(event["ts"]) * 1000);
    taken.sum += static_cast<uint64_t>(static_cast<double>(event["dur"]) * 1000);
    taken.sum += static_cast<std::string_view>(event["name"]).size();
    ++taken.events;
  }
  return taken;
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
    Taken taken = take_all(parser, text);  // warms the parser's buffers
    std::vector<double> seconds;
    for (int i = 0; i < runs; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      taken = take_all(parser, text);
      seconds.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::ranges::sort(seconds);
    std::printf(R"({"bytes": %zu, "events": %llu, "seconds": %.6f, "sum": %llu})"
                "\n",
                text.size(), static_cast<unsigned long long>(taken.events),
                seconds[seconds.size() / 2], static_cast<unsigned long long>(taken.sum));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "on_demand_rate: %s: %s\n", argv[1], error.what());
    return 1;
  }
}
