// Archives (zip, tar) unpacked into a private temporary folder, so that what is in them can be read
// like any other trace. Internal to the room.
//
// Regular files alone are unpacked, under names that stay below the folder: links, devices,
// absolute names and ".." are left out. By libarchive.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/io/unpacked.h"

namespace weft::io {

// Whether such bytes (512 of them, or all there are) begin an archive.
bool begins_archive(std::span<const std::byte> head);

// An archive that breaks off is an error.
Result<TemporaryFolder> unpack(const PackedInput& input);

}  // namespace weft::io
