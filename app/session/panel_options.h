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
// that the panel shows, or a trace. Columns of tables are known only where they are drawn: see
// SortOrder.
Status check_option_in(const Session& session, std::string_view panel, const PanelKind& kind,
                       std::string_view option, const Json& value);
// Those of an object that pass check_option().
Json known_options(const PanelKind& kind, const Json& options);

}  // namespace weft::app
