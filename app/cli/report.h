// JSON output of commands, and reports of a trace's losses.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/output.h"
#include "core/store/trace.h"

namespace weft::cli {

// The schema version of JSON objects; docs/cli.md says when it changes.
inline constexpr int kJsonSchema = 1;

// Prints an object on one line, beginning with its schema. Invalid UTF-8 is replaced, not refused.
void print_json(Output& output, nlohmann::ordered_json object);

// [{"kind", "count", "first", "is_damage", "unit", "places"}]: `first` holds places in the input,
// counted in `unit`; `places` those with known lanes (of the dictionary) or times.
nlohmann::ordered_json losses_json(const trace::ImportReport& report,
                                   const trace::Dictionary& dictionary);

// The last step of every command that reads a trace: writes the rest of `output` and, if the trace
// is damaged or incomplete, a line about it to standard error. Returns the exit status.
Result<int> finish(Output& output, const store::Trace& trace, const std::string& file);

// The same for what was drawn: a line for each trace that is not whole, each naming its file.
int exit_code_of(const std::vector<std::string>& damage);

}  // namespace weft::cli
