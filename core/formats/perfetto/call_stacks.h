// Call stacks as Perfetto interns them: a stack is a list of frames, a frame names a function or an
// address in a mapping.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/perfetto/sequence.h"

namespace weft::formats::perfetto {

// Names of the frames, the outermost first. Empty where the stack is not known.
std::vector<std::string> frames_of(const Sequence& sequence, uint64_t callstack_iid);

}  // namespace weft::formats::perfetto
