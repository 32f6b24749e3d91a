// The types of objects that a BLF log may hold.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft::formats::blf {

enum Type : uint32_t {
  kCanMessage = 1,
  kCanError = 2,
  kCanOverload = 3,
  kCanStatistic = 4,
  kAppTrigger = 5,
  kEnvInteger = 6,
  kEnvDouble = 7,
  kEnvString = 8,
  kEnvData = 9,
  kLinMessage = 11,
  kFlexRayData = 29,
  kCanDriverError = 31,
  kFlexRayMessage = 41,
  kGps = 46,
  kFlexRayReceived = 50,
  kLinMessage2 = 57,
  kAppText = 65,
  kFlexRayReceivedEx = 66,
  kEthernetFrame = 71,
  kSystemVariable = 72,
  kCanErrorExt = 73,
  kCanMessage2 = 86,
  kOverrun = 91,
  kEventComment = 92,
  kGlobalMarker = 96,
  kCanFdMessage = 100,
  kCanFdMessage64 = 101,
  kCanFdError64 = 104,
  kRestorePoints = 115,
  kEthernetFrameEx = 120,
  kDataLostBegin = 125,
  kDataLostEnd = 126,
};

// Description of an object type that is not decoded further.
struct Kind {
  static constexpr uint8_t kNoChannel = 255;

  std::string_view bus;   // "LIN"; "log" if it belongs to no bus
  std::string_view name;  // "sleep mode"
  uint8_t channel_at;     // in the body: two bytes
};

// Returns the kind of any type number.
Kind kind_of(uint32_t type);

}  // namespace weft::formats::blf
