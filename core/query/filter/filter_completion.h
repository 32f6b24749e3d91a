// Completion of filter expressions in a search box.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/query/filter/filter_expression.h"
#include "core/store/trace.h"

namespace weft::query {

struct Completion {
  std::string text;  // replaces Completions::span; quoted if necessary
  std::string help;  // "states: length"; empty for names of the trace. Both are hostile text.
};
struct Completions {
  TextSpan span;  // the word at the cursor
  std::vector<Completion> items;
};

// Returns the names of parameters and payload fields ("params.pos.x", "payload.number") in a sample
// of at most `max_records` records from all over the trace, in order. Reads records: call from
// workers.
std::vector<std::string> param_names(const store::Trace& trace, uint64_t max_records,
                                     const std::stop_token& stop);

// (frame-safe) Returns at most `max_items` continuations at the cursor, best first: those that
// begin with the word at the cursor, then those that contain it. O(text + lanes + types).
Completions complete_filter(std::string_view text, size_t cursor,
                            const trace::Dictionary& dictionary,
                            const std::vector<std::string>& param_names, size_t max_items = 50);

// (frame-safe) Whether the text ends in a word that stands where a condition begins, and that a
// field's name begins with: whoever types `dur > 5 && na` may mean `na`, or go on to `name == x`.
bool may_become_field(std::string_view text);
// (frame-safe) Whether the text is a field's name alone, which is searched for as any other word.
bool is_field_name(std::string_view text);

}  // namespace weft::query
