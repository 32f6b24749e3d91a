// Writes small DLT files for tests: a message a call.
//
// Sources: "Specification of Diagnostic Log and Trace", AUTOSAR; for version 2 COVESA's dlt-daemon.
#pragma once

#include <string>
#include <string_view>

#include "tests/core/formats/bytes.h"

namespace weft::test {

class DltWriter {
 public:
  static constexpr uint8_t kVerbose = 1, kLog = 0, kTrace = 1 << 1, kNetwork = 2 << 1,
                           kControl = 3 << 1;

  // What stands before each message.
  enum class Before { kStorage, kSerialHeader, kNothing };
  explicit DltWriter(Before before = Before::kStorage) : before_(before) {}

  // `kind`: of the extended header; time in microseconds, of what is not stored in 0.1 ms.
  void message(uint64_t time, uint8_t kind, std::string_view application, std::string_view context,
               const Bytes& payload, uint8_t arguments = 0, bool is_big_endian = false) {
    // Extended header, unit, session, time.
    const uint8_t flags = 0x20 | 0x01 | 0x04 | 0x08 | 0x10 | (is_big_endian ? 0x02 : 0);
    storage(time, "ECU1");
    const auto length = static_cast<uint16_t>(4 + 4 + 4 + 4 + 10 + payload.size());
    bytes_.little(flags).little(uint8_t{0}).big(length);
    const bool is_stored = before_ == Before::kStorage;
    bytes_.text("ECU1").big(uint32_t{99});
    bytes_.big(is_stored ? uint32_t{12345} : static_cast<uint32_t>(time));
    bytes_.little(kind).little(arguments).text(four(application)).text(four(context));
    bytes_.text(payload.str());
  }
  // Without an extended header.
  void bare(uint64_t time, std::string_view unit, const Bytes& payload) {
    storage(time, unit);
    bytes_.little(uint8_t{0x20}).little(uint8_t{0});
    bytes_.big(static_cast<uint16_t>(4 + payload.size())).text(payload.str());
  }
  // A message of version 2. `content`: what follows the length, then the extended header that the
  // flags announce. In the byte order of the standard, or of the first writers.
  void message_2(uint64_t time_ns, uint32_t flags, const Bytes& content, bool is_little = false) {
    const auto seconds = time_ns / 1'000'000'000;
    const auto nanoseconds = static_cast<uint32_t>(time_ns % 1'000'000'000);
    if (before_ == Before::kStorage) {
      bytes_.text(std::string_view("DLT\2", 4)).text(u40(seconds));
      is_little ? bytes_.little(nanoseconds) : bytes_.big(nanoseconds);
      bytes_.text(name("ECU-long"));
    } else {
      serial_header();
    }
    bytes_.little(flags | 2u << 5).little(uint8_t{0});
    const auto length = static_cast<uint16_t>(7 + content.size());
    is_little ? bytes_.little(length) : bytes_.big(length);
    bytes_.text(content.str());
  }
  // The same, stored by DLT Viewer.
  void viewed_message_2(uint64_t time_ns, uint32_t flags, const Bytes& content) {
    bytes_.text(std::string_view("DLT\2", 4));
    bytes_.little(static_cast<uint32_t>(time_ns % 1'000'000'000));
    bytes_.text(Bytes().little(time_ns / 1'000'000'000).str().substr(0, 5));
    bytes_.text(name("ECU-long")).little(flags | 2u << 5).little(uint8_t{0});
    bytes_.big(static_cast<uint16_t>(7 + content.size())).text(content.str());
  }
  static std::string name(std::string_view text) {
    return Bytes().little(static_cast<uint8_t>(text.size())).text(text).str();
  }
  static std::string u40(uint64_t value) { return Bytes().big(value).str().substr(3); }

  void raw(std::string_view bytes) { bytes_.text(bytes); }
  const std::string& bytes() const { return bytes_.str(); }

  static std::string four(std::string_view name) {
    std::string out(name);
    out.resize(4, '\0');
    return out;
  }
  static Bytes text(std::string_view value) {
    return Bytes()
        .little(uint32_t{0x200})
        .little(static_cast<uint16_t>(value.size() + 1))
        .text(value)
        .little(uint8_t{0});
  }

 private:
  void storage(uint64_t time, std::string_view unit) {
    if (before_ != Before::kStorage) return serial_header();
    bytes_.text(std::string_view("DLT\1", 4))
        .little(static_cast<uint32_t>(time / 1'000'000))
        .little(static_cast<uint32_t>(time % 1'000'000))
        .text(four(unit));
  }

  void serial_header() {
    if (before_ == Before::kSerialHeader) bytes_.text(std::string_view("DLS\1", 4));
  }

  Before before_;
  Bytes bytes_;
};

}  // namespace weft::test
