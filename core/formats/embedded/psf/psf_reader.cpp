#include "core/formats/embedded/psf/psf_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/embedded/psf/player.h"
#include "core/formats/embedded/psf/session.h"
#include "core/formats/embedded/psf/snapshot.h"

namespace weft::formats {
namespace {

constexpr size_t kHeadBytes = 8, kMostEventBytes = kHeadBytes + 15 * sizeof(uint64_t);
constexpr size_t kHeaderBytes = 12;   // from which it is known as one
constexpr size_t kMostBefore = 4096;  // that may stand before the first header

// Returns where a header begins.
size_t find_header(std::string_view bytes) {
  for (size_t at = 0; at + kHeaderBytes <= bytes.size(); ++at) {
    const size_t next = bytes.find_first_of(std::string_view("\0P", 2), at);
    if (next == std::string_view::npos) break;
    at = next;
    if (psf::is_header(bytes.substr(at))) return at;
  }
  return std::string_view::npos;
}

// An event's first eight bytes.
struct Head {
  uint32_t id = 0, params = 0, count = 0, core = 0, timestamp = 0;
  size_t size = 0;  // with its parameters
};

class PsfReader {
 public:
  PsfReader(io::Source& source, trace::EventSink& sink)
      : window_(source, sink), sink_(sink), player_(sink) {}

  // So many bytes stand before the first header.
  Status read(size_t before) {
    if (before > 0) {
      sink_.loss("bytes before the recording", window_.offset(), before);
      window_.skip(before);
    }
    std::string problem;
    bool goes_on = read_session(problem);
    if (!problem.empty()) return fail(problem);
    while (goes_on && window_.is_wanted()) goes_on = read_event();
    window_.finish("an event");
    player_.finish(window_.offset());
    return {};
  }

 private:
  // Returns false if the input ends within it, or it cannot be read.
  bool read_session(std::string& problem) {
    std::string_view bytes = window_.peek_most(psf::kMostSessionBytes);
    const size_t before = bytes.size();
    psf::Session session;
    if (!psf::take_session(bytes, session, problem) || !problem.empty()) return false;
    window_.skip(before - bytes.size());
    session_ = session;
    expected_ = {};
    player_.start(session);
    for (uint64_t i = 0; i < session.entries; ++i) {
      const auto entry = window_.peek(session.entry_bytes());
      if (!entry) return false;
      player_.add_entry(psf::entry_of(*entry, session));
      window_.skip(entry->size());
      if (!window_.is_wanted()) return false;
    }
    return true;
  }

  // Returns false at the end.
  bool read_event() {
    const std::string_view bytes = window_.peek_most(kMostEventBytes + kHeaderBytes);
    if (bytes.size() >= kHeaderBytes && psf::is_header(bytes)) return read_next_session();
    const auto head = head_of(bytes);
    if (!head) return false;
    const bool follows = is_expected(*head);
    const bool is_known = player_.knows(head->id, head->params);
    if (!follows && !(is_known && bytes.size() >= head->size && goes_on(bytes.substr(head->size))))
      return synchronise();
    if (!is_known && head->params == 0 && read_own_print(*head)) return true;
    if (bytes.size() < head->size) return false;
    take_count(*head);
    player_.add(event_of(*head, bytes), window_.offset());
    return window_.skip(head->size);
  }

  bool read_next_session() {
    std::string problem;
    if (read_session(problem)) return true;
    if (problem.empty()) return false;
    sink_.loss(problem, window_.offset());
    window_.skip(1);
    return synchronise();
  }

  std::optional<Head> head_of(std::string_view bytes) const {
    constexpr uint32_t kIdBits = 12, kIdMask = (1u << kIdBits) - 1;
    if (bytes.size() < kHeadBytes) return std::nullopt;
    const auto number = [&](size_t at, size_t size) {
      return static_cast<uint32_t>(session_.layout.number(bytes, at, size));
    };
    Head out;
    const uint32_t code = number(0, 2), counter = number(2, 2);
    out.id = code & kIdMask;
    out.params = code >> kIdBits;
    out.count = session_.cores > 1 ? counter & kIdMask : counter;
    out.core = session_.cores > 1 ? counter >> kIdBits : 0;
    out.timestamp = number(4, 4);
    out.size = kHeadBytes + size_t{out.params} * session_.layout.word_bytes;
    return out;
  }

  static psf::Event event_of(const Head& head, std::string_view bytes) {
    return {head.id, head.core, head.timestamp, bytes.substr(kHeadBytes, head.size - kHeadBytes)};
  }

