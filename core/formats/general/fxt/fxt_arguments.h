// The arguments of a record of a Fuchsia trace: names, types and values; and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/fxt/fxt_objects.h"
#include "core/formats/general/fxt/fxt_provider.h"

namespace weft::formats::fxt {

enum class ArgumentType : uint8_t {
  kNull = 0,
  kInt32 = 1,
  kUint32 = 2,
  kInt64 = 3,
  kUint64 = 4,
  kDouble = 5,
  kString = 6,
  kPointer = 7,
  kKernelObject = 8,
  kBool = 9,
  kBlob = 10,
};

struct Argument {
  std::string_view name;
  ArgumentType type = ArgumentType::kNull;
  uint64_t value = 0;       // its bits, where it is not text
  std::string_view text{};  // kString, kBlob

  std::optional<double> number() const;  // of those that are numbers
};

// Takes so many off the record; fewer where it is cut. Views into the record and the tables.
std::vector<Argument> take_arguments(uint64_t count, const Provider& provider, Words& record);

// The text of a JSON object; empty where there are none. Pointers and objects of the kernel that
// are known by a name are shown with it.
std::string json_of(const std::vector<Argument>& arguments, uint64_t process,
                    const Provider& provider, const Objects& objects);

}  // namespace weft::formats::fxt
