// A streaming XML parser, element by element; nothing of the document is kept. Accepts UTF-8, ASCII
// and Latin-1 (sources convert UTF-16 to UTF-8).
//
// Supports only XML's five predefined entities and character references: a document type
// declaration that names a DTD is skipped; one with declarations ends the reading, as do elements
// nested too deeply.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/base/text_window.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// Views, valid during the callback.
struct XmlAttribute {
  std::string_view name, value;
};

class XmlStream {
 public:
  // Reads until the source ends or the sink stops, and reports progress. Documents may follow one
  // another, as in a log that is only appended to. An XML error is returned if `has_events` says
  // that nothing has come of it so far; otherwise it is a loss.
  Status read(io::Source& source);

 protected:
  explicit XmlStream(trace::EventSink& sink) : sink_(sink) {}
  ~XmlStream() = default;

  virtual void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) = 0;
  virtual void end_element() = 0;
  virtual void add_text(std::string_view text) = 0;  // part of the innermost element's text
  virtual bool has_events() const = 0;

  trace::EventSink& sink() { return sink_; }
  uint64_t offset() const { return offset_; }                     // of the current token
  uint64_t end_offset() const { return offset_ + token_bytes_; }  // end of the current token
  size_t depth() const { return depth_; }                         // of the element; the root's is 1

 private:
  struct Tag;

  void take_tokens(json::TextWindow& window, bool is_last);
  // Each parses the start of `text`, which zero bytes follow, and returns its size; 0: truncated,
  // or reading has stopped.
  size_t take_token(std::string_view text, bool is_last);
  size_t take_start_tag(std::string_view text);
  size_t take_end_tag(std::string_view text);
  size_t take_instruction(std::string_view text);
  size_t take_declaration(std::string_view text);
  size_t take_text(std::string_view text, bool is_last);

  bool take_attributes(Tag& tag);
  bool take_value(Tag& tag, XmlAttribute& attribute);
  bool decode_attributes();
  void tell_text(std::string_view text, bool is_plain);
  std::optional<std::string_view> decode(std::string_view text, bool is_attribute);
  void stop(std::string_view why, uint64_t offset);

  trace::EventSink& sink_;
  uint64_t offset_ = 0;  // of the token
  uint64_t token_bytes_ = 0;
  size_t depth_ = 0;
  bool has_element_ = false;
  bool is_latin1_ = false;
  std::vector<std::string> open_;  // element names by depth; kept for their memory
  std::vector<XmlAttribute> attributes_;
  std::string decoded_;    // decoded parts of the token
  std::string_view stop_;  // why the reading stopped
  uint64_t stop_offset_ = 0;
};

}  // namespace weft::formats
