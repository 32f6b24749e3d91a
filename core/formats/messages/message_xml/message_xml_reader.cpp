#include "core/formats/messages/message_xml/message_xml_reader.h"

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/text.h"
#include "core/formats/base/xml_stream.h"
#include "core/formats/messages/log/message_event.h"

namespace weft::formats {
namespace {

class MessageXmlReader final : public XmlStream {
 public:
  MessageXmlReader(trace::EventSink& sink, uint64_t max_bytes)
      : XmlStream(sink), log_(sink, max_bytes), max_event_bytes_(max_bytes) {}

  void finish() { log_.finish(); }

 private:
  bool has_events() const override { return log_.events() > 0; }

  void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) override {
    if (event_depth_ > 0) {
      text_.clear();
      path_ends_.push_back(path_.size());
      if (!path_.empty()) path_ += '.';
      path_ += name;
      return;
    }
    const bool is_event = name == "MessageEvent";
    if (is_event) begin_event();
    for (const auto& [key, value] : attributes) {
      if (is_event) {
        add_field(key, value);
      } else if (depth() == 1) {
        log_.set_metadata(key, value);
      }
    }
  }

  void begin_event() {
    event_.clear();
    event_depth_ = depth();
    event_offset_ = offset();
    event_bytes_ = 0;
  }

  void end_element() override {
    if (event_depth_ == depth()) {
      end_event();
    } else if (event_depth_ > 0) {
      add_field(path_, trimmed(text_));
      path_.resize(path_ends_.back());
      path_ends_.pop_back();
      text_.clear();
    }
  }

  void end_event() {
    event_depth_ = 0;
    if (event_bytes_ > max_event_bytes_) {
      sink().loss("message event too long", event_offset_);
    } else {
      log_.add(event_, event_offset_);
    }
  }

  void add_field(std::string_view name, std::string_view value) {
    if (!value.empty()) event_.fields.emplace_back(name, value);
  }

  void add_text(std::string_view text) override {
    if (event_depth_ == 0) return;
    event_bytes_ += text.size();
    if (event_bytes_ <= max_event_bytes_) text_ += text;
  }

  messages::MessageEventLog log_;
  uint64_t max_event_bytes_;
  size_t event_depth_ = 0;  // of the element of the event; 0: outside
  uint64_t event_offset_ = 0;
  uint64_t event_bytes_ = 0;  // of its text
  messages::MessageEvent event_;
  std::string path_;               // of the element inside the event: "outer.inner"
  std::vector<size_t> path_ends_;  // its lengths before each of its elements
  std::string text_;               // of the innermost element
};

}  // namespace

int sniff_message_xml(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  if (!trimmed(text).starts_with('<')) return 0;
  return text.find("<MessageEvent") != std::string_view::npos ? 88 : 0;
}

Status read_message_xml(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  MessageXmlReader reader(sink, context.memory_bytes);
  WEFT_TRY(reader.read(source));
  reader.finish();
  return {};
}

}  // namespace weft::formats
