// A CTF trace made of events that were printed, so that one reader knows what events mean: a folder
// for each host, process and domain, a stream for each CPU. Fields get the types that their values
// show, and events of one name whose fields differ are classes of their own.
//
// Source: "Common Trace Format, v1.8", https://diamon.org/ctf/v1.8.3/
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/formats/kernel/ctf_text/event_line.h"
#include "core/io/temporary_file.h"

namespace weft::formats::ctf_text {

class Recording {
 public:
  static Result<std::unique_ptr<Recording>> create();

  // An event: what is lost, where there is no room for its kind or its process; else empty. The
  // line's values are changed: elements of an array become of one kind.
  std::string_view add(EventLine& line, Time time);
  // Writes what is left, once: the folders of the traces. `begin`: what times count from.
  Result<std::vector<std::filesystem::path>> finish(Time begin);

  bool has_events() const { return !traces_.empty(); }

 private:
  enum class Domain : uint8_t { kKernel, kUser, kOther };
  // A class of streams (whether per CPU, and the context of its events) or of events.
  struct Class {
    uint32_t id = 0;
    std::vector<size_t> enumerations;  // of its fields, in their order
  };
  using Classes = std::unordered_map<std::string, Class>;  // by what tells one from another
  struct Stream {
    std::filesystem::path file;
    std::string bytes;  // not yet written
  };
  struct Trace {
    std::filesystem::path folder;
    std::string origin;
    Domain domain = Domain::kOther;
    Classes stream_classes, event_classes;
    std::string declarations;                                                // of the classes
    std::vector<std::map<uint64_t, std::string>> labels;                     // of each enumeration
    std::map<std::pair<uint32_t, std::optional<uint32_t>>, Stream> streams;  // by class and CPU
  };
  // The fields of an event to write, by the positions of the values.
  struct Fields {
    std::optional<uint32_t> cpu;
    std::vector<size_t> context, payload;
  };

  explicit Recording(io::TemporaryFolder folder) : folder_(std::move(folder)) {}
  void find_fields(EventLine& line);
  static Domain domain_of(const EventLine& line, const Fields& fields);
  Trace* trace_of(const EventLine& line, const Fields& fields);
  template <class Declare>
  const Class* class_of(Trace& trace, Classes& classes, const Declare& declare);
  const Class* stream_class_of(Trace& trace, const EventLine& line, const Fields& fields);
  const Class* event_class_of(Trace& trace, const EventLine& line, const Fields& fields,
                              uint32_t stream_class);
  Stream& stream_of(Trace& trace, uint32_t stream_class, std::optional<uint32_t> cpu);
  static void note_labels(Trace& trace, const Class& its_class, const EventLine& line,
                          std::span<const size_t> members);
  void write(Stream& stream);
  std::string metadata_of(const Trace& trace, Time begin) const;

  io::TemporaryFolder folder_;
  std::map<std::string, Trace> traces_;
  size_t classes_ = 0;
  bool is_broken_ = false;  // a file could not be written
  Fields fields_;           // of the event that is added
  std::string key_;         // kept for its memory
};

}  // namespace weft::formats::ctf_text
