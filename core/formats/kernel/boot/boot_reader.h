// The readers of how a system booted. `systemd-analyze plot` draws it: each unit's row has a bar
// for each of its states, then its name.
//
//   <rect class="activating" x="2007.874" y="120.000" width="335.500" height="19.000" />
//   <text class="left" x="2012.874" y="134.000">dev-mmcblk0p29.device (3.354s)</text>
//
// A second is a hundred units wide, or as the labels of the axis say; before the kernel, times are
// negative. What bootchart's collector writes is a folder (boot/bootchart.h).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_boot(std::span<const std::byte> head);
Status read_boot(io::Source& source, trace::EventSink& sink, const ReadContext& context);

int sniff_bootchart(std::span<const std::byte> head);  // one of the folder's files
int sniff_bootchart_folder(const io::Source& folder);
Status read_bootchart(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
