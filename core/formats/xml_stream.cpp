#include "core/formats/xml_stream.h"

#include <expat.h>
#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

namespace weft::formats {
namespace {

constexpr size_t kBlockBytes = 64 << 10;
constexpr size_t kPieceBytes = 4 << 10;
constexpr size_t kMostDepth = 256;  // of elements

}  // namespace

void XmlStream::FreeParser::operator()(XML_ParserStruct* parser) const { XML_ParserFree(parser); }

XmlStream::XmlStream(trace::EventSink& sink) : sink_(sink), parser_(XML_ParserCreate(nullptr)) {
  begin_document(0);
}

void XmlStream::begin_document(uint64_t offset) {
  XML_ParserReset(parser_.get(), nullptr);
  document_offset_ = offset;
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
  std::string block(kBlockBytes, 0);
  bool is_over = false;
  while (!is_over && sink_.keep_going()) {
    const auto n = source.read(std::as_writable_bytes(std::span(block)));
    if (!n) {
      sink_.loss("input ends early: " + n.error().message, source.offset());
      break;
    }
    is_over = *n == 0;
    if (!parse({block.data(), *n}, is_over)) {
      if (!has_events()) return fail(fmt::format("{} (byte {})", reason(), offset()));
      sink_.loss("XML that cannot be read on: " + reason(), offset());
      break;
    }
    sink_.progress(source.disk_bytes_read(), source.disk_bytes_total());
  }
  return {};
}

// In pieces: of one in which a document ends, what stands behind it is parsed again.
bool XmlStream::parse(std::string_view block, bool is_last) {
  do {
    const std::string_view piece = block.substr(0, kPieceBytes);
    const bool is_over = is_last && piece.size() == block.size();
    if (XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), is_over ? 1 : 0) ==
        XML_STATUS_OK) {
      block.remove_prefix(piece.size());
      continue;
    }
    if (XML_GetErrorCode(parser_.get()) != XML_ERROR_JUNK_AFTER_DOC_ELEMENT) return false;
    // What the parser still holds: the piece's rest, and what of the piece before belongs to it.
    int at = 0, size = 0;
    const char* const held = XML_GetInputContext(parser_.get(), &at, &size);
    if (held == nullptr) return false;
    const std::string rest(held + at, static_cast<size_t>(size - at));
    begin_document(offset());
    block.remove_prefix(piece.size());
    if (!parse(rest, is_last && block.empty())) return false;
  } while (!block.empty());
  return true;
}

uint64_t XmlStream::offset() const {
  return document_offset_ +
         static_cast<uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_.get())));
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
