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
      texts_.resize(text_begin_);
      path_ends_.push_back(path_.size());
      if (!path_.empty()) path_ += '.';
      path_ += name;
      return;
    }
    const bool is_event = name == "MessageEvent";
    if (is_event) begin_event();
    for (const auto& [key, value] : attributes) {
      if (is_event) {
        texts_ += value;
        add_field(key, value.size());
      } else if (depth() == 1) {
        log_.set_metadata(key, value);
      }
    }
  }

  void begin_event() {
    fields_.clear();
    texts_.clear();
    text_begin_ = 0;
    event_depth_ = depth();
    event_offset_ = offset();
    event_bytes_ = 0;
  }

  void end_element() override {
    if (event_depth_ == depth()) {
      end_event();
    } else if (event_depth_ > 0) {
      add_trimmed_field();
      path_.resize(path_ends_.back());
      path_ends_.pop_back();
    }
  }

  void end_event() {
    event_depth_ = 0;
    if (event_bytes_ > max_event_bytes_) {
      sink().loss("message event too long", event_offset_);
    } else {
      event_.clear();
      for (const Place& at : fields_) {
        const std::string_view all = std::string_view(texts_).substr(at.begin);
        event_.fields.emplace_back(all.substr(at.value_size, at.name_size),
                                   all.substr(0, at.value_size));
      }
      log_.add(event_, event_offset_);
    }
  }

  void add_trimmed_field() {
    const std::string_view value = trimmed(std::string_view(texts_).substr(text_begin_));
    text_begin_ = static_cast<size_t>(value.data() - texts_.data());
    texts_.resize(text_begin_ + value.size());
    add_field(path_, value.size());
  }

  // The value is what the texts end with, from text_begin_ on.
  void add_field(std::string_view name, size_t value_size) {
    if (value_size == 0) return;
    fields_.push_back({text_begin_, value_size, name.size()});
    texts_ += name;
    text_begin_ = texts_.size();
  }

  void add_text(std::string_view text) override {
    if (event_depth_ == 0) return;
    event_bytes_ += text.size();
    if (event_bytes_ <= max_event_bytes_) texts_ += text;
  }

  // Of a field: its value, followed by its name, in texts_.
  struct Place {
    size_t begin, value_size, name_size;
  };

  messages::MessageEventLog log_;
  uint64_t max_event_bytes_;
  size_t event_depth_ = 0;  // of the element of the event; 0: outside
  uint64_t event_offset_ = 0;
  uint64_t event_bytes_ = 0;  // of its text
  std::vector<Place> fields_;
  std::string texts_;      // of the event
  size_t text_begin_ = 0;  // of the innermost element's, the last of them
  messages::MessageEvent event_;
  std::string path_;               // of the element inside the event: "outer.inner"
  std::vector<size_t> path_ends_;  // its lengths before each of its elements
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
