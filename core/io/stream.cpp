#include "core/io/stream.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "core/base/os_error.h"
#include "core/io/archive_handle.h"
#include "core/io/decoder.h"
#include "core/io/unpacked.h"

namespace weft::io {
namespace {

// How much a layer of compression has made, held to the limits.
class Growth {
 public:
  explicit Growth(SourceLimits limits) : limits_(limits) {}

  Status add(uint64_t bytes, uint64_t disk_bytes, const std::string& where) {
    made_ += bytes;
    const bool is_bomb = made_ > limits_.free_bytes && made_ / limits_.max_ratio > disk_bytes;
    if (!is_bomb) return {};
    return fail(fmt::format(
        "{}: decompresses to more than {} times its size: unpack it yourself if you trust it{}",
        where, limits_.max_ratio, kRefused));
  }

 private:
  SourceLimits limits_;
  uint64_t made_ = 0;
};

// A decoded input. Limits apply to each layer of a file compressed twice: the last may be small
// though the one below is not.
class DecodedInput final : public Input {
 public:
  DecodedInput(std::unique_ptr<Input> input, Waiting head, std::unique_ptr<Decoder> decoder,
               SourceLimits limits)
      : input_(std::move(input)),
        waiting_(std::move(head)),
        decoder_(std::move(decoder)),
        growth_(limits) {}

  Result<size_t> read(std::span<std::byte> out) override {
    while (!out.empty()) {
      if (damage_) return fail(*damage_);
      if (waiting_.left().empty() && !error_ && !holds_output_) {
        has_ended_ = !refill();
        const bool is_at_end = has_ended_ && !error_ && (decoder_->is_at_end() || was_stopped());
        if (is_at_end) return 0;
      }
      const auto in = waiting_.left();
      auto step = decoder_->decode(in, out, has_ended_);
      if (!step) return fail(std::move(step).error().context(where()));
      waiting_.taken += step->taken;
      WEFT_TRY(growth_.add(step->made, disk_bytes_read(0), where()));
      if (step->damage != nullptr) damage_ = Error{step->damage}.context(where());
      holds_output_ = step->made == out.size();
      if (step->made > 0) return step->made;
      if (damage_) continue;
      if (error_ && in.empty()) return fail(*error_);
      if (has_ended_ && in.empty() && !decoder_->is_at_end())
        return fail(where() + ": the file is cut");
    }
    return 0;
  }

  uint64_t disk_bytes_read(size_t) const override {
    return input_->disk_bytes_read(waiting_.left().size());
  }
  bool is_ready(std::chrono::milliseconds patience) const override {
    return !waiting_.left().empty() || input_->is_ready(patience);
  }
  bool was_stopped() const override { return input_->was_stopped(); }

 private:
  bool refill() {
    waiting_.bytes.resize(kInputBytes);
    auto n = input_->read(waiting_.bytes);
    if (!n) error_ = n.error();
    waiting_.bytes.resize(n ? *n : 0);
    waiting_.taken = 0;
    return !waiting_.bytes.empty();
  }

  std::string where() const {
    return fmt::format("{} data at byte {}", decoder_->name(), disk_bytes_read(0));
  }

  std::unique_ptr<Input> input_;
  Waiting waiting_;
  std::unique_ptr<Decoder> decoder_;
  std::optional<Error> error_;   // of the input
  std::optional<Error> damage_;  // behind what was read
  bool has_ended_ = false;       // the input, or it was stopped
  bool holds_output_ = false;    // perhaps, in the decoder, until it is asked without input
  Growth growth_;
};

// An LZ4 input decoded by libarchive: current and legacy frames, one after another.
class Lz4Input final : public Input {
 public:
  Lz4Input(std::unique_ptr<Input> input, Waiting head, SourceLimits limits)
      : input_(std::move(input)),
        waiting_(std::move(head)),
        growth_(limits),
        handle_([this] { return next_block(); }) {}

  Result<size_t> read(std::span<std::byte> out) override {
    if (!is_open_) {
      WEFT_TRY(open());
    }
    if (is_ended_) return 0;
    const ptrdiff_t n = handle_.read(out);
    if (n < 0) return failure();
    const auto made = static_cast<size_t>(n);
    WEFT_TRY(growth_.add(made, disk_bytes_read(0), where()));
    return made;
  }

  uint64_t disk_bytes_read(size_t) const override {
    return input_->disk_bytes_read(waiting_.left().size());
  }
  bool is_ready(std::chrono::milliseconds patience) const override {
    return !waiting_.left().empty() || input_->is_ready(patience);
  }
  bool was_stopped() const override { return input_->was_stopped(); }

