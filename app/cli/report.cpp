#include "app/cli/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"

namespace weft::cli {

std::string to_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<uint64_t> offsets_of(const trace::Loss& loss) {
  std::vector<uint64_t> offsets;
  offsets.reserve(loss.first.size());
  for (const trace::LossPlace& place : loss.first) offsets.push_back(place.offset);
  return offsets;
}

nlohmann::ordered_json losses_json(const trace::ImportReport& report,
                                   const trace::Dictionary& dictionary) {
  auto losses = nlohmann::ordered_json::array();
  for (const trace::Loss& loss : report.losses()) {
    auto places = nlohmann::ordered_json::array();
    for (const trace::LossPlace& place : loss.first) {
      if (place.lane.is_none() && !place.time) continue;
      nlohmann::ordered_json json{{"offset", place.offset}};
      if (!place.lane.is_none()) json["lane"] = dictionary.path(place.lane);
      if (place.time) json["time"] = place.time->ticks;
      if (place.duration.ticks != 0) json["duration"] = place.duration.ticks;
      places.push_back(std::move(json));
    }
    losses.push_back({{"kind", loss.kind},
                      {"count", loss.count},
                      {"first", offsets_of(loss)},
                      {"is_damage", loss.is_damage}});
    if (!places.empty()) losses.back()["places"] = std::move(places);
  }
  return losses;
}

std::string damage_line(const store::Trace& trace) {
  if (const Status health = trace.health(); !health) return health.error().message;
  const trace::Loss* first = nullptr;
  uint64_t count = 0;
  for (const trace::Loss& loss : trace.dictionary().report.losses()) {
    if (!loss.is_damage) continue;
    if (first == nullptr) first = &loss;
    count += loss.count;
  }
  if (first == nullptr) return {};
  const std::string where =
      first->first.empty() ? "" : fmt::format(" at byte {}", first->first[0].offset);
  return fmt::format("{} lost or damaged, first: {}{}", count, first->kind, where);
}

Result<int> finish(Output& output, const store::Trace& trace, const std::string& file) {
  WEFT_TRY(output.finish());
  const std::string damage = damage_line(trace);
  if (damage.empty()) return kSuccess;
  complain(fmt::format("{}: {}", file, damage));
  return kDamaged;
}

}  // namespace weft::cli
