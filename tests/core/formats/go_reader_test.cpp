// covers FS-62, R7
#include "core/formats/profiles/go/go_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;
using test::read;
using test::ScratchFolder;

using Numbers = std::vector<uint64_t>;

Bytes numbers(const Numbers& values) {
  Bytes out;
  for (const uint64_t value : values) out.varint(value);
  return out;
}

std::string header(std::string_view version) {
  std::string out = "go " + std::string(version) + " trace";
  out.resize(16, '\0');
  return out;
}

// An event until Go 1.21: up to three numbers, or their length and they.
std::string old_event(uint8_t type, const Numbers& values, size_t uncounted = 0) {
  const Bytes body = numbers(values);
  constexpr size_t kMany = 4;
  const size_t count = std::min(values.size() - uncounted, kMany);
  Bytes out;
  out.little(static_cast<uint8_t>(type | (count - 1) << 6));
  if (count == kMany) out.varint(body.size());
  return out.text(body.str()).str();
}

std::string old_text(uint64_t id, std::string_view text) {
  return Bytes().little(uint8_t{37}).varint(id).varint(text.size()).text(text).str();
}

// Two processors; names, stacks and the rate (1 MHz) stand last.
std::string everything_old() {
  std::string out = header("1.21");
  out += old_event(1, {0, 100});            // processor 0, from 100 on
  out += old_event(31, {0, 5});             // goroutine 5 was waiting
  out += old_event(5, {1, 7});              // the processor starts on thread 7
  out += old_event(14, {1, 1, 1});          // goroutine 1 runs
  out += old_event(13, {5, 9, 3, 4});       // makes goroutine 9, which begins at stack 3
  out += old_event(45, {1, 20, 0, 11, 4});  // a task
  out += old_event(47, {1, 20, 0, 12, 4});  // a region
  out += old_event(48, {1, 20, 13, 4}) + Bytes().varint(5).text("hello").str();  // a log
  out += old_event(47, {5, 20, 1, 12, 4});
  out += old_event(46, {1, 20, 4});
  out += old_event(28, {1, 4});     // a system call, which is short
  out += old_event(33, {1, 4096});  // the heap
  out += old_event(7, {1, 1, 4});   // a collection
  out += old_event(43, {1, 4});     // an assist
  out += old_event(44, {3});
  out += old_event(8, {3});
  out += old_event(9, {1, 0}) + old_event(10, {2});
  out += old_event(21, {1, 5, 2, 4});  // goroutine 5 may go on
  out += old_event(23, {5, 4});        // goroutine 1 blocks on receiving
  out += old_event(6, {1});            // the processor stops
  out += old_event(1, {1, 130});       // processor 1, meanwhile
  out += old_event(14, {0, 9, 1});
  out += old_event(28, {2, 4}) + old_event(30, {3});  // a system call, which is long
  out += old_event(14, {1, 5, 3});
  out += old_event(29, {10, 9, 2, 0});       // and ends
  out += old_event(15, {1});                 // goroutine 5 ends
  out += old_event(1, {~uint64_t{0}, 150});  // on no processor: a log
  out += old_event(48, {1, 20, 13, 4}) + Bytes().varint(5).text("alone").str();
  out += old_event(4, {0, 2, 4});  // two processors
  out += old_text(10, "main.worker") + old_text(11, "request") + old_text(12, "parse") +
         old_text(13, "note") + old_text(14, "main.main");
  out += old_event(3, {3, 1, 0x1000, 10, 14, 7}) + old_event(3, {4, 1, 0x2000, 14, 14, 9});
  out += old_event(2, {1'000'000});
  return out;
}

// As written by Go 1.5 and 1.6: each event with its place in the order, which is not counted.
std::string everything_oldest() {
  const auto event = [](uint8_t type, const Numbers& values) { return old_event(type, values, 1); };
  std::string out = header("1.5");
  out += event(1, {0, 50, 100});        // processor 0, from the 50th event and 100 on
  out += event(5, {1, 1, 7});           // the processor starts on thread 7
  out += event(14, {1, 1, 1});          // goroutine 1 runs
  out += event(13, {1, 1, 9, 40, 4});   // makes goroutine 9, which begins at an address
  out += event(28, {1, 2, 4});          // a system call
  out += event(30, {1, 1});             // which is long
  out += event(14, {1, 2, 9});          // goroutine 9 runs
  out += event(23, {1, 10, 4});         // and blocks
  out += event(29, {1, 2, 1, 3, 110});  // goroutine 1 may go on, since 110
  out += event(14, {1, 5, 1});          // and does
  out += event(21, {1, 1, 9, 4});       // wakes goroutine 9
  out += event(15, {1, 4});             // ends
  out += event(3, {4, 2, 0x1000, 0x2000}) + event(2, {1'000'000, 0});
  return out;
}

