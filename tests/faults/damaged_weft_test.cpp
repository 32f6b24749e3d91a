// Every bit of a small .weft flipped, and every length cut: the answer is the same, or an error.
//
// A file of about 64 KiB is half a million flips; a plain run takes every bit of the header and of
// what lies behind the pages, and a sample of the rest. WEFT_FULL=1 takes all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "core/base/crc32c.h"
#include "core/store/file_format.h"
#include "core/store/trace.h"
#include "tests/core/io/scratch_folder.h"
#include "tests/fuzz/small_trace.h"
#include "tests/fuzz/weft_seal.h"

namespace weft {
namespace {

bool is_full_run() {
  const char* value = std::getenv("WEFT_FULL");
  return value != nullptr && std::string_view(value) == "1";
}

// How many bits apart a plain run flips: odd, to meet every bit of a byte in turn. ASan makes an
// answer seven times as slow.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kFlipStep = 49;
#else
constexpr size_t kFlipStep = 7;
#endif

// Everything that can be read of a trace, as a checksum.
class Digest {
 public:
  void add(std::string_view text) { crc_ = crc32c(text.data(), text.size(), crc_); }
  template <class T>
  void add_value(const T& value) {
    crc_ = crc32c(&value, sizeof value, crc_);
  }
  uint32_t value() const { return crc_; }

 private:
  uint32_t crc_ = 0;
};

void add_row(Digest& digest, const store::Trace& trace, const store::Row& row) {
  digest.add_value(row.lane.value());
  digest.add_value(row.kind);
  digest.add_value(row.depth);
  digest.add_value(row.count);
  digest.add_value(row.busy);
  trace.for_each(row, {Time::min(), Time::max()}, [&](const store::Record& record) {
    digest.add_value(record.begin.ticks);
    digest.add_value(record.duration.ticks);
    digest.add_value(record.type.value());
    digest.add_value(record.peer.value());
    digest.add_value(record.value);
    if (!record.params.is_none()) {
      const store::Params params = trace.params(record.params);
      digest.add(params.json);
      digest.add({reinterpret_cast<const char*>(params.payload.data()), params.payload.size()});
    }
    return true;
  });
}

// The digest, or nothing where the trace says that something is wrong with it.
std::optional<uint32_t> answer_of(const std::filesystem::path& path) {
  const auto trace = store::Trace::open(path);
  if (!trace) return std::nullopt;
  Digest digest;
  for (const auto& lane : (*trace)->dictionary().lanes) digest.add(lane.name);
  for (const auto& type : (*trace)->dictionary().types) digest.add(type.name);
  for (const auto& [key, value] : (*trace)->dictionary().metadata) digest.add(key + "=" + value);
  for (const auto& loss : (*trace)->dictionary().report.losses()) digest.add(loss.kind);
  for (const auto& row : (*trace)->rows()) add_row(digest, **trace, row);
  if (!(*trace)->health()) return std::nullopt;
  return digest.value();
}

class DamagedWeft : public testing::Test {
 protected:
  void SetUp() override {
    const auto status = test::write_small_trace(path_, 3, 1500);
    ASSERT_TRUE(status) << status.error().message;
    image_ = test::content_of(path_);
    right_ = answer_of(path_);
    ASSERT_TRUE(right_.has_value());
    ASSERT_GT(image_.size(), 30'000u);
  }

  // Written in place: truncating first would make some file systems flush.
  void write(const std::string& image) const {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.write(image.data(), static_cast<std::streamsize>(image.size()));
  }
  // Changes one byte of the file and nothing else of it.
  void write_byte(size_t at, char byte) const {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at)).put(byte);
  }

