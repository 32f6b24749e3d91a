// Adds the user's plugins (core/formats/plugin/weftscope_reader.h) to the trace types. This process
// loads none of them: reader processes are asked what a plugin reads and whether it knows a file,
// and do the reading; each may crash or hang (inquiry.h).
#pragma once

#include <string>
#include <vector>

namespace weft::app {

// Adds a row for each plugin in formats::plugin_folder(), at some 20 ms each for a process; does
// nothing if there is no such folder. A plugin that cannot be used leaves a complaint.
void add_plugins();

// What has gone wrong with plugins since the last call, one line each. Thread-safe.
std::vector<std::string> take_plugin_complaints();

}  // namespace weft::app
