// What commands print as JSON, and what they say about a trace's losses.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/cli/output.h"
#include "core/store/trace.h"

namespace weft::cli {

// Of the objects that are printed; docs/cli.md says what makes it another.
inline constexpr int kJsonSchema = 1;

// One line, which says its schema first. Invalid UTF-8 is replaced, not refused.
void print_json(Output& output, nlohmann::ordered_json object);

// [{"kind", "count", "first", "is_damage", "unit", "places"}]: `first` are places in the input,
// which are counted in units, `places` what is known of lanes (of the dictionary) and times.
nlohmann::ordered_json losses_json(const trace::ImportReport& report,
                                   const trace::Dictionary& dictionary);

// The last step of every command that reads a trace: writes what is left of `output`, and, where
// the trace is damaged or incomplete, one line of it to standard error. The exit code.
Result<int> finish(Output& output, const store::Trace& trace, const std::string& file);

// "12 losses, first: end without a begin, at byte 17"; empty: none.
std::string damage_line(const store::Trace& trace);

}  // namespace weft::cli
