// covers FS-62, R7
#include "core/formats/otf2_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <otf2/otf2.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <map>

#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using test::read;
using test::ScratchFolder;

constexpr uint64_t kTicksPerSecond = 500'000'000;  // a tick is 2 ns
constexpr OTF2_LocationRef kFirst = 0, kSecond = 7;

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

void write_definitions(OTF2_Archive* archive) {
  OTF2_GlobalDefWriter* const writer = OTF2_Archive_GetGlobalDefWriter(archive);
  OTF2_GlobalDefWriter_WriteClockProperties(writer, kTicksPerSecond, 1000, 1000,
                                            OTF2_UNDEFINED_TIMESTAMP);
  const std::array strings = {"",         "node",   "box",    "rank 0", "rank 1", "main",
                              "MPI_Send", "cycles", "thread", "MPI",    "world",  "work"};
  for (uint32_t i = 0; i < strings.size(); ++i)
    OTF2_GlobalDefWriter_WriteString(writer, i, strings[i]);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 2, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 3, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                          OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocationGroup(writer, 1, 4, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                          OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocation(writer, kFirst, 8, OTF2_LOCATION_TYPE_CPU_THREAD, 10, 0);
  OTF2_GlobalDefWriter_WriteLocation(writer, kSecond, 8, OTF2_LOCATION_TYPE_CPU_THREAD, 8, 1);
  const auto region = [&](OTF2_RegionRef self, OTF2_StringRef name, OTF2_Paradigm paradigm) {
    OTF2_GlobalDefWriter_WriteRegion(writer, self, name, name, 0, OTF2_REGION_ROLE_FUNCTION,
                                     paradigm, OTF2_REGION_FLAG_NONE, 0, 0, 0);
  };
  region(0, 5, OTF2_PARADIGM_USER);
  region(1, 6, OTF2_PARADIGM_MPI);
  OTF2_GlobalDefWriter_WriteMetricMember(writer, 0, 7, 0, OTF2_METRIC_TYPE_OTHER,
                                         OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
                                         OTF2_BASE_DECIMAL, 0, 0);
  constexpr OTF2_MetricMemberRef kMember = 0;
  OTF2_GlobalDefWriter_WriteMetricClass(writer, 0, 1, &kMember, OTF2_METRIC_ASYNCHRONOUS,
                                        OTF2_RECORDER_KIND_CPU);
  const std::array<uint64_t, 2> locations = {kFirst, kSecond}, ranks = {0, 1};
  OTF2_GlobalDefWriter_WriteGroup(writer, 0, 9, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 2, locations.data());
  OTF2_GlobalDefWriter_WriteGroup(writer, 1, 10, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 2, ranks.data());
  OTF2_GlobalDefWriter_WriteComm(writer, 0, 10, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

void write_first(OTF2_EvtWriter* writer) {
  OTF2_EvtWriter_Enter(writer, nullptr, 1000, 0);
  const OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value;
  value.unsigned_int = 12345;
  OTF2_EvtWriter_Metric(writer, nullptr, 1005, 0, 1, &type, &value);
  OTF2_EvtWriter_Enter(writer, nullptr, 1010, 1);
  OTF2_EvtWriter_MpiSend(writer, nullptr, 1020, 1, 0, 42, 4096);
  OTF2_EvtWriter_MpiSend(writer, nullptr, 1025, 1, 0, 43, 1);
  OTF2_EvtWriter_Leave(writer, nullptr, 1030, 1);
  OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, 1050);
  OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, 1080, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                  OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
  OTF2_EvtWriter_BufferFlush(writer, nullptr, 1085, 1088);
  OTF2_EvtWriter_Leave(writer, nullptr, 1100, 0);
}

void write_second(OTF2_EvtWriter* writer) {
  OTF2_EvtWriter_Enter(writer, nullptr, 1002, 0);
  OTF2_EvtWriter_MpiIrecv(writer, nullptr, 1015, 0, 0, 42, 4096, 1);  // by a clock that is late
  OTF2_EvtWriter_MpiRecv(writer, nullptr, 1040, 0, 0, 99, 1);
  OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, 1070);
  OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, 1081, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                  OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

void write_trace(const fs::path& folder) {
  OTF2_Archive* const archive =
      OTF2_Archive_Open(folder.c_str(), "small", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 22,
                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  static const OTF2_FlushCallbacks callbacks = {flush, nullptr};
  OTF2_Archive_SetFlushCallbacks(archive, &callbacks, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  for (const OTF2_LocationRef location : {kFirst, kSecond}) {
    OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(archive, location);
    location == kFirst ? write_first(writer) : write_second(writer);
    OTF2_Archive_CloseEvtWriter(archive, writer);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  write_definitions(archive);
  OTF2_Archive_Close(archive);
}

TEST(Otf2, ReadsAsWritten) {
  const ScratchFolder folder;
  write_trace(folder / "trace");
  const auto expected = fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/otf2/succeed/small.txt";
  test::expect_as_written(expected, read(folder / "trace")->text());
  EXPECT_EQ(read(folder / "trace/small.otf2")->text(), read(folder / "trace")->text());
}

TEST(Otf2, HasTheEventsOfOtf2Print) {
  if (std::system("command -v otf2-print >/dev/null") != 0) GTEST_SKIP() << "no otf2-print";
  const ScratchFolder folder;
  write_trace(folder / "trace");
  const std::string command =
      fmt::format("otf2-print '{}' 2>/dev/null", (folder / "trace/small.otf2").string());
  std::map<std::string, size_t> theirs;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string_view text = line.data();
    ++theirs[std::string(text.substr(0, text.find(' ')))];
  }
  ::pclose(pipe);
  const auto reading = read(folder / "trace");
  const auto& dictionary = reading->sink.dictionary();
  const auto count_links = [&](std::string_view name, auto is_counted) {
    return std::ranges::count_if(reading->sink.link_events(), [&](const trace::LinkEvent& link) {
      return dictionary.type(link.type).name == name && is_counted(link);
    });
  };
  const size_t sends =
      count_links("message", [](const auto& link) { return !link.source.is_none(); });
  const size_t receives =
      count_links("message", [](const auto& link) { return !link.target.is_none(); });
  EXPECT_EQ(reading->sink.state_events().size(), theirs["ENTER"] + theirs["BUFFER_FLUSH"]);
  EXPECT_EQ(sends, theirs["MPI_SEND"]);
  EXPECT_EQ(receives, theirs["MPI_RECV"] + theirs["MPI_IRECV"]);
  EXPECT_EQ(reading->sink.samples().size(), theirs["METRIC"]);
}

TEST(HostileOtf2, EveryFileMayEndAnywhere) {
  const ScratchFolder folder;
  write_trace(folder / "trace");
  for (const std::string name : {"small.otf2", "small.def", "small/0.evt", "small/7.evt"}) {
    const std::string whole = test::content_of(folder / "trace" / name);
    const size_t step = 1 + whole.size() / 60;
    for (size_t size = 0; size < whole.size(); size += step) {
      folder.write("trace/" + name, std::string_view(whole).substr(0, size));
      const auto reading = read(folder / "trace", {"otf2"});
      EXPECT_EQ(reading->error.find('\n'), std::string::npos) << name << ' ' << size;
    }
    folder.write("trace/" + name, whole);
  }
}

}  // namespace
}  // namespace weft::formats
