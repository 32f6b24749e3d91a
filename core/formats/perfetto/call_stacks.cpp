#include "core/formats/perfetto/call_stacks.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/perfetto/fields.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostFrames = 1024;

// "libc.so+0x1f4": the last part of the mapping's path.
std::string place_of(const Sequence& sequence, uint64_t mapping_iid, uint64_t address) {
  std::string_view file;
  for_each_field(sequence.text(Interned::kMapping, mapping_iid), [&](const Field& field) {
    if (field.number != 7) return;
    for_each_number(field, [&](uint64_t iid) {
      const std::string_view part = sequence.text(Interned::kMappingPath, iid);
      if (!part.empty()) file = part;
    });
  });
  file = file.substr(file.rfind('/') + 1);
  return fmt::format("{}+{:#x}", valid_utf8(file), address);
}

std::string name_of_frame(const Sequence& sequence, uint64_t frame_iid) {
  uint64_t function = 0, mapping = 0, address = 0;
  for_each_field(sequence.text(Interned::kFrame, frame_iid), [&](const Field& field) {
    if (field.number == 2) function = field.value;
    if (field.number == 3) mapping = field.value;
    if (field.number == 4) address = field.value;
  });
  const std::string_view name = sequence.text(Interned::kFunctionName, function);
  return name.empty() ? place_of(sequence, mapping, address) : valid_utf8(name);
}

}  // namespace

std::vector<std::string> frames_of(const Sequence& sequence, uint64_t callstack_iid) {
  std::vector<std::string> frames;
  for_each_field(sequence.text(Interned::kCallstack, callstack_iid), [&](const Field& field) {
    if (field.number != 2) return;
    for_each_number(field, [&](uint64_t iid) {
      if (frames.size() < kMostFrames) frames.push_back(name_of_frame(sequence, iid));
    });
  });
  return frames;
}

}  // namespace weft::formats::perfetto
