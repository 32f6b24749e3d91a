// Call stacks as Perfetto interns them: a stack is a list of frames, a frame names a function or an
// address in a mapping.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/perfetto/sequence.h"

namespace weft::formats::perfetto {

struct StackFrame {
  std::string function;        // empty: the address alone is known
  std::string path, build_id;  // of what is mapped there
  uint64_t address = 0;        // in it
  std::string file;            // of the source; empty: nobody says
  uint64_t line = 0;           // in it; 0: nobody says
  auto operator<=>(const StackFrame&) const = default;
};

// "malloc", or "libc.so+0x1f4" where the function is not known.
std::string name_of(const StackFrame& frame);

// What is mapped where it lies, without its folders.
std::string object_of(const StackFrame& frame);

// The outermost first. Returns an empty list if the stack is not known.
std::vector<StackFrame> stack_of(const Sequence& sequence, uint64_t callstack_iid);
// The same as names with the places in their sources, where these are known: "main (main.cc:10)".
std::vector<std::string> frames_with_sources(const Sequence& sequence, uint64_t callstack_iid);
std::string with_source(std::string_view name, std::string_view file, uint64_t line);
// An address that was interned without a frame: "libc.so+0x1f4". Empty: it is not known.
std::string native_location(const Sequence& sequence, uint64_t iid);

}  // namespace weft::formats::perfetto
