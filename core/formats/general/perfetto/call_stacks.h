// Call stacks as Perfetto interns them: a stack is a list of frames, a frame names a function or an
// address in a mapping.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/general/perfetto/sequence.h"

namespace weft::formats::perfetto {

struct StackFrame {
  std::string function;        // empty: the address alone is known
  std::string path, build_id;  // of what is mapped there
  uint64_t address = 0;        // in it
  auto operator<=>(const StackFrame&) const = default;
};

// "malloc", or "libc.so+0x1f4" where the function is not known.
std::string name_of(const StackFrame& frame);

// The outermost first. Returns an empty list if the stack is not known.
std::vector<StackFrame> stack_of(const Sequence& sequence, uint64_t callstack_iid);
// The same stack as names.
std::vector<std::string> frames_of(const Sequence& sequence, uint64_t callstack_iid);

}  // namespace weft::formats::perfetto
