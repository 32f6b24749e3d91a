// Babeltrace 2.1 dies of streams that have a clock but packets without times, as those of Zephyr:
// its reader of CTF tells the times of packets whose stream class says that they have none, which
// its library aborts on (2.1.1; its own command does so, too).
//
// Two functions here have the names of the library's, and stand before them: the reader, which is
// loaded while the program runs, finds these first. They leave out the time where it must not be,
// and else call the library's.
#pragma once

namespace weft::formats::ctf {

// Called so that the linker takes them in.
void stand_before_packet_times();

}  // namespace weft::formats::ctf
