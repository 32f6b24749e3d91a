// Pages of statistics that several types of trace share (Format::pages).
#pragma once

#include <vector>

#include "core/formats/formats.h"

namespace weft::formats {

std::vector<Page> kernel_pages();   // who ran, which interrupts and system calls took how long
std::vector<Page> message_pages();  // how messages between two lanes fared
std::vector<Page> packet_pages();   // traffic between two hosts
std::vector<Page> kernel_and_message_pages();
// Which tasks of a small device ran and waited, and for what.
std::vector<Page> rtos_pages();
std::vector<Page> task_pages();         // those of rtos_pages() that any task scheduler supports
std::vector<Page> process_pages();      // likewise, if states name their task instance (BTF)
std::vector<Page> request_pages();      // where the time of requests to servers went
std::vector<Page> system_call_pages();  // calls with their errors

}  // namespace weft::formats
