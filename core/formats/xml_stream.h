// A stream of XML taken apart element by element (expat): nothing of the document is kept. A
// document type declaration ends the reading: without one there are no entities to expand; elements
// that are nested too deep do, too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

struct XML_ParserStruct;

namespace weft::formats {

class XmlStream {
 public:
  // Reads until the source or the sink's wish ends, and tells the sink of the progress. Documents
  // may stand one behind the other, as a log has them that is only ever appended to. An error of
  // the XML is an error where `has_events` says that nothing came out of it so far, else a loss.
  Status read(io::Source& source);

 protected:
  explicit XmlStream(trace::EventSink& sink);
  ~XmlStream() = default;

  // `attributes`: names and values in turn, then a null.
  virtual void begin_element(std::string_view name, const char** attributes) = 0;
  virtual void end_element() = 0;
  virtual void add_text(std::string_view text) = 0;  // a piece of the innermost element's
  virtual bool has_events() const = 0;

  trace::EventSink& sink() { return sink_; }
  uint64_t offset() const;                 // of what is being told
  uint64_t end_offset() const;             // behind it
  size_t depth() const { return depth_; }  // of the element; the root's is 1

 private:
  struct FreeParser {
    void operator()(XML_ParserStruct* parser) const;
  };

  void begin_document(uint64_t offset);
  bool parse(std::string_view block, bool is_last);
  std::string reason() const;
  void stop(std::string why);

  trace::EventSink& sink_;
  std::unique_ptr<XML_ParserStruct, FreeParser> parser_;
  uint64_t document_offset_ = 0;  // of the present document in the input
  std::string stopped_;           // why we stopped the parser
  size_t depth_ = 0;
};

}  // namespace weft::formats
