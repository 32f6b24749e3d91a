#include "app/cli/report.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "app/base/json_text.h"
#include "app/cli/command.h"
#include "app/session/losses.h"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

ordered_json loss_json(const trace::Loss& loss) {
  auto offsets = ordered_json::array();
  std::string_view unit;
  for (const trace::LossPlace& place : loss.first) {
    if (place.unit == trace::PlaceUnit::kNone) continue;
    offsets.push_back(place.offset);
    unit = name_of(place.unit);
  }
  ordered_json json{{"kind", loss.kind},
                    {"count", loss.count},
                    {"first", std::move(offsets)},
                    {"is_damage", loss.is_damage}};
  if (!unit.empty()) json["unit"] = unit;
  return json;
}

}  // namespace

void print_json(Output& output, ordered_json object) {
  ordered_json answer{{"schema", kJsonSchema}};
  for (auto& [key, value] : object.items()) answer[key] = std::move(value);
  output.print("{}\n", app::tame_json(
                           answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

nlohmann::ordered_json losses_json(const trace::ImportReport& report,
                                   const trace::Dictionary& dictionary) {
  auto losses = nlohmann::ordered_json::array();
  for (const trace::Loss& loss : report.losses()) {
    auto places = nlohmann::ordered_json::array();
    for (const trace::LossPlace& place : loss.first) {
      if (place.lane.is_none() && !place.time) continue;
      ordered_json json = ordered_json::object();
      if (place.unit != trace::PlaceUnit::kNone) json["offset"] = place.offset;
      if (!place.lane.is_none()) json["lane"] = dictionary.path(place.lane);
      if (place.time) json["time"] = place.time->ticks;
      if (place.duration.ticks != 0) json["duration"] = place.duration.ticks;
      places.push_back(std::move(json));
    }
    losses.push_back(loss_json(loss));
    if (!places.empty()) losses.back()["places"] = std::move(places);
  }
  return losses;
}

Result<int> finish(Output& output, const store::Trace& trace, const std::string& file) {
  WEFT_TRY(output.finish());
  const std::string damage = app::damage_line(trace);
  if (damage.empty()) return kSuccess;
  complain(fmt::format("{}: {}", file, damage));
  return kDamaged;
}

int exit_code_of(const std::vector<std::string>& damage) {
  for (const std::string& line : damage) complain(line);
  return damage.empty() ? kSuccess : kDamaged;
}

}  // namespace weft::cli
