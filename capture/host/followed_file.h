// A file of this machine that still grows, as a feed: what is in it, then what is added.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "capture/host/feed.h"
#include "core/base/result.h"

namespace weft::capture {

// It ends when it is cancelled, with an error where the file gets shorter; a file of the same name
// that takes its place is not seen. Looks for more four times a second.
Result<std::unique_ptr<Feed>> follow_file(const std::filesystem::path& file,
                                          std::function<void()> on_change = {});

}  // namespace weft::capture
