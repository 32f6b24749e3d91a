// Trace Event JSON that a program logged, one event a message, read as a Chrome trace of its own:
// it is held in a nameless file until all messages are known. Where the log has times, these are
// the events': what messages say of it is of other clocks, in microseconds or nanoseconds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/formats.h"
#include "core/io/temporary_file.h"
#include "core/trace/event_sink.h"

namespace weft::formats::chrome_json {

class LoggedJson {
 public:
  // Adds a message of that time (nanoseconds). Anything but an object with "ph" is ignored. Returns
  // what the message contributes to the parameters of its event:
  // `"ph":"B","cat":"io","evName":"read"`; valid until the next call.
  std::string_view add(std::string_view message, Time time);
  // Adds all events of a line, whatever separates them; returns their number.
  size_t add_each(std::string_view line);
  // Reads what was added into the sink; does nothing if it is empty.
  Status finish(trace::EventSink& sink, const ReadContext& context);

 private:
  bool load(std::string_view message);
  bool take(std::string_view object);
  void set_time(std::string_view object, Time time);
  std::string_view fields_of(const json::RawValue& object);

  io::TemporaryFile file_;
  bool has_any_ = false, is_failed_ = false;
  std::string text_, timed_, fields_;  // kept for their memory
};

}  // namespace weft::formats::chrome_json
