// What lies at which addresses of a process. What comes later takes the place of what lay there:
//
//   first    |----- libc.so -----|
//   later        |-- app --|
//   then     |lib|-- app --|libc.|
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace weft::formats::stacks {

class AddressMap {
 public:
  struct Object {
    uint64_t begin = 0;  // as it was added: what is found of it may begin later
    std::string name;
  };

  // Makes at most two parts more: the object, and what is left behind it of one that lay around it.
  // An end that is not behind the begin adds nothing.
  void add(uint64_t begin, uint64_t end, std::string name) {
    if (end <= begin) return;
    cut_at(begin);
    cut_at(end);
    parts_.erase(parts_.lower_bound(begin), parts_.lower_bound(end));
    parts_.emplace(begin, Part{end, std::make_shared<const Object>(begin, std::move(name))});
  }

  // Returns null if nothing is known of the address.
  const Object* find(uint64_t address) const {
    const auto next = parts_.upper_bound(address);
    if (next == parts_.begin()) return nullptr;
    const Part& part = std::prev(next)->second;
    return address < part.end ? part.object.get() : nullptr;
  }

  size_t parts() const { return parts_.size(); }

 private:
  struct Part {
    uint64_t end;
    std::shared_ptr<const Object> object;  // of several where it was cut
  };

  void cut_at(uint64_t address) {
    const auto next = parts_.lower_bound(address);
    if (next == parts_.begin()) return;
    Part& part = std::prev(next)->second;
    if (part.end <= address) return;
    parts_.emplace_hint(next, address, part);
    part.end = address;
  }

  std::map<uint64_t, Part> parts_;  // by their begins; they do not overlap
};

}  // namespace weft::formats::stacks
