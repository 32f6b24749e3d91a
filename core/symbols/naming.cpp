#include "core/symbols/naming.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/numbers.h"

namespace weft::symbols {
namespace {

// "0x10" is 16; none where the name is a name.
std::optional<int64_t> number_of(std::string_view name) {
  if (!name.starts_with("0x")) return std::nullopt;
  const auto value = parse_number<uint64_t>(name.substr(2), 16);
  return value ? std::optional(static_cast<int64_t>(*value)) : std::nullopt;
}

using Family = std::unordered_map<int64_t, std::string_view>;  // the first name of each number
using Families = std::map<std::string, Family>;

constexpr std::array<std::string_view, 10> kQueueWords = {
    "queue", "mbox", "mailbox", "port", "task", "process", "proc", "thread", "actor", "node"};
constexpr std::array<std::string_view, 6> kTypeWords = {"msg",    "message", "sig",
                                                        "signal", "cmd",     "command"};

bool speaks_of(std::string_view family, std::span<const std::string_view> words) {
  const std::string lower = lower_case(std::string(family));
  return std::ranges::any_of(
      words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::string best_family(const Families& families, const std::set<int64_t>& numbers,
                        std::span<const std::string_view> words) {
  std::string best;
  std::tuple<size_t, ptrdiff_t> best_score = {0, 0};
  for (const auto& [name, family] : families) {
    const auto named = static_cast<size_t>(
        std::ranges::count_if(numbers, [&](int64_t number) { return family.contains(number); }));
    if (named == 0) continue;
    const std::tuple score(named * (speaks_of(name, words) ? 2 : 1),
                           -static_cast<ptrdiff_t>(family.size()));
    if (best_score < score) {
      best_score = score;
      best = name;
    }
  }
  return best;
}

std::set<int64_t> numbers_of(const auto& list) {
  std::set<int64_t> numbers;
  for (const auto& each : list) {
    if (const auto number = number_of(each.name)) numbers.insert(*number);
  }
  return numbers;
}

// The list again, each whose name is a number of the family under the name of that.
uint64_t rename(auto& list, const Families& families, const std::string& chosen) {
  const auto family = families.find(chosen);
  if (family == families.end()) return 0;
  uint64_t renamed = 0;
  for (auto each : std::exchange(list, {})) {
    const auto number = number_of(each.name);
    const auto name = number ? family->second.find(*number) : family->second.end();
    if (name != family->second.end()) {
      each.name = name->second;
      ++renamed;
    }
    list.push_back(std::move(each));
  }
  return renamed;
}

}  // namespace

Naming name_trace(const trace::Dictionary& dictionary, const Symbols& symbols) {
  Families families;
  for (const Constant& constant : symbols.constants) {
    families[constant.family].try_emplace(constant.value, constant.name);
  }
  families.erase("");
  Naming naming;
  const auto choose = [&](const std::string& said, const std::set<int64_t>& numbers, auto words) {
    return said.empty() ? best_family(families, numbers, words) : said;
  };
  naming.queues = choose(symbols.map.queues, numbers_of(dictionary.lanes), std::span(kQueueWords));
  naming.types = choose(symbols.map.types, numbers_of(dictionary.types), std::span(kTypeWords));
  auto named = std::make_shared<trace::Dictionary>(dictionary);
  naming.lanes_named = rename(named->lanes, families, naming.queues);
  naming.types_named = rename(named->types, families, naming.types);
  if (naming.lanes_named + naming.types_named > 0) naming.dictionary = std::move(named);
  return naming;
}

DataTypeId struct_of_type(const Symbols& symbols, std::string_view type_name) {
  const std::string name(type_name);
  const auto find = [&](const std::string& wanted) {
    const auto at = symbols.structs.find(wanted);
    return at == symbols.structs.end() ? DataTypeId::none() : at->second;
  };
  if (const auto said = symbols.map.structs.find(name); said != symbols.map.structs.end())
    return find(said->second);
  for (const std::string& wanted : {"struct " + name, name}) {
    if (const DataTypeId exact = find(wanted); !exact.is_none()) return exact;
  }
  const std::string core = core_of_name(name);
  if (core.empty()) return DataTypeId::none();
  for (const auto& [struct_name, type] : symbols.structs) {
    if (core_of_name(struct_name) == core) return type;
  }
  return DataTypeId::none();
}

}  // namespace weft::symbols
