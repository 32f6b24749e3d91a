#include "core/formats/general/perfetto/call_stacks.h"

#include <fmt/core.h>

#include "core/base/text.h"
#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostFrames = 1024;

void read_mapping(const Sequence& sequence, uint64_t iid, StackFrame& frame) {
  for_each_field(sequence.text(Interned::kMapping, iid), [&](const Field& field) {
    if (field.number == 2) frame.build_id = sequence.text(Interned::kBuildId, field.value);
    if (field.number != 7) return;
    for_each_number(field, [&](uint64_t part) {
      const std::string_view text = sequence.text(Interned::kMappingPath, part);
      if (!text.empty()) frame.path += fmt::format("/{}", text);
    });
  });
}

StackFrame frame_of(const Sequence& sequence, uint64_t iid) {
  StackFrame frame;
  for_each_field(sequence.text(Interned::kFrame, iid), [&](const Field& field) {
    if (field.number == 2) frame.function = sequence.text(Interned::kFunctionName, field.value);
    if (field.number == 3) read_mapping(sequence, field.value, frame);
    if (field.number == 4) frame.address = field.value;
    if (field.number == 5) frame.file = sequence.text(Interned::kSourcePath, field.value);
    if (field.number == 6) frame.line = field.value;
  });
  return frame;
}

}  // namespace

std::string name_of(const StackFrame& frame) {
  if (!frame.function.empty()) return valid_utf8(frame.function);
  return fmt::format("{}+{:#x}", object_of(frame), frame.address);
}

std::string object_of(const StackFrame& frame) {
  return valid_utf8(std::string_view(frame.path).substr(frame.path.rfind('/') + 1));
}

std::vector<StackFrame> stack_of(const Sequence& sequence, uint64_t callstack_iid) {
  std::vector<StackFrame> frames;
  const std::string_view stack = sequence.text(Interned::kCallstack, callstack_iid);
  for_each_field(stack, [&](const Field& field) {
    if (field.number != 2) return;
    for_each_number(field, [&](uint64_t iid) {
      if (frames.size() < kMostFrames) frames.push_back(frame_of(sequence, iid));
    });
  });
  // One that is known to be empty.
  if (frames.empty() && !stack.empty()) frames.emplace_back().function = "(no stack)";
  return frames;
}

std::string with_source(std::string_view name, std::string_view file, uint64_t line) {
  if (file.empty()) return std::string(name);
  return line == 0 ? fmt::format("{} ({})", name, file)
                   : fmt::format("{} ({}:{})", name, file, line);
}

std::vector<std::string> frames_with_sources(const Sequence& sequence, uint64_t callstack_iid) {
  std::vector<std::string> names;
  for (const StackFrame& frame : stack_of(sequence, callstack_iid))
    names.push_back(with_source(name_of(frame), frame.file, frame.line));
  return names;
}

std::string native_location(const Sequence& sequence, uint64_t iid) {
  const std::string_view message = sequence.text(Interned::kNativeLocation, iid);
  if (message.empty()) return {};
  StackFrame frame;
  for_each_field(message, [&](const Field& field) {
    if (field.number == 2) read_mapping(sequence, field.value, frame);
    if (field.number == 3) frame.address = field.value;
  });
  return name_of(frame);
}

}  // namespace weft::formats::perfetto
