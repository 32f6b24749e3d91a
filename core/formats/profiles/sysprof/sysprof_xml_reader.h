// The reader of what sysprof saved until 2013: a tree of calls as XML, without times. It is shown
// as wide as the samples of its functions.
//
//   <profile><size>9</size><call_tree>1</call_tree>
//     <objects><object id="7"><name>"main"</name><total>9</total><self>1</self></object></objects>
//     <nodes><node id="1"><object>7</object><siblings>0</siblings><children>2</children>
//            <parent>0</parent><total>9</total><self>1</self></node></nodes></profile>
//
// Memory: the nodes, as far as the reader's share goes.
//
// Source: sysprof 1.0, profile.c.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_sysprof_xml(std::span<const std::byte> head);
Status read_sysprof_xml(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
