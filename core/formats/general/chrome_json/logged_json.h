// Trace Event JSON that a program logged, one event a message, read as a Chrome trace of its own:
// it waits in a file without a name until all messages are known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/formats.h"
#include "core/formats/general/chrome_json/json_cursor.h"
#include "core/io/temporary_file.h"
#include "core/trace/event_sink.h"

namespace weft::formats::chrome_json {

class LoggedJson {
 public:
  // What is no object with a "ph" is no such event, and is passed over. The answer is what the
  // message adds to the parameters of its event: `"ph":"B","cat":"io","evName":"read"`; valid until
  // the next.
  std::string_view add(std::string_view message);
  // Of a line with several, one behind the other whatever stands between them: how many there were.
  size_t add_each(std::string_view line);
  // Reads what was added into the sink; nothing where nothing was.
  Status finish(trace::EventSink& sink, const ReadContext& context);

 private:
  bool load(std::string_view message);
  bool take(const RawValue& object);
  std::string_view fields_of(const RawValue& object);

  io::TemporaryFile file_;
  bool has_any_ = false, is_failed_ = false;
  std::string text_, fields_;  // kept for their memory
};

}  // namespace weft::formats::chrome_json
