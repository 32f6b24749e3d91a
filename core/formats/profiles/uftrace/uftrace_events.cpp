#include "core/formats/profiles/uftrace/uftrace_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"

namespace weft::formats::uftrace {
namespace {

struct Known {
  std::string_view name;
  std::array<std::string_view, 3> fields;  // 64 bits each
};
constexpr uint64_t kFirst = 100001;
constexpr Known kKnown[] = {
    {"read:proc/statm", {"vmsize", "vmrss", "shared"}},
    {"read:page-fault", {"major", "minor"}},
    {"diff:proc/statm", {"vmsize", "vmrss", "shared"}},
    {"diff:page-fault", {"major", "minor"}},
    {"read:pmu-cycle", {"cycles", "instructions"}},
    {"diff:pmu-cycle", {"cycles", "instructions"}},
    {"read:pmu-cache", {"refers", "misses"}},
    {"diff:pmu-cache", {"refers", "misses"}},
    {"read:pmu-branch", {"branch", "misses"}},
    {"diff:pmu-branch", {"branch", "misses"}},
    {"watch:cpu", {}},
    {"watch:var", {}},
    {"callsite", {"address"}},
};
const Known* known(uint64_t event) {
  const uint64_t i = event - kFirst;
  return event >= kFirst && i < std::size(kKnown) ? &kKnown[i] : nullptr;
}

}  // namespace

// "EVENT: 1000000 provider:event"
Events::Events(const std::filesystem::path& folder) {
  std::ifstream in(folder / "events.txt");
  std::string line;
  constexpr size_t kMost = 100'000;
  while (std::getline(in, line) && names_.size() < kMost) {
    std::string_view text = line;
    if (!take_prefix(text, "EVENT: ")) continue;
    const auto event = parse_number<uint64_t>(take_word(text));
    const std::string_view name = trimmed(text);
    if (event && !name.empty()) names_[*event] = name;
  }
}

std::string Events::name_of(uint64_t event) const {
  const auto it = names_.find(event);
  if (it != names_.end()) return it->second;
  const Known* const one = known(event);
  return one != nullptr ? std::string(one->name) : fmt::format("event {}", event);
}

std::optional<size_t> Events::bytes_of(std::string_view bytes) {
  constexpr size_t kStep = 8;
  uint16_t size = 0;
  if (bytes.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, &bytes.front(), sizeof size);
  return (sizeof size + size + kStep - 1) / kStep * kStep;
}

std::string Events::params_of(uint64_t event, std::string_view bytes) {
  uint16_t size = 0;
  if (bytes.size() < sizeof size) return {};
  std::memcpy(&size, &bytes.front(), sizeof size);
  bytes = bytes.substr(sizeof size, size);
  ArgsText params;
  const auto take = [&](auto number) {
    if (bytes.size() >= sizeof number) std::memcpy(&number, &bytes.front(), sizeof number);
    bytes.remove_prefix(std::min(bytes.size(), sizeof number));
    return number;
  };
  const Known* const one = known(event);
  if (one == nullptr) {
    const std::string_view text = until_zero(bytes);
    if (!text.empty()) params.add("data", text);
  } else if (one->name == "watch:cpu") {
    params.add("cpu", take(int32_t{}));
  } else {
    for (const std::string_view field : one->fields) {
      if (field.empty() || bytes.empty()) break;
      field == "address" ? params.add_pointer(field, take(uint64_t{}))
                         : params.add(field, take(int64_t{}));
    }
  }
  return params.take();
}

}  // namespace weft::formats::uftrace
