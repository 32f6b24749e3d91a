// The reader of what callgrind and cachegrind (Valgrind), Xdebug's profiler and others write in the
// format of callgrind: costs of functions, of their lines and of their calls, without times. They
// are shown as a tree of calls that is as wide as the costs of an event (option `event`), see
// callgrind/call_tree.h; below it each function and each line is a punctual event that has its
// exact costs. Parts of a file lie one after the other, those of each thread on lanes of its own.
//
//   # callgrind format
//   events: Instructions
//   fl=(1) file1.c
//   fn=(1) main
//   16 20
//   cfn=(2) func1
//   calls=1 50
//   16 400
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_callgrind(std::span<const std::byte> head);
Status read_callgrind(io::Source& source, trace::EventSink& sink, const ReadContext& context);
Option callgrind_event_option();
std::vector<Page> callgrind_pages();

}  // namespace weft::formats
