#include "core/formats/embedded/blf/blf_kinds.h"

#include <algorithm>

namespace weft::formats::blf {
namespace {

constexpr uint8_t kNone = Kind::kNoChannel;
constexpr uint8_t kBehindAddress = 6;  // of a frame of Ethernet

struct Known {
  uint32_t type;
  Kind kind;
};

constexpr Known kKnown[] = {
    {12, {"LIN", "checksum error", 0}},
    {13, {"LIN", "data length", 0}},
    {14, {"LIN", "receive error", 0}},
    {15, {"LIN", "send error", 0}},
    {16, {"LIN", "slave timeout", 0}},
    {17, {"LIN", "scheduler mode change", 0}},
    {18, {"LIN", "synchronisation error", 0}},
    {19, {"LIN", "baud rate", 0}},
    {20, {"LIN", "sleep mode", 0}},
    {21, {"LIN", "wake-up", 0}},
    {22, {"MOST", "spy message", 0}},
    {23, {"MOST", "control message", 0}},
    {24, {"MOST", "light lock", 0}},
    {25, {"MOST", "statistic", 0}},
    {30, {"FlexRay", "synchronisation", 0}},
    {32, {"MOST", "packet", 0}},
    {33, {"MOST", "packet", 0}},
    {34, {"MOST", "hardware mode", 0}},
    {35, {"MOST", "register", 0}},
    {36, {"MOST", "register", 0}},
    {37, {"MOST", "network state", 0}},
    {38, {"MOST", "data lost", 0}},
    {39, {"MOST", "trigger", 0}},
    {40, {"FlexRay", "start of cycle", 0}},
    {42, {"LIN", "checksum model", 0}},
    {43, {"LIN", "spike", 0}},
    {44, {"CAN", "hardware synchronisation", 0}},
    {45, {"FlexRay", "status", 0}},
    {47, {"FlexRay", "error", 0}},
    {48, {"FlexRay", "status", 0}},
    {49, {"FlexRay", "start of cycle", 0}},
    {51, {"log", "real-time clock", kNone}},
    {54, {"LIN", "statistic", 0}},
    {55, {"J1708", "message", 0}},
    {56, {"J1708", "virtual message", 0}},
    {58, {"LIN", "send error", 12}},
    {59, {"LIN", "synchronisation error", 12}},
    {60, {"LIN", "checksum error", 12}},
    {61, {"LIN", "receive error", 12}},
    {62, {"LIN", "wake-up", 12}},
    {63, {"LIN", "spike", 12}},
    {64, {"LIN", "long dominant signal", 0}},
    {67, {"MOST", "statistic", 0}},
    {68, {"MOST", "light", 0}},
    {69, {"MOST", "allocation table", 0}},
    {70, {"MOST", "stress", 0}},
    {74, {"CAN", "driver error", 0}},
    {75, {"LIN", "long dominant signal", 12}},
    {76, {"MOST", "message", 0}},
    {77, {"MOST", "packet", 0}},
    {78, {"MOST", "Ethernet packet", 0}},
    {79, {"MOST", "message fragment", 0}},
    {80, {"MOST", "packet fragment", 0}},
    {81, {"MOST", "Ethernet packet fragment", 0}},
    {82, {"MOST", "system event", 0}},
    {83, {"MOST", "allocation table", 0}},
    {84, {"MOST", "message", 0}},
    {85, {"MOST", "packet", 0}},
    {87, {"LIN", "unexpected wake-up", 12}},
    {88, {"LIN", "short or slow response", 12}},
    {89, {"LIN", "disturbance", 12}},
    {90, {"serial", "data", kNone}},
    {93, {"WLAN", "frame", 0}},
    {94, {"WLAN", "statistic", 0}},
    {95, {"MOST", "electrical control line", 0}},
    {97, {"AFDX", "frame", kBehindAddress}},
    {98, {"AFDX", "statistic", 0}},
    {99, {"K-Line", "status", kNone}},
    {102, {"Ethernet", "receive error", 2}},
    {103, {"Ethernet", "status", 0}},
    {105, {"LIN", "short or slow response", 12}},
    {106, {"AFDX", "status", 0}},
    {107, {"AFDX", "statistic", 0}},
    {109, {"AFDX", "error", 0}},
    {110, {"ARINC 429", "error", 0}},
    {111, {"ARINC 429", "status", 0}},
    {112, {"ARINC 429", "statistic", 0}},
    {113, {"ARINC 429", "message", 4}},
    {114, {"Ethernet", "statistic", 0}},
    {118, {"log", "test structure", kNone}},
    {119, {"log", "diagnostics request", kNone}},
    {121, {"Ethernet", "forwarded frame", 4}},
    {122, {"Ethernet", "error", 4}},
    {123, {"Ethernet", "forwarded error", 4}},
    {124, {"log", "function bus", kNone}},
    {127, {"log", "water mark", kNone}},
    {128, {"log", "trigger condition", kNone}},
};
static_assert(std::ranges::is_sorted(kKnown, {}, &Known::type));

}  // namespace

Kind kind_of(uint32_t type) {
  const auto* const it = std::ranges::lower_bound(kKnown, type, {}, &Known::type);
  const bool is_known = it != std::end(kKnown) && it->type == type;
  return is_known ? it->kind : Kind{"log", "object", kNone};
}

}  // namespace weft::formats::blf
