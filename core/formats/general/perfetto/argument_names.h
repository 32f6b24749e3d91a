// Names of track event arguments: from `message_names.h` and, for extensions of TrackEvent by
// programs, from descriptors in the trace, from there on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/message_names.h"

namespace weft::formats::perfetto {

class ArgumentNames {
 public:
  ArgumentNames() : track_event_(names_of_message("TrackEvent")) {}
  ArgumentNames(const ArgumentNames&) = delete;
  ArgumentNames& operator=(const ArgumentNames&) = delete;

  // An ExtensionDescriptor. Returns false if it is damaged, or more than is kept (32 MiB).
  bool describe(std::string_view message);

  const MessageNames& of_track_event() const { return track_event_; }
  // Whether the trace has said anything of track events.
  bool has_described() const { return !described_.empty(); }

 private:
  // A FileDescriptorSet, a file, a message or an enumeration within `scope` (".perfetto.protos").
  bool add_files(std::string_view set, bool are_enumerations);
  bool add_file(std::string_view file, bool are_enumerations);
  bool add_message(std::string_view message, std::string_view scope, bool are_enumerations,
                   int depth);
  bool add_enumeration(std::string_view message, std::string_view scope);
  // A field of `of`; where it is null, of the message that it extends.
  bool add_field(std::string_view field, MessageNames* of);
  FieldName field_name(uint64_t type, std::string_view name, std::string_view type_name);
  // Whether there is room for so many more. A descriptor is small where it is packed, and a word
  // of an enumeration may have any number.
  bool may_keep(size_t bytes);
  std::string_view kept(std::string_view text);

  MessageNames track_event_;
  std::set<uint32_t> described_;  // its fields that the trace has described
  std::map<std::string, MessageNames, std::less<>> messages_;  // by their whole names
  std::map<std::string, std::vector<std::string_view>, std::less<>> enumerations_;
  std::deque<std::string> texts_;
  size_t kept_bytes_ = 0;
};

}  // namespace weft::formats::perfetto
