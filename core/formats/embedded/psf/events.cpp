#include "core/formats/embedded/psf/events.h"

#include <algorithm>
#include <array>
#include <vector>

namespace weft::formats::psf {
namespace {

constexpr size_t kIds = 1 << 12;
using ById = std::array<const EventInfo*, kIds>;

ById by_id(std::span<const EventInfo> events) {
  ById out{};
  for (const EventInfo& each : events) {
    if (each.id < kIds) out[each.id] = &each;
  }
  return out;
}

// That all kernels share.
constexpr EventInfo kCommon[] = {
    {0x01, "trace start", Act::kStart, Class::kTask, "*"},
    {0x02, "timer", Act::kFrequency, Class::kNone, "frequency,tick rate,kind,threshold,period"},
    {0x03, "name", Act::kName, Class::kNone, "@object,$name"},
};

// Numbers follow each other, one for each count of values.
void add_prints(ById& table, uint32_t first, std::span<const EventInfo> prints) {
  for (size_t i = 0; i < prints.size(); ++i) table[first + i] = &prints[i];
}

constexpr auto kPrints = [] {
  std::array<EventInfo, 16> out{};
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = {static_cast<uint16_t>(i), "print", Act::kPrint, Class::kNone, "*"};
  return out;
}();

std::vector<ById> all_tables() {
  constexpr uint32_t kPrint = 0x90, kThreadXPrint = 4030, kThreadXPrints = 10,
                     kBareMetalPrint = 0x50;
  std::vector<ById> out;
  for (const auto events :
       {freertos_events(), zephyr_events(), threadx_events(), bare_metal_events()})
    out.push_back(by_id(events));
  out.push_back(by_id({}));
  for (ById& table : out) {
    for (const EventInfo& each : kCommon) table[each.id] = &each;
  }
  const std::span<const EventInfo> prints(kPrints);
  add_prints(out[static_cast<size_t>(Kernel::kFreeRtos)], kPrint, prints);
  add_prints(out[static_cast<size_t>(Kernel::kZephyr)], kPrint, prints);
  add_prints(out[static_cast<size_t>(Kernel::kThreadX)], kThreadXPrint,
             prints.first(kThreadXPrints));
  add_prints(out[static_cast<size_t>(Kernel::kBareMetal)], kBareMetalPrint, prints);
  return out;
}

}  // namespace

std::string_view group_of(Class kind) {
  constexpr std::string_view kGroups[] = {
      "Objects",        "Tasks",          "Interrupts",   "Queues",         "Semaphores",
      "Mutexes",        "Timers",         "Event groups", "Stream buffers", "Message buffers",
      "State machines", "State machines", "Intervals",    "Intervals",      "Counters",
      "Memory",         "Extensions",     "Runnables"};
  return kGroups[static_cast<size_t>(kind)];
}

const EventInfo* event_of(Kernel kernel, uint32_t id) {
  static const std::vector<ById> tables = all_tables();
  return id < kIds ? tables[static_cast<size_t>(kernel)][id] : nullptr;
}

bool takes(const EventInfo& event, size_t params) {
  if (event.params.ends_with('*') || event.params.find('$') != std::string_view::npos) return true;
  const auto commas = std::ranges::count(event.params, ',');
  const size_t most = event.params.empty() ? 0 : static_cast<size_t>(commas) + 1;
  // An act needs the object that it acts on.
  const bool needs_none = event.act == Act::kShow || event.act == Act::kSleep;
  const size_t least = most > 0 && !needs_none ? 1 : 0;
  return params >= least && params <= most;
}

}  // namespace weft::formats::psf
