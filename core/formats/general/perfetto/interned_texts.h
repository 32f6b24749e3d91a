// The interned data of a sequence: texts, and bytes of messages, by kind and number.
//
// Writers count from 1, so numbers are array indices; outliers are looked up in a table. An entry
// takes 16 bytes and its text, where a hash table of strings takes 120: there may be as many names
// as events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/text_arena.h"

namespace weft::formats::perfetto {

// By the field of InternedData.
enum class Interned : uint32_t {
  kCategory = 1,
  kEventName = 2,
  kAnnotationName = 3,
  kSourceLocation = 4,  // its message
  kFunctionName = 5,
  kFrame = 6,      // its message
  kCallstack = 7,  // its message
  kBuildId = 16,
  kMappingPath = 17,
  kSourcePath = 18,
  kMapping = 19,  // its message
  kLogBody = 20,
  kGraphicsContext = 23,   // its message
  kGpuSpecification = 24,  // its message
  kHistogramName = 25,
  kKernelSymbol = 26,
  kAnnotationTypeName = 27,
  kNativeLocation = 28,  // its message
  kAnnotationText = 29,
  kNetworkContext = 30,  // its message
  kProtoLogText = 36,
  kProtoLogStack = 37,
  kViewPackage = 38,
  kViewWindow = 39,
  kWakeLock = 42,  // its message
  kCorrelation = 43,
  kTaskContext = 48,       // its message
  kExecutionContext = 49,  // its message
  kAsyncContext = 51,      // its message
  kGpuCounters = 47,       // its message
  kComputeKernel = 1000,   // its message
  kComputeArgument = 1001,
};

class InternedTexts {
 public:
  enum class Kept : uint8_t { kNew, kTheSame, kInPlaceOfAnother, kNot };
  // Defines a number; returns kNot if the total would exceed `most_bytes`.
  Kept set(Interned kind, uint64_t iid, std::string_view text, uint64_t most_bytes);
  // Returns the text, or an empty one if unknown; valid until clear().
  std::string_view find(Interned kind, uint64_t iid) const;
  void clear();
  uint64_t size_bytes() const { return size_; }

 private:
  struct OfKind {
    explicit OfKind(Interned of) : kind(of) {}
    Interned kind;
    std::vector<std::string_view> near;  // by number; without data: none
    size_t near_count = 0;
    std::unordered_map<uint64_t, std::string_view> far;
  };

  OfKind& of(Interned kind);

  std::vector<OfKind> kinds_;  // those that were met: a few
  TextArena arena_;
  uint64_t size_ = 0;  // of what is kept, with the tables
};

}  // namespace weft::formats::perfetto
