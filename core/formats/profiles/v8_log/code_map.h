// The memory map of code while V8 logged, with names.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/trace/event_sink.h"

namespace weft::formats::v8_log {

class CodeMap {
 public:
  explicit CodeMap(trace::EventSink& sink) : sink_(sink) {}

  // A function and its group; its type, from when something ran that is called so: most code never
  // does while a tick is taken.
  using Names = std::map<std::pair<std::string, std::string>, EventTypeId>;
  using Name = Names::value_type;

  // "d /srv/simple.js:20:11" of a script, or any other name. Lives as long as this.
  Name& name_of(std::string_view name, std::string_view kind) {
    const size_t space = name.find(' ');
    const bool is_script =
        space != std::string_view::npos && kind != "RegExp" && ends_with_place(name);
    const std::string_view function = is_script ? name.substr(0, space) : name;
    const std::string_view group = is_script ? name.substr(space + 1) : kind;
    return *names_
                .try_emplace(
                    {function.empty() ? "(anonymous)" : valid_utf8(function), valid_utf8(group)},
                    EventTypeId::none())
                .first;
  }
  EventTypeId type_of(Name& name) {
    if (name.second.is_none())
      name.second = sink_.type(trace::Category::kState, name.first.first, name.first.second);
    return name.second;
  }

  // New code takes the place of what lay there.
  void add(uint64_t begin, uint64_t size, Name& name) {
    const uint64_t end = begin + size;
    if (size == 0 || end < begin || codes_.size() == kMostCodes) return;
    auto it = codes_.lower_bound(begin);
    if (it != codes_.begin() && std::prev(it)->second.end > begin) --it;
    while (it != codes_.end() && it->first < end) it = codes_.erase(it);
    codes_.insert_or_assign(begin, Code{end, &name});
  }
  void move(uint64_t from, uint64_t to) {
    const auto it = codes_.find(from);
    if (it == codes_.end()) return;
    const Code code = it->second;
    codes_.erase(it);
    add(to, code.end - from, *code.name);
  }
  void remove(uint64_t at) { codes_.erase(at); }

  // Libraries overlap neither each other nor what V8 makes.
  void add_library(uint64_t begin, uint64_t end, std::string_view path) {
    if (end > begin)
      libraries_.insert_or_assign(begin,
                                  Code{end, &name_of(path.substr(path.rfind('/') + 1), "library")});
  }

  // Returns none() if nothing is known of the address.
  EventTypeId at(uint64_t address) {
    Name* name = at(codes_, address);
    if (name == nullptr) name = at(libraries_, address);
    return name == nullptr ? EventTypeId::none() : type_of(*name);
  }

 private:
  static constexpr size_t kMostCodes = size_t{1} << 20;
  struct Code {
    uint64_t end;
    Name* name;
  };
  using Codes = std::map<uint64_t, Code>;  // by where they begin

  // ":20:11"; ":20", without the column, in logs until 2015.
  static bool ends_with_place(std::string_view name) {
    const size_t digits = name.find_last_not_of("0123456789");
    return digits != std::string_view::npos && name[digits] == ':' && digits + 1 < name.size();
  }

  static Name* at(const Codes& codes, uint64_t address) {
    const auto next = codes.upper_bound(address);
    if (next == codes.begin()) return nullptr;
    const Code& code = std::prev(next)->second;
    return address < code.end ? code.name : nullptr;
  }

  trace::EventSink& sink_;
  Names names_;
  Codes codes_, libraries_;
};

}  // namespace weft::formats::v8_log
