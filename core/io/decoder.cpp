#include "core/io/decoder.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "core/io/text_decoders.h"

namespace weft::io {
namespace {

unsigned clamp_to_unsigned(size_t n) {
  return static_cast<unsigned>(std::min<size_t>(n, std::numeric_limits<unsigned>::max()));
}

constexpr const char* kDamaged = "damaged data";

// Tapes and block devices pad with zeros after the last member.
class Padding {
 public:
  // Whether these bytes may follow a member.
  bool takes(std::span<const std::byte> in) const { return has_begun_ || in[0] == std::byte{0}; }
  Result<Decoder::Step> skip(std::span<const std::byte> in) {
    has_begun_ = true;
    if (std::ranges::any_of(in, [](std::byte b) { return b != std::byte{0}; })) {
      return fail("bytes after the end of the data");
    }
    return Decoder::Step{in.size(), 0};
  }

 private:
  bool has_begun_ = false;
};

// Of the largest window.
constexpr int kZlibHeaders = 15, kGzipHeaders = 15 + 16, kZlibOrGzipHeaders = 15 + 32;

// gzip, and what zlib makes itself; behind so many bytes that are neither.
class ZlibDecoder final : public Decoder {
 public:
  ZlibDecoder(int headers, size_t bytes_before, const char* name)
      : before_(bytes_before), name_(name) {
    is_ready_ = inflateInit2(&stream_, headers) == Z_OK;
  }
  ~ZlibDecoder() override {
    if (is_ready_) inflateEnd(&stream_);
  }

  Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
    if (!is_ready_) return fail("no memory for zlib");
    if (before_ > 0) {
      const size_t skipped = std::min(before_, in.size());
      before_ -= skipped;
      return Step{skipped, 0};
    }
    if (is_at_end_ && !in.empty()) {
      if (padding_.takes(in)) return padding_.skip(in);
      inflateReset(&stream_);  // the next member
      is_at_end_ = false;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = clamp_to_unsigned(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = clamp_to_unsigned(out.size());
    const auto* in_before = stream_.next_in;
    const auto* out_before = stream_.next_out;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) is_at_end_ = true;
    const bool is_sound = code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR;
    const char* const damage = stream_.msg != nullptr ? stream_.msg : kDamaged;
    return Step{static_cast<size_t>(stream_.next_in - in_before),
                static_cast<size_t>(stream_.next_out - out_before), is_sound ? nullptr : damage};
  }

  bool is_at_end() const override { return is_at_end_; }
  const char* name() const override { return name_; }

 private:
  size_t before_;
  const char* name_;
  z_stream stream_ = {};
  bool is_ready_ = false;
  bool is_at_end_ = false;
  Padding padding_;
};

class ZstdDecoder final : public Decoder {
 public:
  Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
    if (stream_ == nullptr) return fail("no memory for zstd");
    if (is_at_end_ && !in.empty() && padding_.takes(in)) return padding_.skip(in);
    ZSTD_inBuffer from = {in.data(), in.size(), 0};
    ZSTD_outBuffer to = {out.data(), out.size(), 0};
    const size_t code = ZSTD_decompressStream(stream_.get(), &to, &from);
    // What it made before it found the error, such as a wrong checksum, is given.
    if (ZSTD_isError(code) != 0 && to.pos > 0)
      return Step{from.pos, to.pos, ZSTD_getErrorName(code)};
    if (ZSTD_isError(code) != 0) return fail(ZSTD_getErrorName(code));
    if (from.pos > 0 || to.pos > 0) is_at_end_ = code == 0;
    return Step{from.pos, to.pos};
  }

  bool is_at_end() const override { return is_at_end_; }
  const char* name() const override { return "zstd"; }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
  Padding padding_;
  bool is_at_end_ = false;
};

class XzDecoder final : public Decoder {
 public:
  XzDecoder() {
    constexpr uint64_t kMostMemory = 256ull << 20;  // of a dictionary; xz -9 takes 65 MiB
    is_ready_ = lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED) == LZMA_OK;
  }
  ~XzDecoder() override { lzma_end(&stream_); }

  // Only at the end is it known that no member follows.
  Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out,
                      bool is_last) override {
    if (!is_ready_) return fail("no memory for xz");
    stream_.next_in = reinterpret_cast<const uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret code = lzma_code(&stream_, is_last ? LZMA_FINISH : LZMA_RUN);
    is_at_end_ = code == LZMA_STREAM_END;
    if (code == LZMA_MEMLIMIT_ERROR) return fail("needs more memory than is allowed");
    const bool is_sound = code == LZMA_OK || code == LZMA_STREAM_END || code == LZMA_BUF_ERROR;
    return Step{in.size() - stream_.avail_in, out.size() - stream_.avail_out,
                is_sound ? nullptr : kDamaged};
  }

  bool is_at_end() const override { return is_at_end_; }
  const char* name() const override { return "xz"; }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool is_ready_ = false;
  bool is_at_end_ = false;
};

