// The reader of HTTP archives (HAR, versions 1.1 and 1.2), as browsers and proxies save what a page
// loaded. A request is a state on the lane of its host, with its phases within; a page is a state
// on the lane "pages". Who was asked for because of what is a link: redirections, and the
// initiators that Chrome tells.
//
// Source: the specification of HAR 1.2 (J. Odvarko), and what Chrome and Firefox export.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_har(std::span<const std::byte> head);
Status read_har(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
