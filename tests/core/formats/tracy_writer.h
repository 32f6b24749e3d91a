// Writes small Tracy traces for tests, as each version of Tracy saves them.
//
// Source: the writers of Tracy 0.7 to 0.14 (server/TracyWorker.cpp, Worker::Write).
#pragma once

#include <zstd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/lz4.h"

namespace weft::test {

enum class TracyPacking : uint8_t { kOneLz4, kOneZstd, kManyLz4, kManyZstd };

// One stream of zstd, flushed behind every block.
class ZstdStream {
 public:
  std::string pack(std::string_view bytes) {
    std::string out(ZSTD_compressBound(bytes.size()) + 64, '\0');
    ZSTD_outBuffer to = {out.data(), out.size(), 0};
    ZSTD_inBuffer from = {bytes.data(), bytes.size(), 0};
    while (from.pos < from.size) ZSTD_compressStream2(stream_.get(), &to, &from, ZSTD_e_continue);
    while (ZSTD_compressStream2(stream_.get(), &to, &from, ZSTD_e_flush) > 0) {
    }
    out.resize(to.pos);
    return out;
  }

 private:
  struct Free {
    void operator()(ZSTD_CStream* stream) const { ZSTD_freeCStream(stream); }
  };
  std::unique_ptr<ZSTD_CStream, Free> stream_{ZSTD_createCStream()};
};

// The file: `bytes` in blocks. Those of 64 KiB are what Tracy writes; the reader takes any.
inline std::string tracy_file(std::string_view bytes, TracyPacking packing,
                              size_t block_bytes = 64 << 10, uint8_t streams = 3) {
  const bool is_zstd = packing == TracyPacking::kOneZstd || packing == TracyPacking::kManyZstd;
  Bytes out;
  if (packing == TracyPacking::kOneLz4 || packing == TracyPacking::kOneZstd) {
    out.text(is_zstd ? "tZst" : std::string_view("tlZ\4", 4));
    streams = 1;
  } else {
    out.text(std::string_view("tr\xFDP", 4)).little(static_cast<uint8_t>(is_zstd)).little(streams);
  }
  std::vector<ZstdStream> zstd(streams);
  for (size_t i = 0; !bytes.empty(); ++i) {
    const std::string_view block = bytes.substr(0, block_bytes);
    bytes.remove_prefix(block.size());
    const std::string packed = is_zstd ? zstd[i % streams].pack(block) : literals_of_lz4(block);
    out.little(static_cast<uint32_t>(packed.size())).text(packed);
  }
  return out.str();
}

// The contents, section by section.
class TracyWriter {
 public:
  TracyWriter(uint8_t major, uint8_t minor, uint8_t patch)
      : version_(major * 1'000'000 + minor * 1000 + patch) {
    bytes_.text("tracy").little(major).little(minor).little(patch);
  }

  bool is_at_least(int minor, int patch) const { return version_ >= minor * 1000 + patch; }

  template <class Value>
  TracyWriter& add(Value value) {
    bytes_.little(value);
    return *this;
  }
  TracyWriter& count(uint64_t n) { return add(n); }
  TracyWriter& add_24(uint32_t value) {
    bytes_.little(static_cast<uint16_t>(value)).little(static_cast<uint8_t>(value >> 16));
    return *this;
  }
  TracyWriter& add_48(int64_t value) {
    bytes_.little(static_cast<uint32_t>(value)).little(static_cast<int16_t>(value >> 32));
    return *this;
  }
  TracyWriter& text(std::string_view text) {
    count(text.size());
    bytes_.text(text);
    return *this;
  }
  TracyWriter& raw(std::string_view bytes) {
    bytes_.text(bytes);
    return *this;
  }
  // A text by its index, or none.
  TracyWriter& ref(int64_t index) {
    return add(static_cast<uint64_t>(index < 0 ? 0 : index))
        .add(static_cast<uint8_t>(index < 0 ? 0 : 3));
  }
  TracyWriter& zone(int16_t place, int64_t begin, uint32_t extra, uint32_t children) {
    return add(place).add(begin).add(extra).add(children);
  }

  // Writes the head, which describes the program.
  void head(std::string_view program) {
    if (!is_at_least(12, 3)) add(int64_t{12});  // the cost of an event
    add(int64_t{20}).add(1.0).add(int64_t{10'000}).add(uint64_t{0}).add(uint64_t{42});
    add(int64_t{100}).add(uint8_t{2}).add(uint32_t{0xB7F00}).raw("GenuineIntel");
    if (is_at_least(9, 2)) add(uint8_t{0});
    text("demo @ today").text(program).add(uint64_t{1'700'000'000});
    if (is_at_least(7, 6)) add(uint64_t{1'600'000'000});
    text("OS: Linux\nUser: me@here\n");
    count(1).add(uint32_t{0}).count(1);  // a package, with a die where those are known
    if (is_at_least(11, 2)) add(uint32_t{0}).count(1);
    add(uint32_t{0}).count(2).add(uint32_t{0}).add(uint32_t{1});
  }
  void crash(uint64_t thread, int64_t time, uint64_t message, uint32_t callstack) {
    add(thread).add(time).add(message).add(callstack);
  }
  // Texts have the addresses 1000, 1001, …; those of programs 1, 2, ….
  void texts(const std::vector<std::string_view>& all) {
    count(all.size());
    for (size_t i = 0; i < all.size(); ++i) add(uint64_t{1000 + i}).text(all[i]);
    count(all.size());
    for (size_t i = 0; i < all.size(); ++i) add(uint64_t{i + 1}).add(uint64_t{1000 + i});
  }

  const std::string& bytes() const { return bytes_.str(); }

 private:
  int version_;
  Bytes bytes_;
};

}  // namespace weft::test
