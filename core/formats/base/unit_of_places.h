// Sets the unit of the places of losses, for readers that count in something other than bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/trace/passing_sink.h"

namespace weft::formats {

class UnitOfPlaces final : public trace::PassingSink {
 public:
  UnitOfPlaces(trace::EventSink& sink, trace::PlaceUnit unit) : PassingSink(sink), unit_(unit) {}

  void loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
            bool is_damage) override {
    trace::LossPlace in_units = place;
    if (place.unit == trace::PlaceUnit::kByte) in_units.unit = unit_;
    PassingSink::loss(kind, in_units, count, is_damage);
  }

 private:
  trace::PlaceUnit unit_;
};

}  // namespace weft::formats
