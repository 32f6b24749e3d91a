#include "core/formats/embedded/ghw/ghw_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/formats/base/text.h"
#include "core/formats/embedded/ghw/ghw_input.h"
#include "core/formats/embedded/ghw/ghw_signals.h"
#include "core/formats/embedded/ghw/ghw_types.h"
#include "core/formats/embedded/vcd/vcd_time_scale.h"

namespace weft::formats {
namespace {

using ghw::mark_of;

constexpr std::string_view kGhwMagic = "GHDLwave\n";

class GhwReader {
 public:
  GhwReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink),
        window_(source, sink),
        input_(window_),
        signals_(sink),
        most_bytes_(memory_bytes) {}

  // Without names and types nothing can be said of what follows; behind them, what is there is
  // kept.
  Status read() {
    WEFT_TRY(read_header());
    while (window_.is_wanted()) {
      const uint64_t offset = input_.offset();
      const ghw::Input::Mark mark = input_.mark();
      has_end_ |= mark == mark_of("DIR");  // what follows says where all was
      if (input_.has_ended() || has_end_) break;
      const Status status = read_section(mark, offset);
      if (!status && !has_signals_) return status;
      if (!status) give_up(status.error().message);
      if (input_.has_ended()) give_up("input ends within a section");
    }
    if (!has_signals_) return fail("is a GHW waveform that ends before its signals");
    if (!input_.has_ended()) window_.skip(UINT64_MAX);
    has_end_ ? window_.finish("a section") : window_.finish("a section", "its directory");
    signals_.finish(now_);
    return {};
  }

 private:
  static constexpr vcd::TimeScale kScale{
      .base = TimeBase::kPicoseconds, .times = 1, .divided_by = 1000};

  // The magic; its own length; two of the version; the order of bytes; lengths of words and
  // offsets.
  Status read_header() {
    constexpr uint8_t kLength = 16, kNewest = 1, kBigEndian = 2;
    window_.skip(kGhwMagic.size());
    const uint8_t length = input_.byte(), major = input_.byte();
    version_ = input_.byte();
    input_.set_big_endian(input_.byte() == kBigEndian);
    input_.fixed<uint16_t>();
    input_.byte();
    if (length != kLength || major != 0 || version_ > kNewest)
      return fail(
          fmt::format("is a GHW waveform of version {}.{}, which is not known", major, version_));
    return {};
  }

  Status read_section(ghw::Input::Mark mark, uint64_t offset) {
    constexpr auto kHeaders = std::to_array(
        {mark_of("STR"), mark_of("TYP"), mark_of("WKT"), mark_of("HIE"), mark_of("SNP")});
    if (std::ranges::find(kHeaders, mark) != kHeaders.end()) input_.fixed<uint32_t>();  // zero
    if (mark == mark_of("STR")) {
      WEFT_TRY_ASSIGN(names_, ghw::read_names(input_, most_bytes_));
    } else if (mark == mark_of("TYP")) {
      WEFT_TRY_ASSIGN(types_, ghw::read_types(input_, names_, version_));
    } else if (mark == mark_of("WKT")) {  // which types are known well: their values say it, too
      while (input_.byte() != 0) input_.varint();
    } else if (mark == mark_of("HIE")) {
      has_signals_ = true;
      sink_.set_time_base(kScale.base);
      WEFT_TRY(signals_.declare_all(input_, names_, types_));
    } else if (mark == mark_of("SNP")) {
      read_snapshot();
    } else if (mark == mark_of("CYC")) {
      read_cycles();
    } else if (mark != mark_of("EOH")) {
      return fail(fmt::format("has a section that is not known (byte {})", offset));
    }
    return {};
  }

  // All values.
  void read_snapshot() {
    set_time(input_.fixed<int64_t>());
    for (size_t i = 0; i < signals_.count() && !input_.has_ended(); ++i) signals_.change(i, input_);
    if (!input_.has_ended()) signals_.show(now_, input_.offset());
    expect(mark_of("ESN"));
  }

  // Steps to the scalars that change, time by time.
  void read_cycles() {
    auto femtoseconds = input_.fixed<uint64_t>();
    while (window_.is_wanted()) {
      set_time(static_cast<int64_t>(femtoseconds));
      uint64_t next = 0;
      for (uint64_t step = input_.varint(); step != 0; step = input_.varint()) {
        next += step;
        if (next > signals_.count() || next < step)
          return give_up("change of a signal that is not there, and what follows");
        signals_.change(static_cast<size_t>(next - 1), input_);
      }
      if (input_.has_ended()) return;
      signals_.show(now_, input_.offset());
      const int64_t step = input_.signed_varint();
      if (step < 0) return expect(mark_of("ECY"));
      femtoseconds += static_cast<uint64_t>(step);
    }
  }

  void set_time(int64_t femtoseconds) {
    const auto ticks = kScale.ticks_of(femtoseconds);
    if (ticks->is_rounded) sink_.note("time rounded down to the unit", input_.offset());
    if (ticks->time < now_) sink_.note("time that runs backwards", input_.offset());
    now_ = std::max(now_, ticks->time);
  }

  void expect(ghw::Input::Mark mark) {
    if (!input_.has_ended() && input_.mark() != mark && !input_.has_ended())
      give_up("section that does not end where it should, and what follows");
  }
  // There is no way to what follows.
  void give_up(std::string_view what) {
    sink_.loss(what, input_.offset());
    window_.skip(UINT64_MAX);
    has_end_ = true;  // if there is one, it was skipped
  }

  trace::EventSink& sink_;
  ByteWindow window_;
  ghw::Input input_;
  ghw::Signals signals_;
  ghw::Names names_;
  std::vector<ghw::TypeRef> types_;
  uint64_t most_bytes_;
  uint8_t version_ = 0;
  bool has_signals_ = false, has_end_ = false;
  Time now_{0};
};

}  // namespace

int sniff_ghw(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kGhwMagic) ? 100 : 0;
}

Status read_ghw(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  return GhwReader(source, sink, context.memory_bytes).read();
}

}  // namespace weft::formats
