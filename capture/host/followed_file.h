// A growing local file as a feed: its content, then what is appended.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "capture/host/feed.h"
#include "core/base/result.h"

namespace weft::capture {

// Follows `file` until cancelled; fails if the file shrinks. Does not notice if another file takes
// its place. Polls four times a second.
Result<std::unique_ptr<Feed>> follow_file(const std::filesystem::path& file,
                                          std::function<void()> on_change = {});

}  // namespace weft::capture
