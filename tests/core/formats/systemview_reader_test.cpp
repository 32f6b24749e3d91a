// covers FS-62, R7
#include "core/formats/embedded/systemview/systemview_reader.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/formats/embedded/systemview/packet.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/systemview_writer.h"

namespace weft::formats::systemview {
namespace {

using test::Bytes;
using test::read;
using test::ScratchFolder;
using test::SystemViewWriter;

Bytes numbers(const std::vector<uint64_t>& values) { return SystemViewWriter::numbers(values); }

Bytes named(uint64_t id, std::string_view name) {
  return numbers({id}).text(SystemViewWriter::text(name).str());
}

void add_head(SystemViewWriter& w) {
  w.sync();
  w.packet(kTraceStart, 0);
  w.long_packet(kInit, 0, numbers({1'000'000, 64'000'000, 0x20000000, 2}));
  w.packet(kSystemDescription, 0,
           SystemViewWriter::text("N=Demo,D=Cortex-M4,O=FreeRTOS,I#15=SysTick"));
}

// Tasks, an interrupt that wakes one, calls, marks and prints; a clock of 1 MHz.
std::string every_systemview_record() {
  SystemViewWriter w;
  add_head(w);
  w.packet(kTaskCreate, 0, numbers({7}));
  w.packet(kTaskInfo, 0, numbers({7, 2}).text(SystemViewWriter::text("worker").str()));
  w.packet(kStackInfo, 0, numbers({7, 0x20000400, 512, 0}));
  w.packet(kTaskInfo, 0, numbers({9, 1}).text(SystemViewWriter::text("main").str()));
  w.packet(kModuleDescription, 0,
           numbers({0, 512}).text(SystemViewWriter::text("M=Net,0 Send Length=%u,1 Drop").str()));
  w.long_packet(kNameResource, 0, named(3, "control loop"));
  w.packet(kTaskStartExec, 10, numbers({9}));
  w.packet(kUserStart, 1, numbers({3}));
  w.long_packet(512, 2, numbers({1500}));  // Net.Send, which ends
  w.long_packet(kEndCall, 3, numbers({512}));
  w.long_packet(35, 1, numbers({50}));  // a call of the system, which does not
  w.packet(kTaskStopReady, 1, numbers({9, 4}));
  w.packet(kIdle, 2);
  w.packet(kInterruptEnter, 10, numbers({15}));
  w.packet(kTaskStartReady, 1, numbers({7}));
  w.packet(kInterruptEnter, 1, numbers({40}));
  w.packet(kInterruptExit, 1);
  w.packet(kInterruptToScheduler, 1);
  w.packet(kTaskStartExec, 2, numbers({7}));
  w.long_packet(kPrint, 1, SystemViewWriter::text("value %d").text(numbers({1, 1, 42}).str()));
  w.packet(kTimerEnter, 1, numbers({6}));
  w.packet(kTimerExit, 1);
  w.packet(kUserStop, 1, numbers({3}));
  w.packet(kOverflow, 1, numbers({17}));
  w.packet(kTaskStartReady, 1, numbers({9}));
  w.packet(kTaskStartExec, 5, numbers({9}));
  w.long_packet(kTaskTerminate, 1, numbers({7}));
  w.packet(kTaskStopExec, 4);
  w.packet(kTraceStop, 1);
  return w.bytes();
}

// The program that records writes lines of text in front; a buffer read after a crash begins
// anywhere.
std::string after_text() {
  SystemViewWriter w;
  w.raw("; Version     SEGGER SystemView V3.30\n; Title  a test\n;\n");
  w.packet(kTaskStartExec, 10, numbers({1}));
  w.packet(kIdle, 10);
  return w.bytes();
}

// One of two cores: the task that runs first on the other goes on here.
std::string core_of(uint64_t idle_task, uint64_t begins, bool is_first) {
  SystemViewWriter w;
  w.sync();
  w.packet(kTraceStart, begins);
  w.long_packet(kInit, 0, numbers({1'000'000, 64'000'000, 0x20000000, 2}));
  w.packet(kTaskInfo, 0, numbers({7, 2}).text(SystemViewWriter::text("worker").str()));
  w.packet(kTaskInfo, 0, numbers({idle_task, 0}).text(SystemViewWriter::text("idle").str()));
  w.packet(kTaskStartExec, is_first ? 10 : 50, numbers({is_first ? 7 : idle_task}));
  w.packet(kInterruptEnter, 10, numbers({15}));
  w.packet(kInterruptExit, 5);
  w.packet(kTaskStartExec, 85, numbers({is_first ? idle_task : 7}));
  w.packet(kIdle, 30);
  return w.bytes();
}

// As the port of Espressif writes it.
std::string two_cores() {
  const std::string first = core_of(20, 100, true), second = core_of(21, 90, false);
  return fmt::format(
      "; Version     SEGGER SystemViewer V3.60\n; Offset Core0 0\n; Offset Core1 {}\n;\n{}{}",
      first.size(), first, second);
}

// The second core is said to begin behind the end.
std::string core_that_is_missing() {
  const std::string first = core_of(20, 100, true);
  return "; Version     SEGGER SystemViewer V3.60\n; Offset Core0 0\n; Offset Core1 9000\n;\n" +
         first;
}

std::string damaged_systemview() {
  SystemViewWriter w;
  add_head(w);
  w.packet(kInterruptExit, 5);  // of none
  w.raw(std::string(3, '\0'));
  w.packet(kTaskStartExec, 5, numbers({1}));
  w.raw(std::string(12, '\xFF'));
  w.packet(kTaskStartExec, 5, numbers({2}));  // lost
  w.sync();
  w.packet(kUserStop, 5, numbers({8}));  // never started
  w.packet(kUserStart, 5, numbers({9}));
  w.packet(kIdle, 5);
  w.raw("\x02");  // cut
  return w.bytes();
}

TEST(SystemView, CasesAreWhatIsWritten) {
  test::expect_case("systemview/succeed/everything.SVDat", every_systemview_record());
  test::expect_case("systemview/succeed/after_text.SVDat", after_text());
  test::expect_case("systemview/succeed/two_cores.SVDat", two_cores());
  test::expect_case("systemview/fail/damaged.SVDat", damaged_systemview());
  test::expect_case("systemview/fail/core_that_is_missing.SVDat", core_that_is_missing());
}

TEST(SystemView, IsRecognised) {
  const ScratchFolder folder;
  for (const std::string& bytes : {every_systemview_record(), after_text(), damaged_systemview()})
    EXPECT_GT(read(folder.write("t", bytes))->sink.total(), 0u);
  EXPECT_NE(read(folder.write("zeros", std::string(100, '\0')))->error, "");
}

// Of a system that is described, and of a module of which only the name is known.
TEST(SystemView, CallsAreNamedByADescriptionBesideIt) {
  SystemViewWriter w;
  add_head(w);
  w.packet(kTaskInfo, 0, numbers({7, 2}).text(SystemViewWriter::text("worker").str()));
  w.long_packet(kNameResource, 0, named(3, "frames"));
  w.packet(kModuleDescription, 0, numbers({0, 512}).text(SystemViewWriter::text("Heap").str()));
  w.long_packet(49, 1, numbers({3, 0x20000000, 5, 6}));
  w.long_packet(33, 1, numbers({7}));
  w.long_packet(34, 1, numbers({9}));
  w.long_packet(514, 1, numbers({1}));
  const ScratchFolder folder;
  folder.write("SYSVIEW_FreeRTOS.txt",
               "49  xQueueReceive  xQueue=%I pvBuffer=%p xTicksToWait=%u | Returns %u\n"
               "# 33 none\n33 vTaskDelete xTaskToDelete=%t\n");
  const std::string text = read(folder.write("t", w.bytes()))->text();
  using testing::HasSubstr;
  EXPECT_THAT(
      text,
      HasSubstr(
          R"("xQueueReceive" {"xQueue":"frames","pvBuffer":"0x20000000","xTicksToWait":5,"3":6})"));
  EXPECT_THAT(text, HasSubstr(R"("vTaskDelete" {"xTaskToDelete":"worker"})"));
  EXPECT_THAT(text, HasSubstr(R"("call 34" {"0":9})"));
  EXPECT_THAT(text, HasSubstr(R"("Heap event 2" {"0":1})"));
}

TEST(SystemView, LongTextsAreRead) {
  SystemViewWriter w;
  add_head(w);
  const std::string name(300, 'n');
  w.packet(kTaskInfo, 0, numbers({1, 1}).text(SystemViewWriter::text(name).str()));
  w.packet(kTaskStartExec, 1, numbers({1}));
  w.packet(kIdle, 1);
  const ScratchFolder folder;
  EXPECT_NE(read(folder.write("t", w.bytes()))->text().find(name), std::string::npos);
}

}  // namespace
}  // namespace weft::formats::systemview
