// Writes small traces in the Fuchsia trace format for tests: a record a call. Texts and threads lie
// in the records where they are given as text and as numbers, in tables where they are references.
//
// Source: "Fuchsia trace format", fuchsia.dev.
#pragma once

#include <string>
#include <string_view>

#include "tests/core/formats/bytes.h"

namespace weft::test {

class FxtWriter {
 public:
  // Words behind a header, and what the header says beside type and length.
  void record(uint64_t type, uint64_t fields, const Bytes& body) {
    bytes_.little(type | (1 + body.size() / 8) << 4 | fields).text(body.str());
  }
  void large(uint64_t format, const Bytes& body) {
    bytes_.little(15 | (1 + body.size() / 8) << 4 | format << 40).text(body.str());
  }
  void raw(std::string_view bytes) { bytes_.text(bytes); }

  void magic() { bytes_.little(uint64_t{0x0016547846040010}); }
  void provider(uint64_t id, std::string_view name) {
    record(0, 1 << 16 | id << 20 | name.size() << 52, Bytes().text(name).pad(8));
  }
  void section(uint64_t id) { record(0, 2 << 16 | id << 20, {}); }
  void buffer_full(uint64_t id) { record(0, 3 << 16 | id << 20, {}); }
  void rate(uint64_t ticks) { record(1, 0, Bytes().little(ticks)); }
  void string(uint64_t index, std::string_view text) {
    record(2, index << 16 | text.size() << 32, Bytes().text(text).pad(8));
  }
  void thread(uint64_t index, uint64_t process, uint64_t thread) {
    record(3, index << 16, Bytes().little(process).little(thread));
  }

  // The thread is one of the table. `more`: the word that some kinds have.
  void event(uint64_t kind, uint64_t thread, uint64_t time, std::string_view category,
             std::string_view name, const std::string& arguments = {}, uint64_t count = 0) {
    record(4, event_fields(kind, thread, category, name, count),
           event_body(time, category, name, arguments));
  }
  void event(uint64_t kind, uint64_t thread, uint64_t time, std::string_view category,
             std::string_view name, uint64_t more, const std::string& arguments = {},
             uint64_t count = 0) {
    record(4, event_fields(kind, thread, category, name, count),
           event_body(time, category, name, arguments).little(more));
  }

  // Arguments whose names lie in them; `value` is in the header or in a word of its own.
  static std::string small(uint64_t type, std::string_view name, uint32_t value) {
    const Bytes body = Bytes().text(name).pad(8);
    return Bytes()
        .little(type | (1 + body.size() / 8) << 4 | inlined(name) << 16 | uint64_t{value} << 32)
        .text(body.str())
        .str();
  }
  template <class Value>
  static std::string word(uint64_t type, std::string_view name, Value value) {
    const Bytes body = Bytes().text(name).pad(8).little(value);
    return Bytes()
        .little(type | (1 + body.size() / 8) << 4 | inlined(name) << 16)
        .text(body.str())
        .str();
  }
  static std::string text(std::string_view name, std::string_view value) {
    const Bytes body = Bytes().text(name).pad(8).text(value).pad(8);
    return Bytes()
        .little(6 | (1 + body.size() / 8) << 4 | inlined(name) << 16 | inlined(value) << 32)
        .text(body.str())
        .str();
  }
  static std::string blob(std::string_view name, std::string_view value) {
    const Bytes body = Bytes().text(name).pad(8).text(value).pad(8);
    return Bytes()
        .little(10 | (1 + body.size() / 8) << 4 | inlined(name) << 16 | value.size() << 32)
        .text(body.str())
        .str();
  }
  // The reference to a text that lies in the record.
  static uint64_t inlined(std::string_view text) {
    return text.empty() ? 0 : uint64_t{0x8000} | text.size();
  }

  const std::string& bytes() const { return bytes_.str(); }

 private:
  static uint64_t event_fields(uint64_t kind, uint64_t thread, std::string_view category,
                               std::string_view name, uint64_t count) {
    return kind << 16 | count << 20 | thread << 24 | inlined(category) << 32 | inlined(name) << 48;
  }
  static Bytes event_body(uint64_t time, std::string_view category, std::string_view name,
                          const std::string& arguments) {
    return Bytes().little(time).text(category).pad(8).text(name).pad(8).text(arguments);
  }

  Bytes bytes_;
};

}  // namespace weft::test
