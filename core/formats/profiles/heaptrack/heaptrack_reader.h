// The reader of what heaptrack records of a program's heap (heaptrack.app.123.gz, .zst), in all
// versions of its file; all numbers are hexadecimal:
//
//   v 10550 3                                  version of heaptrack and of the file
//   X ./app --fast                             the command
//   I 1000 7d09db                              size and number of the machine's pages
//   s 4 main                                   text 1, as long as 4 (versions before 3: no length)
//   i 5d7ea53faa4f 1 2 3 d                     address 1, of module, function, file and line; then
//                                              functions, files and lines that it is inlined into
//   t 8 7                                      stack: its innermost address, and who called
//   a 18 a                                     allocation 0: bytes, and its stack
//   + 1    - 1    c 2a    R 1f4                allocated, freed, milliseconds, pages resident
//
// What was not interpreted yet (.raw.gz) has modules and addresses instead, and pointers; version 0
// has pointers, too:
//
//   m 12 /usr/lib/libc.so.6 7bf3f6414000 0 23220 …    a module, where it lies, its parts
//   t 7bf3f6a3579f 0    + 12000 4 5d7ec4ddc570    - 5d7ec4ddc570
//
// The heap, pages and numbers of allocations are variables, at the times that are there; what
// stacks allocated, and what they had at the peak and at the end, are states as wide as that.
//
// Source: accumulatedtracedata.cpp, heaptrack_interpret.cpp and libheaptrack.cpp of heaptrack.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_heaptrack(std::span<const std::byte> head);
Status read_heaptrack(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
