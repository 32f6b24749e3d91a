// The reader of TLV standard logs (TraceLogVisualizer of the TOPPERS project): what happened to the
// resources of a system, a line each.
//
//   [1926099]TASK1.state=RUNNING
//   [1926446]TASK1.enterSVC(dly_tsk,10)
//
// Resources are lanes below their type. What an attribute's value is becomes a state until the next
// value, a variable where it is a number; the attribute `state`, or the first that changes, lies on
// the resource's own lane, others below it. Behaviours are punctual events; those that are the two
// ends of a call become one state (tlv/tlv_calls.h). The files beside the
// log (tlv/tlv_resources.h) say unit and radix of times, types and first values; without them times
// are decimal ticks. What a TOPPERS kernel or the components of TECS log is read
// as what TLV makes of it (tlv/tlv_kernel_log.h, tlv/tlv_component_log.h). Memory: what the
// resources are, and their last values.
//
// Source: S. Goto et al., "A generic visualization tool for trace logs" (TLV), and its samples.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_tlv(std::span<const std::byte> head);
Status read_tlv(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
