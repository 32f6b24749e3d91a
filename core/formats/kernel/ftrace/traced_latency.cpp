#include "core/formats/kernel/ftrace/traced_latency.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"

namespace weft::formats::ftrace {
namespace {

// "#1     context    irq timer_latency       932 ns", behind the number.
std::optional<TracedLatency> parse_timerlat(uint64_t number, std::string_view rest) {
  if (take_word(rest) != "context") return std::nullopt;
  const std::string_view context = take_word(rest);
  if (take_word(rest) != "timer_latency") return std::nullopt;
  const auto latency = parse_number<uint64_t>(take_word(rest));
  if (!latency || trimmed(rest) != "ns") return std::nullopt;
  ArgsText params;
  params.add("seqnum", number);
  params.add("context", context);
  params.add("timer_latency", *latency);
  return TracedLatency{.event = "timerlat",
                       .what = name_of_timer_latency(valid_utf8(context)),
                       .value = static_cast<double>(*latency),
                       .params = params.take()};
}

// "#1     inner/outer(us):   11/12    ts:1581527483.343962693 count:6 nmi-total:4 nmi-count:1",
// behind the number.
std::optional<TracedLatency> parse_hwlat(uint64_t number, std::string_view rest) {
  if (take_word(rest) != "inner/outer(us):") return std::nullopt;
  std::string_view both = take_word(rest);
  const auto inner = take_number<uint64_t>(both);
  if (!inner || !take_prefix(both, "/")) return std::nullopt;
  const auto outer = parse_number<uint64_t>(both);
  if (!outer) return std::nullopt;
  ArgsText params;
  params.add("seqnum", number);
  params.add("duration", *inner);
  params.add("outer_duration", *outer);
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"ts", "timestamp"},
                                                                      {"count", "count"},
                                                                      {"nmi-total", "nmi_total_ts"},
                                                                      {"nmi-count", "nmi_count"}};
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const std::string_view name = take_to(word, ':');
    const auto* const known =
        std::ranges::find(kNames, name, [](const auto& each) { return each.first; });
    if (known == std::end(kNames)) return std::nullopt;
    if (const auto value = parse_number<uint64_t>(word)) {
      params.add(known->second, *value);
    } else {
      params.add(known->second, word);
    }
  }
  return TracedLatency{.event = "hwlat",
                       .what = std::string(kHardwareLatency),
                       .value = static_cast<double>(std::max(*inner, *outer)),
                       .params = params.take()};
}

std::optional<TracedLatency> parse_osnoise(std::string_view rest) {
  constexpr std::array<std::string_view, 9> kNames = {
      "runtime",   "noise",     "available",     "max_sample",  "hw_count",
      "nmi_count", "irq_count", "softirq_count", "thread_count"};
  constexpr size_t kNoiseAt = 1, kAvailableAt = 2;  // the latter in percent
  TracedLatency out{.event = "osnoise", .what = std::string(kNoise)};
  ArgsText params;
  for (size_t i = 0; i < kNames.size(); ++i) {
    const std::string_view word = take_word(rest);
    const auto number = parse_number<uint64_t>(word);
    const auto percent = parse_number<double>(word);
    if (i == kAvailableAt ? !percent || !word.contains('.') : !number) return std::nullopt;
    if (i == kNoiseAt) out.value = static_cast<double>(*number);
    params.name(kNames[i]);
    i == kAvailableAt ? params.number(*percent) : params.number(*number);
  }
  if (!trimmed(rest).empty()) return std::nullopt;
  out.params = params.take();
  return out;
}

}  // namespace

std::string name_of_timer_latency(std::string_view context) {
  return fmt::format("{} timer latency (ns)", context);
}

std::optional<TracedLatency> parse_latency(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (is_digit(text.front())) return parse_osnoise(text);
  if (!take_prefix(text, "#")) return std::nullopt;
  const auto number = take_number<uint64_t>(text);
  if (!number) return std::nullopt;
  auto latency = parse_timerlat(*number, text);
  return latency ? std::move(latency) : parse_hwlat(*number, text);
}

}  // namespace weft::formats::ftrace
