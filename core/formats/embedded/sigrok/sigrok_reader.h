// The reader of sessions of sigrok (sigrok-cli, PulseView: .sr), what a logic analyser or an
// oscilloscope recorded: an archive of
//
//   metadata      [device 1], samplerate=1 MHz, probe1=CLK, …, analog9=A0, unitsize=1
//   logic-1-1, …  samples, one bit a probe, the first the lowest; `unitsize` bytes each
//   analog-1-9-1, …  those of one channel, floats, lowest byte first
//
// Each probe is a lane whose state is "1" while it is high, each channel a lane with its values
// where they change. Without a sample rate a sample is a tick.
//
// Source: the page "File format:Sigrok/v2" of sigrok's wiki.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_sigrok(std::span<const std::byte> head);
int sniff_sigrok_folder(const io::Source& folder);
Status read_sigrok(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