class BzipDecoder final : public Decoder {
 public:
  BzipDecoder() { begin(); }
  ~BzipDecoder() override { BZ2_bzDecompressEnd(&stream_); }

  Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
    if (is_at_end_) {
      if (in.empty()) return Step{};
      if (padding_.takes(in)) return padding_.skip(in);
      BZ2_bzDecompressEnd(&stream_);
      begin();  // the next member
      is_at_end_ = false;
    }
    if (!is_ready_) return fail("no memory for bzip2");
    stream_.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = clamp_to_unsigned(in.size());
    stream_.next_out = reinterpret_cast<char*>(out.data());
    stream_.avail_out = clamp_to_unsigned(out.size());
    const auto* in_before = stream_.next_in;
    const auto* out_before = stream_.next_out;
    const int code = BZ2_bzDecompress(&stream_);
    is_at_end_ = code == BZ_STREAM_END;
    const bool is_sound = code == BZ_OK || code == BZ_STREAM_END;
    return Step{static_cast<size_t>(stream_.next_in - in_before),
                static_cast<size_t>(stream_.next_out - out_before), is_sound ? nullptr : kDamaged};
  }

  bool is_at_end() const override { return is_at_end_; }
  const char* name() const override { return "bzip2"; }

 private:
  void begin() {
    stream_ = {};
    is_ready_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
  }

  bz_stream stream_ = {};
  bool is_ready_ = false;
  bool is_at_end_ = false;
  Padding padding_;
};

bool begins_with(std::span<const std::byte> head, std::initializer_list<int> magic) {
  return head.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), head.begin(),
                    [](int m, std::byte b) { return m == std::to_integer<int>(b); });
}

// The mark, the size of blocks, and the digits of pi with which a block begins or those of its root
// with which an empty stream ends.
bool is_bzip(std::span<const std::byte> head) {
  constexpr size_t kMark = 4;
  return begins_with(head, {'B', 'Z', 'h'}) && head.size() > kMark &&
         (begins_with(head.subspan(kMark), {0x31, 0x41, 0x59, 0x26, 0x53, 0x59}) ||
          begins_with(head.subspan(kMark), {0x17, 0x72, 0x45, 0x38, 0x50, 0x90}));
}

// Returns the offset of the data of `atrace -z`: after "TRACE:\n", which follows the program's
// messages while recording. 0: it is none.
size_t atrace_data(std::span<const std::byte> head) {
  constexpr std::string_view kMark = "TRACE:\n\x78";
  constexpr size_t kMostSaid = 256;
  const std::string_view text(reinterpret_cast<const char*>(head.data()),
                              std::min(head.size(), kMostSaid));
  const size_t at = text.find(kMark);
  const bool is_line = at == 0 || (at < text.size() && text[at - 1] == '\n');
  return is_line ? at + kMark.size() - 1 : 0;
}

// The head without the frames that say something to somebody else, with which LZ4 and zstd may
// begin: a mark of sixteen, and their length.
std::span<const std::byte> behind_skippable(std::span<const std::byte> head) {
  constexpr size_t kFrameHead = 8, kMostSkipped = 8;
  const auto at = [&](size_t i) { return std::to_integer<uint32_t>(head[i]); };
  for (size_t i = 0; i < kMostSkipped; ++i) {
    const bool is_skippable = head.size() > kFrameHead && (at(0) & 0xF0) == 0x50 &&
                              begins_with(head.subspan(1), {0x2A, 0x4D, 0x18});
    if (!is_skippable) break;
    const size_t size = at(4) | at(5) << 8 | at(6) << 16 | at(7) << 24;
    if (size > head.size() - kFrameHead) break;
    head = head.subspan(kFrameHead + size);
  }
  return head;
}

}  // namespace

bool begins_lz4(std::span<const std::byte> head) {
  head = behind_skippable(head);
  return begins_with(head, {0x04, 0x22, 0x4D, 0x18}) || begins_with(head, {0x02, 0x21, 0x4C, 0x18});
}

std::unique_ptr<Decoder> decoder_of(Compression compression) {
  switch (compression) {
    case Compression::kZlib:
      return std::make_unique<ZlibDecoder>(kZlibOrGzipHeaders, 0, "zlib");
    case Compression::kZstd:
      return std::make_unique<ZstdDecoder>();
    case Compression::kBzip2:
      return std::make_unique<BzipDecoder>();
  }
  std::unreachable();
}

Result<std::unique_ptr<Decoder>> decoder_for(std::span<const std::byte> head) {
  if (begins_with(head, {0x1F, 0x8B}))
    return std::make_unique<ZlibDecoder>(kGzipHeaders, 0, "gzip");
  if (const size_t data = atrace_data(head); data > 0)
    return std::make_unique<ZlibDecoder>(kZlibHeaders, data, "zlib");
  if (begins_with(behind_skippable(head), {0x28, 0xB5, 0x2F, 0xFD}))
    return std::make_unique<ZstdDecoder>();
  if (begins_with(head, {0xFD, '7', 'z', 'X', 'Z', 0})) return std::make_unique<XzDecoder>();
  if (is_bzip(head)) return std::make_unique<BzipDecoder>();
  return text_decoder_for(head);
}

}  // namespace weft::io
