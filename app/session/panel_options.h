// The options that panels of each kind have, as panel.set and journals name them. What an option
// says is for the panel that reads it; where it is one of a few words they stand here.
#pragma once

#include <string_view>

#include "app/base/json.h"
#include "app/session/panel_kinds.h"
#include "app/session/session.h"
#include "core/base/result.h"

namespace weft::app {

// An error where panels of the kind have no such option, or where it is one of a few words and
// `value` is none of them; it names those that there are.
Status check_option(const PanelKind& kind, std::string_view option, const Json& value);
// An error where the value names what the session does not have: a page of statistics of the trace
// that the panel shows, or a trace; or where the option is of a trace, and none is shown. Columns
// of tables are known only where they are drawn: see SortOrder.
Status check_option_in(const Session& session, std::string_view panel, const PanelKind& kind,
                       std::string_view option, const Json& value);
// Those of an object that pass check_option().
Json known_options(const PanelKind& kind, const Json& options);

// Whether the option belongs to the trace that the panel shows, not to the panel: the filters of a
// table and the range that statistics have played, which are about what that trace contains.
// OpenTrace::panel_options has it; it is kept with the trace's view, and other traces have their
// own.
bool is_of_trace(std::string_view option);
// All options of the panel while it shows that trace; null: none.
Json options_in(const PanelInstance& panel, const OpenTrace* trace);
// Sets an option, or removes it (null), where it belongs. It must have passed both checks.
void set_option_in(Session& session, PanelInstance& panel, std::string_view option,
                   const Json& value);
// Removes what belongs to traces: files of earlier versions of the program have it.
void drop_options_of_traces(PanelInstance& panel);

}  // namespace weft::app