  test::ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "trace.weft";
  std::string image_;
  std::optional<uint32_t> right_;
};

TEST_F(DamagedWeft, AFlippedBitChangesNothingUnnoticed) {
  const size_t step = is_full_run() ? 1 : kFlipStep;
  const size_t plain_bits = store::kHeaderBytes * 8;
  size_t noticed = 0;
  for (size_t bit = 0; bit < image_.size() * 8; bit += bit < plain_bits ? 1 : step) {
    write_byte(bit / 8, static_cast<char>(image_[bit / 8] ^ (1 << bit % 8)));
    const auto answer = answer_of(path_);
    write_byte(bit / 8, image_[bit / 8]);
    noticed += !answer.has_value();
    ASSERT_TRUE(!answer || answer == right_) << "bit " << bit % 8 << " of byte " << bit / 8;
  }
  EXPECT_GT(noticed, 0u);
  EXPECT_EQ(answer_of(path_), right_);
}

TEST_F(DamagedWeft, AFlippedBitIsFoundByVerify) {
  const size_t step = is_full_run() ? 1 : 97;
  for (size_t bit = 0; bit < image_.size() * 8; bit += step) {
    write_byte(bit / 8, static_cast<char>(image_[bit / 8] ^ (1 << bit % 8)));
    const auto trace = store::Trace::open(path_);
    const bool is_found = !trace || !(*trace)->verify();
    write_byte(bit / 8, image_[bit / 8]);
    ASSERT_TRUE(is_found) << "bit " << bit % 8 << " of byte " << bit / 8;
  }
}

TEST_F(DamagedWeft, WhatCannotBeReadIsLeftOutAndNotInvented) {
  const auto all_of = [&] {
    std::multiset<std::tuple<size_t, int64_t, int64_t, uint32_t>> all;
    const auto trace = store::Trace::open(path_).value();
    for (const store::Row& row : trace->rows()) {
      trace->for_each(row, {Time::min(), Time::max()}, [&](const store::Record& record) {
        all.emplace(&row - trace->rows().data(), record.begin.ticks, record.duration.ticks,
                    record.type.value());
        return true;
      });
    }
    return all;
  };
  const auto right = all_of();
  std::string damaged = image_;
  std::fill_n(damaged.begin() + store::kPageBytes, store::kPageBytes, 'x');
  write(damaged);
  const auto left = all_of();
  EXPECT_LT(left.size(), right.size());
  EXPECT_TRUE(std::ranges::includes(right, left));
}

TEST_F(DamagedWeft, EveryCutIsRefused) {
  for (size_t size = image_.size(); size-- > 0;) {
    std::filesystem::resize_file(path_, size);
    ASSERT_FALSE(store::Trace::open(path_)) << "cut to " << size << " bytes";
  }
}

TEST_F(DamagedWeft, VerifyHoldsTheHeaderAgainstTheEvents) {
  const auto is_sound = [&](const auto& change) {
    std::string image = image_;
    store::FileHeader header;
    std::memcpy(&header, image.data(), sizeof header);
    change(header);
    std::memcpy(image.data(), &header, sizeof header);
    test::seal(std::as_writable_bytes(std::span(image)));
    write(image);
    const auto trace = store::Trace::open(path_);
    return trace && (*trace)->verify();
  };
  EXPECT_TRUE(is_sound([](store::FileHeader&) {}));
  for (size_t category = 0; category < std::size(store::FileHeader().counts); ++category)
    EXPECT_FALSE(is_sound([&](store::FileHeader& h) { ++h.counts[category]; })) << category;
  EXPECT_FALSE(is_sound([](store::FileHeader& h) { --h.begin; }));
  EXPECT_FALSE(is_sound([](store::FileHeader& h) { h.end = h.begin + 1; }));
}

TEST_F(DamagedWeft, HostileContentBehindRightChecksumsDoesNoHarm) {
  std::mt19937 random(1);
  size_t opened = 0;
  for (int i = 0; i < (is_full_run() ? 100'000 : 3'000); ++i) {
    std::string image = image_;
    // Half of them among the sections at the end, where every byte steers something.
    const size_t first = i % 2 == 0 ? store::kHeaderBytes : image.size() - image.size() / 8;
    for (uint32_t changes = 1 + random() % 4; changes > 0; --changes) {
      const size_t at = first + random() % (image.size() - first);
      image[at] = static_cast<char>(random() % 3 == 0 ? 0xFF : random());
    }
    test::seal(std::as_writable_bytes(std::span(image)));
    write(image);
    opened += answer_of(path_).has_value();
  }
  EXPECT_GT(opened, 0u) << "the checksums were not made right";
}

}  // namespace
}  // namespace weft
