#include "core/formats/profiles/ghc/ghc_reader.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/ghc/ghc_event.h"
#include "core/formats/profiles/ghc/ghc_player.h"
#include "core/formats/stacks/time_order.h"

namespace weft::formats {
namespace {

using ghc::Event;
using std::string_view_literals::operator""sv;

constexpr std::string_view kHeader = "hdrbhetb";
constexpr size_t kMarkBytes = 4;

class GhcReader {
 public:
  GhcReader(io::Source& source, trace::EventSink& sink, const ReadContext& context)
      : window_(source, sink),
        sink_(sink),
        player_(sink),
        most_bytes_(context.memory_bytes / 4),
        order_(context.memory_bytes / 4) {}

  Status read() {
    WEFT_TRY(read_header());
    while (window_.is_wanted() && read_event()) {
    }
    if (is_given_up_) {
      window_.finish("an event");
    } else if (!is_ended_) {
      window_.finish("an event", "the mark of its end");
    }
    order_.finish([this](const Event& event) { player_.play(event); });
    if (order_.late() > 0)
      sink_.note("event later than the window of order", trace::LossPlace::nowhere(),
                 order_.late());
    player_.finish();
    return {};
  }

 private:
  static constexpr size_t kSizeInEvent = 0xFFFF;

  Status read_header() {
    const auto head = window_.peek(kHeader.size());
    if (!head || *head != kHeader) return fail("does not begin as an event log of GHC does");
    window_.skip(kHeader.size());
    while (take_mark() == "etb\0"sv) WEFT_TRY(read_type());
    constexpr size_t kRestOfHeader = 2 * kMarkBytes;  // "hdre" "datb", behind "hete"
    if (!window_.peek(kRestOfHeader)) return fail("ends within its header");
    window_.skip(kRestOfHeader);
    return {};
  }

  std::string_view take_mark() {
    const auto mark = window_.peek(kMarkBytes);
    mark_ = mark.value_or(std::string_view());
    window_.skip(mark_.size());
    return mark_;
  }

  Status read_type() {
    constexpr size_t kFixed = 8;
    const auto head = window_.peek(kFixed);
    if (!head) return fail("ends within its header");
    std::string_view bytes = *head;
    const uint16_t number = *take_big<uint16_t>(bytes), size = *take_big<uint16_t>(bytes);
    window_.skip(kFixed - sizeof(uint32_t));
    sizes_[number] = size;
    WEFT_TRY_ASSIGN(const std::string description, take_text());
    player_.describe(number, valid_utf8(description));
    if (const auto more = take_text(); !more) return std::unexpected(more.error());
    if (take_mark() != "ete\0"sv) return fail("has a damaged list of types of events");
    return {};
  }

  Result<std::string> take_text() {
    constexpr size_t kMostBytes = 64 << 10;
    const auto head = window_.peek(sizeof(uint32_t));
    if (!head) return fail("ends within its header");
    std::string_view bytes = *head;
    const uint32_t size = *take_big<uint32_t>(bytes);
    if (size > kMostBytes) return fail("has a damaged list of types of events");
    const auto text = window_.peek(sizeof(uint32_t) + size);
    if (!text) return fail("ends within its header");
    std::string out(text->substr(sizeof(uint32_t)));
    window_.skip(sizeof(uint32_t) + size);
    return out;
  }

  // Returns false at the end.
  bool read_event() {
    constexpr size_t kFixed = sizeof(uint16_t) + sizeof(uint64_t);
    const auto begin = window_.peek(sizeof(uint16_t));
    if (!begin) return false;
    std::string_view bytes = *begin;
    const uint16_t type = *take_big<uint16_t>(bytes);
    if (type == ghc::kEnd) {
      is_ended_ = true;
      return false;
    }
    const auto known = sizes_.find(type);
    if (known == sizes_.end()) {
      // How long it is nobody says.
      sink_.loss("event of a type that the header does not have", window_.offset());
      window_.skip(UINT64_MAX);
      is_given_up_ = true;
      return false;
    }
    const bool is_sized = known->second == kSizeInEvent;
    const size_t head_bytes = kFixed + (is_sized ? sizeof(uint16_t) : 0);
    const auto head = window_.peek(head_bytes);
    if (!head) return false;
    bytes = head->substr(sizeof(uint16_t));
    const uint64_t time = *take_big<uint64_t>(bytes);
    size_t size = is_sized ? *take_big<uint16_t>(bytes) : known->second;
    const auto whole = window_.peek(head_bytes + size);
    if (!whole) return false;
    if (type == ghc::kInfoTable) size = size_of_info_table(whole->substr(head_bytes, size));
    add(type, time, whole->substr(head_bytes, size));
    return window_.skip(head_bytes + size);
  }

  // An address and six texts. GHC 9.6 says that they have a byte more.
  static size_t size_of_info_table(std::string_view payload) {
    size_t end = sizeof(uint64_t) - 1;
    for (int texts = 0; texts < 6 && end < payload.size(); ++texts)
      end = payload.find('\0', end + 1);
    return end < payload.size() ? end + 1 : payload.size();
  }

  void add(uint16_t type, uint64_t time, std::string_view payload) {
    constexpr auto kLatest = static_cast<uint64_t>(Time::max().ticks);
    if (type == ghc::kBlock) return begin_block(payload);
    if (window_.offset() >= block_end_) capability_ = ghc::kNoCapability;
    kept_bytes_ += payload.size();
    const auto play = [this](const Event& event) {
      kept_bytes_ -= event.payload.size();
      player_.play(event);
    };
    order_.add({.time = Time{static_cast<int64_t>(std::min(time, kLatest))},
                .offset = window_.offset(),
                .capability = capability_,
                .type = type,
                .payload = std::string(payload)},
               play);
    if (kept_bytes_ > most_bytes_) order_.give_half(play);
  }

  // The events of one capability, in so many bytes from the block's own begin.
  void begin_block(std::string_view payload) {
    constexpr uint16_t kNone = 0xFFFF;
    const auto size = take_big<uint32_t>(payload);
    take_big<uint64_t>(payload);
    const auto capability = take_big<uint16_t>(payload);
    if (!size || !capability) return;
    block_end_ = window_.offset() + *size;
    capability_ = *capability == kNone ? ghc::kNoCapability : *capability;
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  ghc::Player player_;
  const uint64_t most_bytes_;
  uint64_t kept_bytes_ = 0;  // of payloads that wait
  stacks::TimeOrder<Event> order_;
  std::map<uint16_t, uint16_t> sizes_;
  std::string mark_;
  uint32_t capability_ = ghc::kNoCapability;
  uint64_t block_end_ = 0;
  bool is_ended_ = false, is_given_up_ = false;
};

}  // namespace

int sniff_ghc(std::span<const std::byte> head) {
  const std::string_view bytes = as_chars(head);
  return bytes.starts_with(kHeader) ? 100 : 0;
}

Status read_ghc(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  sink.set_time_base(TimeBase::kNanoseconds);
  return GhcReader(source, sink, context).read();
}

}  // namespace weft::formats
