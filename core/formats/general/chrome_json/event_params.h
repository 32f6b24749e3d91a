// Turns an event's other members into its parameters: JSON, stored once per distinct text in the
// chunk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/formats/general/chrome_json/chunk.h"

namespace weft::formats::chrome_json {

class EventParams {
 public:
  // Which ids the lane does not imply, and parameters must therefore hold.
  enum Home : unsigned {
    kPidApart = 1,  // the lane does not tell the process
    kTidApart = 2,  // the lane does not tell the thread
    kIdHome = 4,
    kScopeHome = 8,
    kBindHome = 16,
    kDurationHome = 32,
    kFlowHome = 64,
  };

  explicit EventParams(ChunkResults& results) : results_(results) {}

  // All return an index into the results' `params`; kNoIndex: no parameters. `offset` is the
  // event's in the input, for losses; `name` is in its quotes.
  uint32_t of(const RawEvent& event, uint64_t offset, unsigned home);
  uint32_t of_member(const RawEvent& event, uint64_t offset, std::string_view name,
                     const json::RawValue& value);
  // Merges the parameters of a state's begin and end.
  uint32_t merged(uint32_t begin, uint32_t end);

 private:
  void begin(const RawEvent& event, uint64_t offset);
  uint32_t told(bool has_extras, unsigned home);
  void append_extras(unsigned home);
  // `name` as written, in its quotes.
  void append_extra(const json::RawValue& name, const json::RawValue& value);
  uint32_t intern(std::string_view json, bool is_stable);
  void lose(LossKind kind) { results_.losses.add(kind, {offset_}); }

  ChunkResults& results_;
  // State while building parameters: the event, what there is so far, and whether a text was
  // repaired.
  const RawEvent* event_ = nullptr;
  uint64_t offset_ = 0;
  std::string json_;
  bool is_repaired_ = false;
};

}  // namespace weft::formats::chrome_json
