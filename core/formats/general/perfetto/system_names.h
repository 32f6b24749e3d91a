// Names of packets, and of counters of a system and its processes, by number.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft::formats::perfetto {

// Each returns an empty text for an unknown number.
std::string_view packet_kind(uint32_t field);           // of TracePacket
std::string_view process_counter(uint32_t field);       // of ProcessStats.Process
std::string_view cpu_counter(uint32_t field);           // of SysStats.CpuTimes
std::string_view disk_counter(uint32_t field);          // of SysStats.DiskStat
std::string_view memory_counter(uint64_t key);          // MeminfoCounters
std::string_view virtual_memory_counter(uint64_t key);  // VmstatCounters
std::string_view pressure_counter(uint64_t key);        // SysStats.PsiSample.PsiResource

}  // namespace weft::formats::perfetto
