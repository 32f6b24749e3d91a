#include "app/cli/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"

namespace weft::cli {

std::string to_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::ordered_json losses_json(const trace::ImportReport& report) {
  auto losses = nlohmann::ordered_json::array();
  for (const trace::Loss& loss : report.losses()) {
    losses.push_back({{"kind", loss.kind},
                      {"count", loss.count},
                      {"first", loss.first},
                      {"is_damage", loss.is_damage}});
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
  const std::string where = first->first.empty() ? "" : fmt::format(" at byte {}", first->first[0]);
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
