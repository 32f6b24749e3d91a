#include "core/formats/profiles/orbit/orbit_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/orbit/orbit_player.h"

namespace weft::formats {
namespace {

constexpr std::string_view kOrbitMagic = "ORBT";
constexpr size_t kOrbitHeaderBytes = 24;

class OrbitReader {
 public:
  OrbitReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink),
        window_(source, sink),
        player_(sink, memory_bytes),
        most_bytes_(memory_bytes) {}

  Status read() {
    WEFT_TRY(read_header());
    sink_.set_time_base(TimeBase::kNanoseconds);
    bool is_finished = false;
    while (!is_finished && window_.is_wanted()) {
      const auto message = take_message();
      if (!message) break;
      is_finished = player_.add(*message, message_at_);
      window_.skip(message->size());
    }
    if (is_finished && sections_at_ >= window_.offset()) read_sections();
    window_.finish("an event");
    if (!is_finished && sink_.keep_going())
      sink_.loss("capture that was not finished", window_.offset());
    player_.finish();
    return {};
  }

 private:
  Status read_header() {
    const auto head = window_.peek(kOrbitHeaderBytes);
    if (!head) return fail("is a capture of Orbit that ends within its header");
    std::string_view header = head->substr(kOrbitMagic.size());
    const uint32_t version = *take_little<uint32_t>(header);
    if (version != 1)
      return fail(fmt::format("is a capture of Orbit of version {}; version 1 is read", version));
    const uint64_t capture_at = *take_little<uint64_t>(header);
    sections_at_ = *take_little<uint64_t>(header);
    window_.skip(std::max<uint64_t>(capture_at, kOrbitHeaderBytes));
    return {};
  }

  // The bytes of the next message, which stay unread; nothing where there is none.
  std::optional<std::string_view> take_message() {
    constexpr size_t kMostSizeBytes = 10;
    while (true) {
      if (sections_at_ != 0 && window_.offset() >= sections_at_) return std::nullopt;
      std::string_view head = window_.peek_most(kMostSizeBytes);
      const size_t before = head.size();
      const auto size = take_varint(head);
      if (!size) {
        if (before == kMostSizeBytes) {
          sink_.loss("what does not begin as an event", window_.offset());
          window_.skip(UINT64_MAX);
        }
        return std::nullopt;
      }
      message_at_ = window_.offset();
      window_.skip(before - head.size());
      if (*size <= most_bytes_) return window_.peek(static_cast<size_t>(*size));
      sink_.loss("event that is larger than the memory (--memory)", message_at_);
      if (!window_.skip(*size)) return std::nullopt;
    }
  }

  struct Section {
    uint64_t kind = 0, offset = 0, size = 0;
  };

  // Behind the events: a list of sections, each somewhere in the file; those behind the list are
  // read, which is where what the user added lies.
  void read_sections() {
    constexpr uint64_t kMostSections = 65535;
    constexpr size_t kCountBytes = 8, kSectionBytes = 24;
    window_.skip(sections_at_ - window_.offset());
    const auto count_text = window_.peek(kCountBytes);
    if (!count_text) return sink_.loss("list of sections that is not there", window_.offset());
    std::string_view count_bytes = *count_text;
    const uint64_t count = *take_little<uint64_t>(count_bytes);
    window_.skip(kCountBytes);
    if (count > kMostSections) return sink_.loss("list of too many sections", window_.offset());
    std::vector<Section> sections;
    for (uint64_t i = 0; i < count; ++i) {
      const auto text = window_.peek(kSectionBytes);
      if (!text) return sink_.loss("list of sections that is cut", window_.offset());
      std::string_view bytes = *text;
      sections.push_back({*take_little<uint64_t>(bytes), *take_little<uint64_t>(bytes),
                          *take_little<uint64_t>(bytes)});
      window_.skip(kSectionBytes);
    }
    std::ranges::stable_sort(sections, {}, &Section::offset);
    for (const Section& section : sections) read_section(section);
    window_.skip(UINT64_MAX);
  }

  void read_section(const Section& section) {
    constexpr uint64_t kUserData = 1;
    if (section.kind != kUserData) {
      sink_.loss("section of an unknown kind", section.offset);
      return;
    }
    sink_.set_metadata("user data", fmt::format("{} bytes", section.size));
    if (section.offset < window_.offset() || section.size > most_bytes_) return;
    window_.skip(section.offset - window_.offset());
    std::string_view bytes = window_.peek_most(static_cast<size_t>(section.size));
    const auto size = take_varint(bytes);
    if (!size || bytes.size() < *size)
      return sink_.loss("user data that is damaged", section.offset);
    player_.add_user_data(bytes.substr(0, static_cast<size_t>(*size)));
  }

  trace::EventSink& sink_;
  ByteWindow window_;
  orbit::Player player_;
  uint64_t most_bytes_;
  uint64_t sections_at_ = 0, message_at_ = 0;
};

}  // namespace

int sniff_orbit(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kOrbitMagic) ? 100 : 0;
}

Status read_orbit(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  return OrbitReader(source, sink, context.memory_bytes).read();
}

}  // namespace weft::formats
