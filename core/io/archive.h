// Unpacks archives (zip, tar) into a private temporary folder, by libarchive, so that their files
// are read like any other trace. Internal to core/io.
//
// Only regular files are unpacked, and only under names below the folder: of absolute names and
// those with "..", what lies below; of several with one name, numbers tell them apart. Symbolic
// links and devices are left out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/base/result.h"
#include "core/io/unpacked.h"

namespace weft::io {

// Whether `head` (512 bytes, or all there are) begins an archive.
bool begins_archive(std::span<const std::byte> head);

// Unpacks all files into the folder; see Unpack.
Result<Unpacked> unpack_archive(const PackedInput& input, const std::filesystem::path& folder);

}  // namespace weft::io
