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

// Of an archive that breaks off what lies before that, if anything does; else it is an error.
Result<Unpacked> unpack(const PackedInput& input);

}  // namespace weft::io
