// The records of a snapshot: four bytes each, of which the first says what the others are.
//
// Source: trcRecorder.h, trcSnapshotRecorder.c and the kernel port for FreeRTOS of the recorder
// (4.5), which number events as the recorders before did.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::formats::psf {

// The layout after the first byte. `dts` is the time since the record before, of 8 or 16 bits.
enum class RecordShape : uint8_t {
  kUnknown,
  kNothing,
  kTime,         // · dts16
  kHandle,       // handle dts16
  kHandleParam,  // handle param8 dts8
  kParam,        // dts8 param16
  kSize,         // dts8 bytes16, and the address in the next
  kAddress,      // high8 low16
  kName,         // handle symbol16: whose object was deleted
  kProperty,     // its priority
  kFinished,     // · · dts8
  kPrint,        // dts8 symbol16, and the arguments in the next
  kMoreTime8,    // bits of the next dts8
  kMoreTime16,   // of the next dts16
  kMoreParam,    // of the next param, size or address
  kMoreHandle,   // of the next handle
};

// Numbers of objects' classes.
enum class SnapshotClass : uint8_t {
  kQueue,
  kSemaphore,
  kMutex,
  kTask,
  kInterrupt,
  kTimer,
  kEventGroup,
  kStreamBuffer,
  kMessageBuffer,
};
constexpr size_t kSnapshotClasses = 9;

struct RecordKind {
  RecordShape shape = RecordShape::kUnknown;
  SnapshotClass object = {};
  uint8_t event = 0;  // the number that the same has in a stream of FreeRTOS; 0: it has none
};
RecordKind kind_of_record(uint8_t code);

// A record, with what the ones before it said for it.
struct Record {
  uint8_t code = 0;
  RecordKind kind;
  uint32_t handle = 0;
  uint32_t param = 0;          // also a size, or the number of a symbol
  uint32_t address = 0;        // of memory
  uint64_t time = 0;           // in ticks since the record before the first
  std::string_view arguments;  // of a print
  uint64_t offset = 0;         // in the file
};

struct Records {
  std::vector<Record> all;
  uint64_t unknown = 0, first_unknown = 0;  // how many, and where
};
// Reads a buffer whose oldest record is number `first`.
Records records_of(std::string_view buffer, size_t first, bool is_big, uint64_t offset);

}  // namespace weft::formats::psf
