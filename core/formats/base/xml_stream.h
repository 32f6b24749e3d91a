// A stream of XML taken apart element by element: nothing of the document is kept. It may be in
// UTF-8, ASCII or Latin-1 (a source makes UTF-8 of UTF-16).
//
// No entities but XML's own five and those of characters: a document type declaration that names a
// DTD is passed over, one that brings declarations ends the reading, as elements that are nested
// too deep do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/general/chrome_json/text_window.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// Views, valid while they are told.
struct XmlAttribute {
  std::string_view name, value;
};

class XmlStream {
 public:
  // Reads until the source or the sink's wish ends, and tells the sink of the progress. Documents
  // may stand one behind the other, as a log has them that is only ever appended to. An error of
  // the XML is an error where `has_events` says that nothing came out of it so far, else a loss.
  Status read(io::Source& source);

 protected:
  explicit XmlStream(trace::EventSink& sink) : sink_(sink) {}
  ~XmlStream() = default;

  virtual void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) = 0;
  virtual void end_element() = 0;
  virtual void add_text(std::string_view text) = 0;  // a piece of the innermost element's
  virtual bool has_events() const = 0;

  trace::EventSink& sink() { return sink_; }
  uint64_t offset() const { return offset_; }                     // of what is being told
  uint64_t end_offset() const { return offset_ + token_bytes_; }  // behind it
  size_t depth() const { return depth_; }                         // of the element; the root's is 1

 private:
  struct Tag;

  void take_tokens(chrome_json::TextWindow& window, bool is_last);
  // Each takes what the text begins with, which zero bytes follow, and gives its size; 0: it is
  // cut, or the reading has stopped.
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
  std::vector<std::string> open_;  // names of elements, by depth; kept for their memory
  std::vector<XmlAttribute> attributes_;
  std::string decoded_;    // what of the token is not as it is written
  std::string_view stop_;  // why the reading stopped
  uint64_t stop_offset_ = 0;
};

}  // namespace weft::formats