class NewWriter {
 public:
  explicit NewWriter(std::string_view version) { out_ = header(version); }
  void batch(uint64_t generation, uint64_t thread, uint64_t time, const std::string& body) {
    out_ += Bytes()
                .little(uint8_t{1})
                .varint(generation)
                .varint(thread)
                .varint(time)
                .varint(body.size())
                .text(body)
                .str();
  }
  static std::string event(uint8_t type, const Numbers& values) {
    return Bytes().little(type).text(numbers(values).str()).str();
  }
  static std::string string(uint64_t id, std::string_view text) {
    return Bytes().little(uint8_t{5}).varint(id).varint(text.size()).text(text).str();
  }
  // The end of a generation: strings, stacks, the rate; since 1.25 also the readings of the clocks.
  void tables(uint64_t generation, bool has_clocks = false) {
    batch(generation, 0, 0,
          "\x04" + string(1, "main.main") + string(2, "main.worker") + string(3, "chan receive") +
              string(4, "preempted") + string(5, "request") + string(6, "parse") +
              string(7, "key") + string(8, "value") + string(9, "GC mark termination") +
              string(10, "label"));
    batch(generation, 0, 0,
          "\x02" + event(3, {1, 1, 0x1000, 1, 1, 7}) +
              event(3, {2, 2, 0x2000, 2, 1, 9, 0x1, 1, 1, 3}));
    const std::string rate = "\x08" + numbers({1'000'000}).str();
    batch(generation, 0, 0, has_clocks ? "\x32" + rate + event(51, {310, 1, 2, 3}) : rate);
  }
  const std::string& bytes() const { return out_; }

 private:
  std::string out_;
};

std::string everything_new() {
  const auto event = NewWriter::event;
  NewWriter w("1.23");
  w.batch(1, 70, 100,
          event(13, {0, 0, 1}) +                  // processor 0 runs
              event(25, {0, 1, 70, 2}) +          // goroutine 1 runs on thread 70
              event(25, {0, 5, UINT64_MAX, 4}) +  // goroutine 5 waits
              event(14, {5, 9, 2, 1}) +           // makes goroutine 9
              event(40, {1, 20, 0, 5, 1}) + event(42, {1, 20, 6, 1}) +  // a task, a region
              event(44, {1, 20, 7, 8, 1}) + event(43, {2, 20, 6, 1}) + event(41, {1, 20, 1}) +
              event(39, {0, 10}) +                             // a label
              event(128, {0, 7, 1, 2}) + event(133, {0, 9}) +  // a span, an object that goes
              event(22, {1, 1, 1}) + event(23, {3}) +          // a system call
              event(29, {1, 1, 1}) + event(35, {0, 1}) + event(36, {2}) + event(30, {1, 2}) +
              event(26, {1, 9, 1}) + event(27, {2}) + event(37, {1, 4096}) + event(38, {0, 8192}) +
              event(32, {0, 1}) + event(33, {1, 1, 1}) +
              event(21, {1, 5, 2, 1}) +  // goroutine 5 may go on
              event(20, {5, 3, 1}) +     // goroutine 1 blocks
              event(16, {1, 5, 3}) +     // goroutine 5 runs
              event(45, {4, 1, 4}) +     // and hands over to 1
              event(19, {2, 4, 1}));
  w.batch(1, 71, 120,
          event(10, {0, 1, 2}) + event(16, {1, 9, 2}) +  // processor 1, goroutine 9
              event(22, {3, 1, 1}) + event(24, {9}) +    // a system call that blocks
              event(11, {1}));
  w.batch(1, 72, 128, event(12, {0, 1, 3, 71}));            // takes the processor meanwhile
  w.batch(1, 0, 0, "\x06" + event(7, {112, 70, 0, 1, 1}));  // a sample
  w.tables(1);
  w.batch(2, 70, 300, event(25, {0, 1, 70, 1}) + event(9, {1, 4, 0}) + event(17, {1}));
  w.tables(2, /*has_clocks=*/true);
  return w.bytes();
}

// Work that was under way when the trace began, and is repeated by the next generation.
std::string under_way() {
  const auto event = NewWriter::event;
  NewWriter w("1.22");
  w.batch(1, 70, 100,
          event(13, {0, 0, 1}) + event(25, {0, 1, 70, 2}) + event(28, {1, 1}) + event(31, {1, 0}) +
              event(34, {1, 1}));
  w.tables(1);
  w.batch(2, 70, 200,
          event(13, {0, 0, 1}) + event(25, {0, 1, 70, 2}) + event(28, {1, 1}) + event(31, {1, 0}) +
              event(34, {1, 1}) + event(36, {1}) + event(33, {1, 1, 1}) + event(30, {1, 2}));
  w.tables(2);
  return w.bytes();
}

TEST(Go, CasesAreWhatIsWritten) {
  test::expect_case("go/succeed/under_way.trace", under_way());
  test::expect_case("go/succeed/until_1_6.trace", everything_oldest());
  test::expect_case("go/succeed/until_1_21.trace", everything_old());
  test::expect_case("go/succeed/since_1_22.trace", everything_new());
  // Damage: an event of no kind, a batch that lies, the wrong version.
  std::string odd = header("1.19") + old_event(1, {0, 100}) + old_event(15, {1});
  odd += old_event(23, {1, 1}) + old_event(21, {1, 6, 1, 1}) + "\x3E\x01";
  test::expect_case("go/fail/unknown_event.trace", odd);
  NewWriter w("1.22");
  w.batch(1, 1, 10, NewWriter::event(16, {1, 4, 1}) + "\x35 what follows is lost");
  w.batch(1, 1, 20, NewWriter::event(20, {1, 3}));
  w.batch(1, 1, 30, NewWriter::event(17, {1}));
  test::expect_case("go/fail/odd_batches.trace", w.bytes() + "\x09");
  test::expect_case("go/fail/old.trace", header("1.4"));
}

}  // namespace
}  // namespace weft::formats
