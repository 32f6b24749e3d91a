// The fields of tracepoints, by the kernel's own descriptions, which recordings include.
//
// Source: linux, tools/perf/util/trace-event-info.c.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct tep_handle;

namespace weft::formats::perf {

class TracepointFormats {
 public:
  // Adds what perf calls tracing data. Returns false if it is truncated or invalid; what came
  // before is kept.
  bool add(std::string_view tracing_data);
  // The fields of a tracepoint's bytes, `{"dev":8388609}`; empty where nobody says.
  std::string fields_of(uint64_t tracepoint, std::string_view bytes) const;

 private:
  struct Free {
    void operator()(tep_handle* tep) const;
  };
  std::unique_ptr<tep_handle, Free> tep_;
};

}  // namespace weft::formats::perf
