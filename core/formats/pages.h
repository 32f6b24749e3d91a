// Pages of statistics that several types of trace share (Format::pages).
#pragma once

#include <vector>

#include "core/formats/formats.h"

namespace weft::formats {

std::vector<Page> kernel_pages();  // who ran, which interrupts and system calls took how long
std::vector<Page> message_pages();
std::vector<Page>
packet_pages();  // how much went between two hosts  // how messages between two lanes fared
std::vector<Page> kernel_and_message_pages();
// Who ran and waited on a small device, and for what.
std::vector<Page> rtos_pages();
std::vector<Page> task_pages();     // of these what every scheduler of tasks tells
std::vector<Page> process_pages();  // the same where states tell their instance of the task (BTF)
std::vector<Page> request_pages();  // where the time of requests to servers went
std::vector<Page> system_call_pages();  // calls with their errors

}  // namespace weft::formats