 private:
  Status open() {
    archive_read_support_format_raw(handle_.get());
    archive_read_support_format_empty(handle_.get());
    archive_entry* entry = nullptr;
    is_open_ = archive_read_append_filter(handle_.get(), ARCHIVE_FILTER_LZ4) == ARCHIVE_OK &&
               handle_.open();
    if (!is_open_) return failure();
    // An input that is cut in its first block is opened as an empty one.
    if (archive_errno(handle_.get()) != 0) return fail(where() + ": the file is cut");
    const int code = handle_.next(entry);
    is_ended_ = code == ARCHIVE_EOF;
    return code < ARCHIVE_WARN ? Status(failure()) : Status();
  }

  // The bytes that wait, then those behind them.
  Result<std::span<const std::byte>> next_block() {
    if (waiting_.taken > 0 || waiting_.bytes.empty()) {
      waiting_.bytes.resize(kInputBytes);
      WEFT_TRY_ASSIGN(const size_t n, input_->read(waiting_.bytes));
      waiting_.bytes.resize(n);
    }
    waiting_.taken = waiting_.bytes.size();
    return waiting_.bytes;
  }

  std::unexpected<Error> failure() const { return fail(where() + ": " + handle_.problem()); }
  std::string where() const { return fmt::format("lz4 data at byte {}", disk_bytes_read(0)); }

  std::unique_ptr<Input> input_;
  Waiting waiting_;
  Growth growth_;
  ArchiveHandle handle_;
  bool is_open_ = false, is_ended_ = false;
};

}  // namespace

bool RawInput::is_ready(std::chrono::milliseconds patience) const {
  pollfd poll_fd = {fd_.get(), POLLIN, 0};
  if (!is_paced_) return true;
  const int n = ::poll(&poll_fd, 1, static_cast<int>(patience.count()));
  return n > 0 || (n < 0 && errno != EINTR);  // a signal brings no bytes
}

Result<size_t> RawInput::read(std::span<std::byte> out) {
  constexpr std::chrono::milliseconds kBetweenAsks{100};
  while (on_wait_ && !is_ready({})) {
    was_stopped_ = !on_wait_();
    if (was_stopped_) return 0;
    if (is_ready(kBetweenAsks)) break;
  }
  for (;;) {
    const ssize_t n = ::read(fd_.get(), out.data(), out.size());
    if (n >= 0) {
      bytes_read_ += static_cast<uint64_t>(n);
      return static_cast<size_t>(n);
    }
    if (errno != EINTR) return fail(os_error(fmt::format("cannot read at byte {}", bytes_read_)));
  }
}

Status Stream::choose_decoders(SourceLimits limits) {
  constexpr int kMostLayers = 3;  // two of compression, and one of text
  fill_head();
  if (head_.bytes.empty()) return fail(error_.value_or(Error{"file is empty"}));
  for (int layers = 0;; ++layers) {
    const bool is_lz4 = begins_lz4(head_.bytes);
    WEFT_TRY_ASSIGN(std::unique_ptr<Decoder> decoder, decoder_for(head_.bytes));
    if (decoder == nullptr && !is_lz4) return {};
    if (layers == kMostLayers) return fail("is compressed again and again: decompress it first");
    Waiting head = std::exchange(head_, {});
    if (is_lz4) {
      input_ = std::make_unique<Lz4Input>(std::move(input_), std::move(head), limits);
    } else {
      input_ = std::make_unique<DecodedInput>(std::move(input_), std::move(head),
                                              std::move(decoder), limits);
    }
    fill_head();
  }
}

Result<size_t> Stream::read(std::span<std::byte> out) {
  const auto left = head_.left();
  if (left.empty() && error_) return fail(*error_);
  if (left.empty()) return input_->read(out);
  const size_t n = std::min(out.size(), left.size());
  std::memcpy(out.data(), left.data(), n);
  head_.taken += n;
  return n;
}

void Stream::fill_head() {
  size_t filled = head_.bytes.size();
  head_.bytes.resize(kInputBytes);
  const Patience patience;
  const auto pauses = [&] {
    return is_awaited_ && filled > 0 && !input_->is_ready(patience.left());
  };
  while (filled < kHeadBytes && !error_ && !pauses()) {
    auto n = input_->read(std::span(head_.bytes).subspan(filled));
    if (!n) error_ = n.error();
    if (!n || *n == 0) break;
    filled += *n;
  }
  head_.bytes.resize(filled);
}

}  // namespace weft::io
