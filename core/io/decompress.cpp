#include "core/io/decompress.h"

#include <bzlib.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace weft::io {
namespace {

constexpr size_t kStepBytes = size_t{1} << 18;
constexpr std::string_view kTooMuch = "decompresses to too much";

// Room for one more step; false where there may be none.
bool grow(std::string& out, size_t first, uint64_t most_bytes) {
  const size_t made = out.size() - first;
  if (made >= most_bytes) return false;
  out.resize(out.size() + static_cast<size_t>(std::min<uint64_t>(kStepBytes, most_bytes - made)));
  return true;
}

template <class Take>
Status inflate_by(size_t piece_bytes, std::string_view bytes, const Take& take) {
  z_stream stream = {};
  constexpr int kZlibOrGzip = 15 + 32;  // of the largest window
  if (inflateInit2(&stream, kZlibOrGzip) != Z_OK) return fail("no memory for zlib");
  const std::unique_ptr<z_stream, void (*)(z_stream*)> end(&stream,
                                                           [](z_stream* s) { inflateEnd(s); });
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(std::min<size_t>(bytes.size(), UINT32_MAX));
  std::string piece(piece_bytes, '\0');
  for (;;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int code = inflate(&stream, Z_NO_FLUSH);
    const size_t made = piece.size() - stream.avail_out;
    const bool is_wanted = made == 0 || take(std::string_view(piece).substr(0, made));
    if (code == Z_STREAM_END || !is_wanted) return {};
    if ((code != Z_OK && code != Z_BUF_ERROR) || made == 0)
      return fail(stream.msg != nullptr ? stream.msg : "is cut");
  }
}

Status inflate_all(std::string_view bytes, uint64_t most_bytes, std::string& out) {
  const size_t first = out.size();
  bool is_too_much = false;
  const size_t step = std::max<size_t>(1, std::min<uint64_t>(kStepBytes, most_bytes));
  const Status status = inflate_by(step, bytes, [&](std::string_view piece) {
    const auto room = static_cast<size_t>(most_bytes - (out.size() - first));
    is_too_much = piece.size() > room;
    out += piece.substr(0, room);
    return !is_too_much;
  });
  return is_too_much ? fail(std::string(kTooMuch)) : status;
}

Status decompress_zstd(std::string_view bytes, uint64_t most_bytes, std::string& out) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                        ZSTD_freeDStream);
  if (stream == nullptr) return fail("no memory for zstd");
  ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
  const size_t first = out.size();
  for (size_t left = 1; left != 0 || in.pos < in.size;) {
    const size_t have = out.size();
    if (!grow(out, first, most_bytes)) return fail(std::string(kTooMuch));
    ZSTD_outBuffer made = {out.data() + have, out.size() - have, 0};
    left = ZSTD_decompressStream(stream.get(), &made, &in);
    out.resize(have + made.pos);
    if (ZSTD_isError(left) != 0) return fail(ZSTD_getErrorName(left));
    const bool is_stuck = made.pos == 0 && in.pos == in.size;
    if (left != 0 && is_stuck) return fail("is cut");
  }
  return {};
}

Status decompress_bzip2(std::string_view bytes, uint64_t most_bytes, std::string& out) {
  bz_stream stream = {};
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) return fail("no memory for bzip2");
  const std::unique_ptr<bz_stream, void (*)(bz_stream*)> end(
      &stream, [](bz_stream* s) { BZ2_bzDecompressEnd(s); });
  stream.next_in = const_cast<char*>(bytes.data());
  stream.avail_in = static_cast<unsigned>(std::min<size_t>(bytes.size(), UINT32_MAX));
  const size_t first = out.size();
  for (;;) {
    const size_t have = out.size();
    if (!grow(out, first, most_bytes)) return fail(std::string(kTooMuch));
    stream.next_out = out.data() + have;
    stream.avail_out = static_cast<unsigned>(out.size() - have);
    const int code = BZ2_bzDecompress(&stream);
    const size_t made = out.size() - have - stream.avail_out;
    out.resize(have + made);
    if (code == BZ_STREAM_END) return {};
    if (code != BZ_OK) return fail("is damaged");
    if (made == 0 && stream.avail_in == 0) return fail("is cut");
  }
}

}  // namespace

Status inflate_pieces(std::string_view bytes, const std::function<bool(std::string_view)>& take) {
  return inflate_by(kStepBytes, bytes, take);
}

Status decompress(Compression compression, std::string_view bytes, uint64_t most_bytes,
                  std::string& out) {
  switch (compression) {
    case Compression::kZlib:
      return inflate_all(bytes, most_bytes, out);
    case Compression::kZstd:
      return decompress_zstd(bytes, most_bytes, out);
    case Compression::kBzip2:
      return decompress_bzip2(bytes, most_bytes, out);
  }
  return fail("unknown compression");
}

struct ZstdBlocks::Stream {
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> zstd{ZSTD_createDStream()};
};

ZstdBlocks::ZstdBlocks(int window_log) : stream_(std::make_unique<Stream>()) {
  if (stream_->zstd != nullptr)
    ZSTD_DCtx_setParameter(stream_->zstd.get(), ZSTD_d_windowLogMax, window_log);
}
ZstdBlocks::~ZstdBlocks() = default;

Result<size_t> ZstdBlocks::decompress(std::string_view block, std::span<char> out) {
  if (stream_->zstd == nullptr) return fail("no memory for zstd");
  ZSTD_inBuffer in = {block.data(), block.size(), 0};
  ZSTD_outBuffer made = {out.data(), out.size(), 0};
  for (bool is_stuck = false; !is_stuck;) {
    const size_t had = in.pos + made.pos;
    const size_t code = ZSTD_decompressStream(stream_->zstd.get(), &made, &in);
    if (ZSTD_isError(code) != 0) return fail(ZSTD_getErrorName(code));
    is_stuck = in.pos + made.pos == had;
  }
  if (in.pos < in.size) return fail(std::string(kTooMuch));
  return made.pos;
}

Status ZstdBlocks::append(std::string_view block, uint64_t most_bytes, std::string& out) {
  constexpr size_t kStepBytes = 128 << 10;
  if (stream_->zstd == nullptr) return fail("no memory for zstd");
  ZSTD_inBuffer in = {block.data(), block.size(), 0};
  uint64_t appended = 0;
  for (bool is_more = true; is_more;) {
    const size_t have = out.size();
    out.resize(have + kStepBytes);
    ZSTD_outBuffer made = {out.data() + have, kStepBytes, 0};
    const size_t code = ZSTD_decompressStream(stream_->zstd.get(), &made, &in);
    out.resize(have + made.pos);
    if (ZSTD_isError(code) != 0) return fail(ZSTD_getErrorName(code));
    if (appended += made.pos; appended > most_bytes) return fail(std::string(kTooMuch));
    is_more = in.pos < in.size || made.pos == kStepBytes;
  }
  return {};
}

}  // namespace weft::io
