// Names of files that are written beside one that the user has named. None of them is the file of
// an open trace, nor any other that is there, unless what is now written anew had written it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "app/session/session.h"
#include "core/base/result.h"

namespace weft::app {

// With what a text about a picture begins, and a report in Markdown.
inline constexpr const char* kContextBegin = "panel: ";
inline constexpr const char* kMarkdownBegin = "# What was found\n";

// Whether that file, however it is named, is open as a trace.
bool is_open_as_trace(const Session& session, const std::filesystem::path& file);

// For the text that says what a picture shows: PICTURE.txt or, where that is another's,
// PICTURE-2.txt and so on.
Result<std::filesystem::path> context_beside(const Session& session,
                                             const std::filesystem::path& picture);

// For the pictures and tables of a report in Markdown, without their endings: NAME-1 and so on, as
// many as asked for.
Result<std::vector<std::filesystem::path>> items_beside(const Session& session,
                                                        const std::filesystem::path& report,
                                                        size_t count);

}  // namespace weft::app
