#include "core/io/decompress.h"

#include <zstd.h>

#include <algorithm>
#include <memory>

#include "core/io/decoder.h"

namespace weft::io {
namespace {

constexpr size_t kStepBytes = size_t{1} << 18;
constexpr std::string_view kTooMuch = "decompresses to too much";

// Decodes until the end (of zstd: of the last frame), or until `take` wants no more.
template <class Take>
Status decode_pieces(Compression compression, size_t piece_bytes, std::string_view bytes,
                     const Take& take) {
  const std::unique_ptr<Decoder> decoder = decoder_of(compression);
  auto in = std::as_bytes(std::span(bytes));
  std::string piece(piece_bytes, '\0');
  for (;;) {
    const auto room = std::as_writable_bytes(std::span(piece));
    WEFT_TRY_ASSIGN(const Decoder::Step step, decoder->decode(in, room, /*is_last=*/true));
    in = in.subspan(step.taken);
    const bool is_wanted = step.made == 0 || take(std::string_view(piece).substr(0, step.made));
    if (!is_wanted) return {};
    if (step.damage != nullptr) return fail(step.damage);
    const bool goes_on = compression == Compression::kZstd && !in.empty();
    if (decoder->is_at_end() && !goes_on) return {};
    if (step.taken == 0 && step.made == 0) return fail("is cut");
  }
}

}  // namespace

Status inflate_pieces(std::string_view bytes, const std::function<bool(std::string_view)>& take) {
  return decode_pieces(Compression::kZlib, kStepBytes, bytes, take);
}

Status decompress(Compression compression, std::string_view bytes, uint64_t most_bytes,
                  std::string& out) {
  const size_t first = out.size();
  bool is_too_much = false;
  const size_t step = std::max<size_t>(1, std::min<uint64_t>(kStepBytes, most_bytes));
  const Status status = decode_pieces(compression, step, bytes, [&](std::string_view piece) {
    const auto room = static_cast<size_t>(most_bytes - (out.size() - first));
    is_too_much = piece.size() > room;
    out += piece.substr(0, room);
    return !is_too_much;
  });
  return is_too_much ? fail(std::string(kTooMuch)) : status;
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
