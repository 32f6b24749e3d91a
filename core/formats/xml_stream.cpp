#include "core/formats/xml_stream.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft::formats {
namespace {

constexpr int kBlockBytes = 64 << 10;
constexpr size_t kMostDepth = 256;  // of elements

}  // namespace

void XmlStream::FreeParser::operator()(XML_ParserStruct* parser) const { XML_ParserFree(parser); }

XmlStream::XmlStream(trace::EventSink& sink) : sink_(sink), parser_(XML_ParserCreate(nullptr)) {
  XML_SetUserData(parser_.get(), this);
  XML_SetStartElementHandler(parser_.get(),
                             [](void* data, const char* name, const char** attributes) {
                               auto* const self = static_cast<XmlStream*>(data);
                               if (++self->depth_ > kMostDepth)
                                 return self->stop("elements are nested too deep");
                               self->begin_element(name, attributes);
                             });
  XML_SetEndElementHandler(parser_.get(), [](void* data, const char*) {
    auto* const self = static_cast<XmlStream*>(data);
    if (!self->stopped_.empty()) return;  // the end of the element that was refused
    self->end_element();
    --self->depth_;
  });
  XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
    static_cast<XmlStream*>(self)->add_text({text, static_cast<size_t>(size)});
  });
  XML_SetStartDoctypeDeclHandler(
      parser_.get(), [](void* self, const char*, const char*, const char*, int) {
        static_cast<XmlStream*>(self)->stop("a document type declaration is refused");
      });
}

Status XmlStream::read(io::Source& source) {
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
      if (!has_events()) return fail(fmt::format("{} (byte {})", reason(), offset()));
      sink_.loss("XML that cannot be read on: " + reason(), offset());
      break;
    }
    sink_.progress(source.disk_bytes_read(), source.disk_bytes_total());
  }
  return {};
}

uint64_t XmlStream::offset() const {
  return static_cast<uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_.get())));
}

uint64_t XmlStream::end_offset() const {
  return offset() + static_cast<uint64_t>(XML_GetCurrentByteCount(parser_.get()));
}

std::string XmlStream::reason() const {
  return stopped_.empty() ? XML_ErrorString(XML_GetErrorCode(parser_.get())) : stopped_;
}

void XmlStream::stop(std::string why) {
  stopped_ = std::move(why);
  XML_StopParser(parser_.get(), XML_FALSE);
}

}  // namespace weft::formats
