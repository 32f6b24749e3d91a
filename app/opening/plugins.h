// The user's plugins (core/formats/plugin/weftscope_reader.h) among the trace types. This process
// loads none of them: what a plugin reads, whether it knows a file, and the reading itself are
// asked of a reader process each, which may die or be silent (reader_process.h).
#pragma once

#include <string>
#include <vector>

namespace weft::app {

// Adds a row for each plugin of formats::plugin_folder(): a process of some 20 ms each; nothing
// where there is no such folder. A plugin that cannot be used leaves a complaint.
void add_plugins();

// What went wrong with plugins since the last call, a line each. Thread-safe.
std::vector<std::string> take_plugin_complaints();

}  // namespace weft::app