  uint32_t counter_mask() const { return session_.cores > 1 ? 0xFFF : 0xFFFF; }
  // The core's first is, whatever its counter.
  bool is_expected(const Head& head) const {
    const auto& expected = expected_[head.core];
    return !expected || *expected == head.count;
  }
  void take_count(const Head& head) {
    auto& expected = expected_[head.core];
    const uint32_t gap = expected ? (head.count - *expected) & counter_mask() : 0;
    if (gap > 0) player_.lose(head.core, gap, window_.offset());
    expected = next_count(head);
  }

  // Whether an event, a header or the end stands here.
  bool goes_on(std::string_view bytes) const {
    const auto next = head_of(bytes);
    if (!next || psf::order_of(bytes)) return true;
    return player_.knows(next->id, next->params) || (is_expected(*next) && expected_[next->core]);
  }

  // A program's own event: channel, count of values, length of the format, then these.
  bool read_own_print(const Head& head) {
    const uint32_t word = session_.layout.word_bytes;
    const size_t fixed = kHeadBytes + word + 4;
    const auto start = window_.peek(fixed);
    if (!start) return false;
    const uint64_t channel = session_.layout.number(*start, kHeadBytes, word);
    const auto count = static_cast<size_t>(session_.layout.number(*start, fixed - 4, 2));
    const auto length = static_cast<size_t>(session_.layout.number(*start, fixed - 2, 2));
    constexpr size_t kMostValues = 64;
    if (count > kMostValues || length == 0) return false;
    const size_t size = fixed + count * word + length;
    const std::string_view bytes = window_.peek_most(size + kHeaderBytes);
    if (bytes.size() < size) return false;
    const std::string_view format = bytes.substr(size - length, length);
    const auto is_control = [](char c) { return c > 0 && c < ' ' && c != '\n' && c != '\r'; };
    if (std::ranges::any_of(format, is_control)) return false;
    // An event without parameters is one where the next follows it.
    const Head next_of_plain = *head_of(bytes.substr(kHeadBytes));
    if (next_of_plain.core == head.core && next_of_plain.count == next_count(head)) return false;
    const auto next = head_of(bytes.substr(size));
    if (next && next->count != next_count(head) && !psf::order_of(bytes.substr(size))) return false;
    std::vector<uint64_t> values;
    values.reserve(count);
    for (size_t i = 0; i < count; ++i)
      values.push_back(session_.layout.number(bytes, fixed + i * word, word));
    take_count(head);
    player_.add_print({head.id, head.core, head.timestamp, {}}, channel, values, format);
    return window_.skip(size);
  }
  uint32_t next_count(const Head& head) const { return (head.count + 1) & counter_mask(); }

  // To the next header, or the next two events that follow each other. Returns false at the end.
  bool synchronise() {
    constexpr size_t kLookedAt = 1 << 16, kKept = 2 * kMostEventBytes;
    const uint64_t begin = window_.offset();
    uint64_t lost = 0;
    while (window_.is_wanted()) {
      const std::string_view bytes = window_.peek_most(kLookedAt);
      const bool is_last = bytes.size() < kLookedAt;
      const size_t end = is_last ? bytes.size() : bytes.size() - kKept;
      size_t at = lost == 0 ? 1 : 0;
      while (at < end && !is_start(bytes.substr(at))) ++at;
      at = std::min(at, bytes.size());
      lost += at;
      window_.skip(at);
      if (at < end || is_last) {
        sink_.loss("bytes that are not events", begin, lost);
        return at < end;
      }
    }
    return false;
  }

  bool is_start(std::string_view bytes) const {
    if (psf::is_header(bytes)) return true;
    const auto head = head_of(bytes);
    if (!head || bytes.size() < head->size || !player_.knows(head->id, head->params)) return false;
    const auto next = head_of(bytes.substr(head->size));
    if (!next || !player_.knows(next->id, next->params)) return false;
    return next->core != head->core || next->count == next_count(*head);
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  psf::Player player_;
  psf::Session session_;
  std::array<std::optional<uint32_t>, psf::kMostCores> expected_;  // counters of the next events
};

}  // namespace

int sniff_psf(std::span<const std::byte> head) {
  constexpr int kCertain = 98, kLikely = 80;
  const std::string_view bytes = as_chars(head);
  const size_t at =
      std::min(find_header(bytes.substr(0, kMostBefore + kHeaderBytes)), psf::find_snapshot(bytes));
  if (at == std::string_view::npos) return 0;
  return at == 0 ? kCertain : kLikely;
}

Status read_psf(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kMostBefore + kHeaderBytes));
  const size_t at = find_header(as_chars(head).substr(0, kMostBefore + kHeaderBytes));
  if (at == std::string_view::npos) return psf::read_snapshot(source, sink);
  return PsfReader(source, sink).read(at);
}

}  // namespace weft::formats
