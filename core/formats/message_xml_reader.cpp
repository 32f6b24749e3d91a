#include "core/formats/message_xml_reader.h"

#include <expat.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/formats/messages/message_event.h"
#include "core/formats/text.h"

namespace weft::formats {
namespace {

constexpr int kBlockBytes = 64 << 10;
constexpr size_t kMostDepth = 256;  // of elements

struct FreeParser {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};
using Parser = std::unique_ptr<std::remove_pointer_t<XML_Parser>, FreeParser>;

class MessageXmlReader {
 public:
  MessageXmlReader(trace::EventSink& sink, uint64_t max_bytes)
      : sink_(sink),
        log_(sink, max_bytes),
        max_event_bytes_(max_bytes),
        parser_(XML_ParserCreate(nullptr)) {
    XML_SetUserData(parser_.get(), this);
    XML_SetStartElementHandler(
        parser_.get(), [](void* self, const char* name, const char** attributes) {
          static_cast<MessageXmlReader*>(self)->begin_element(name, attributes);
        });
    XML_SetEndElementHandler(parser_.get(), [](void* self, const char*) {
      static_cast<MessageXmlReader*>(self)->end_element();
    });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
      static_cast<MessageXmlReader*>(self)->add_text({text, static_cast<size_t>(size)});
    });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const char*, const char*, const char*, int) {
          static_cast<MessageXmlReader*>(self)->stop("a document type declaration is refused");
        });
  }

  Status read(io::Source& source) {
    bool is_over = false;
    while (!is_over && sink_.keep_going()) {
      void* const buffer = XML_GetBuffer(parser_.get(), kBlockBytes);
      if (buffer == nullptr) return fail("no memory for the XML parser");
      const auto n = source.read({static_cast<std::byte*>(buffer), kBlockBytes});
      if (!n) {
        sink_.loss("input ends early: " + n.error().message, source.offset());
        break;
      }
      is_over = *n == 0;
      if (XML_ParseBuffer(parser_.get(), static_cast<int>(*n), is_over ? 1 : 0) != XML_STATUS_OK) {
        if (log_.events() == 0) return fail(fmt::format("{} (byte {})", reason(), offset()));
        sink_.loss("XML that cannot be read on: " + reason(), offset());
        break;
      }
      sink_.progress(source.disk_bytes_read(), source.disk_bytes_total());
    }
    log_.finish();
    return {};
  }

 private:
  uint64_t offset() const {
    return static_cast<uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_.get())));
  }
  std::string reason() const {
    return stopped_.empty() ? XML_ErrorString(XML_GetErrorCode(parser_.get())) : stopped_;
  }
  void stop(std::string why) {
    stopped_ = std::move(why);
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void begin_element(const char* name, const char** attributes) {
    if (++depth_ > kMostDepth) return stop("elements are nested too deep");
    if (event_depth_ > 0) {
      text_.clear();
      path_ends_.push_back(path_.size());
      if (!path_.empty()) path_ += '.';
      path_ += name;
      return;
    }
    const bool is_event = std::string_view(name) == "MessageEvent";
    if (is_event) begin_event();
    for (; *attributes != nullptr; attributes += 2) {
      if (is_event) {
        add_field(attributes[0], attributes[1]);
      } else if (depth_ == 1) {
        log_.set_metadata(attributes[0], attributes[1]);
      }
    }
  }

  void begin_event() {
    event_.clear();
    event_depth_ = depth_;
    event_offset_ = offset();
    event_bytes_ = 0;
  }

  void end_element() {
    if (event_depth_ == depth_) {
      end_event();
    } else if (event_depth_ > 0) {
      add_field(path_, trimmed(text_));
      path_.resize(path_ends_.back());
      path_ends_.pop_back();
      text_.clear();
    }
    --depth_;
  }

  void end_event() {
    event_depth_ = 0;
    if (event_bytes_ > max_event_bytes_) {
      sink_.loss("message event too long", event_offset_);
    } else {
      log_.add(event_, event_offset_);
    }
  }

  void add_field(std::string_view name, std::string_view value) {
    if (!value.empty()) event_.fields.emplace_back(name, value);
  }

  void add_text(std::string_view text) {
    if (event_depth_ == 0) return;
    event_bytes_ += text.size();
    if (event_bytes_ <= max_event_bytes_) text_ += text;
  }

  trace::EventSink& sink_;
  messages::MessageEventLog log_;
  uint64_t max_event_bytes_;
  Parser parser_;
  std::string stopped_;  // why we stopped the parser
  size_t depth_ = 0;
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
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '<') return 0;
  return text.find("<MessageEvent") != std::string_view::npos ? 88 : 0;
}

Status read_message_xml(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  return MessageXmlReader(sink, context.memory_bytes).read(source);
}

}  // namespace weft::formats
