#include "core/formats/general/perfetto/stack_table.h"

#include <string>
#include <utility>

namespace weft::formats::perfetto {

uint32_t StackTable::number_of(std::vector<StackFrame> frames, uint64_t room_bytes) {
  // A frame is shown, too, and stands in a map.
  constexpr size_t kBytesPerFrame = 256;
  size_t bytes = 0;
  for (const StackFrame& frame : frames)
    bytes += kBytesPerFrame + frame.function.size() + frame.path.size() + frame.build_id.size() +
             frame.file.size();
  if (bytes > room_bytes) frames.clear(), bytes = 0;
  const auto [it, is_new] =
      numbers_.try_emplace(std::move(frames), static_cast<uint32_t>(frames_.size()));
  if (is_new) {
    bytes_ += bytes;
    frames_.push_back(&it->first);
  }
  return it->second;
}

void StackTable::clear() {
  frames_.clear();
  numbers_.clear();
  shown_.clear();
  bytes_ = 0;
}

const StackTable::Shown& StackTable::shown(uint32_t number) {
  const auto [it, is_new] = shown_.try_emplace(number);
  Shown& shown = it->second;
  if (!is_new) return shown;
  bool has_sources = false;
  shown.sources.begin('[');
  // Many functions may be inlined at one address.
  constexpr size_t kMostFunctions = 4096, kMostSourceBytes = 1 << 16;
  size_t source_bytes = 0;
  for (const StackFrame& frame : *frames_[number]) {
    if (shown.types.size() >= kMostFunctions) break;
    const std::string object = object_of(frame);
    for (const Symbols::Function& function : symbols_.functions_of(frame)) {
      shown.types.push_back(sink_.type(trace::Category::kState, function.name,
                                       object.empty() ? group_ : std::string_view(object)));
      const std::string source = with_source(function.name, function.file, function.line);
      source_bytes += source.size();
      if (source_bytes <= kMostSourceBytes) shown.sources.text(source);
      has_sources |= !function.file.empty();
    }
  }
  shown.sources.end(']');
  if (!has_sources) shown.sources.clear();
  if (shown.types.empty())
    shown.types.push_back(sink_.type(trace::Category::kState, "(unknown)", group_));
  return shown;
}

}  // namespace weft::formats::perfetto
