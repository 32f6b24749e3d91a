#include "core/formats/hpc/otf2/otf2_reader.h"

#include <fmt/core.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/hpc/otf2/otf2_callbacks.h"
#include "core/formats/hpc/otf2/otf2_library.h"
#include "core/io/mapped_file.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOtf2Magic = "OTF2";
constexpr size_t kOtf2MagicAt = 2;
constexpr size_t kCompressionAt = 29;

struct Close {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
  void operator()(OTF2_GlobalEvtReaderCallbacks* callbacks) const {
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
  }
};

// The library says on standard error what is wrong, unless somebody else does.
OTF2_ErrorCode say_nothing(void*, const char*, uint64_t, const char*, OTF2_ErrorCode code,
                           const char*, va_list) {
  return code;
}

std::vector<std::string> anchors_of(const io::Source& folder) {
  std::vector<std::string> anchors;
  for (const io::FolderFile& file : folder.files()) {
    if (fs::path(file.name).extension() == ".otf2") anchors.push_back(file.name);
  }
  return anchors;
}

// The anchor by whose name the folder was opened, or else its only one.
Result<std::string> anchor_in(const io::Source& folder) {
  const std::vector<std::string> anchors = anchors_of(folder);
  if (anchors.empty()) return fail("holds no anchor of OTF2 (NAME.otf2)");
  const auto named = std::ranges::find(anchors, folder.named_file());
  if (named != anchors.end()) return folder.path() / *named;
  if (anchors.size() == 1) return folder.path() / anchors[0];
  return fail(
      fmt::format("is one folder of several OTF2 traces ({}, {}): open one of them by its name",
                  printable(anchors[0]), printable(anchors[1])));
}

// The library turns once for each property that an anchor counts, be there any or not: 2^32 turns
// of a damaged one take many seconds. An anchor is, by OTF2's documentation of the format: the
// order of bytes, the magic, a version of three bytes, sizes of chunks (8 each), substrate and
// compression (1 each), numbers of locations and definitions (8 each); three texts that zeros end;
// the number of properties (4), each of two texts.
bool counts_no_more_than_it_has(std::span<const std::byte> anchor) {
  constexpr size_t kTextsAt = 46, kTexts = 3;
  constexpr char kLittleEndian = 'B';
  std::string_view rest = as_chars(anchor);
  if (rest.size() < kTextsAt) return false;
  const bool is_little = rest[kOtf2MagicAt - 1] == kLittleEndian;
  rest.remove_prefix(kTextsAt);
  for (size_t i = 0; i < kTexts; ++i)
    rest.remove_prefix(std::min(rest.size(), until_zero(rest).size() + 1));
  const auto count = is_little ? take_little<uint32_t>(rest) : take_big<uint32_t>(rest);
  return count && *count <= rest.size() / 2;
}

using OpenReader = std::unique_ptr<OTF2_Reader, Close>;

Result<OpenReader> open_archive(const std::string& path, otf2::Definitions& definitions) {
  OpenReader reader(OTF2_Reader_Open(path.c_str()));
  if (reader == nullptr) return fail("is an OTF2 trace whose anchor cannot be read");
  OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
  if (!otf2::read_definitions(reader.get(), definitions))
    return fail("is an OTF2 trace whose definitions cannot be read");
  return reader;
}

// Locations that are not read as they were written.
struct Defects {
  std::set<otf2::LocationRef> missing;    // whose events cannot be opened
  std::set<otf2::LocationRef> undefined;  // whose own definitions are there, but cannot be read
};

// A location has a file of its events ("evt"), and may have one of its own definitions ("def").
fs::path file_of(const fs::path& anchor, otf2::LocationRef ref, std::string_view extension) {
  return fs::path(anchor).replace_extension() / fmt::format("{}.{}", ref, extension);
}

// The library does not see where a file is cut between two events. What it writes ends with the
// marks of a chunk's end and the file's.
bool is_cut(const fs::path& anchor, otf2::LocationRef ref) {
  constexpr std::array kEnd = {std::byte{2}, std::byte{1}};
  const auto file = io::MappedFile::open(file_of(anchor, ref, "evt"));
  return file && !std::ranges::equal(file->bytes().last(std::min(kEnd.size(), file->size())), kEnd);
}

// The locations that are cut, with the number of their events, where the definitions know one.
std::map<otf2::LocationRef, otf2::Playing::Cut> cut_locations(const fs::path& anchor,
                                                              const otf2::Definitions& definitions,
                                                              const Defects& defects) {
  std::map<otf2::LocationRef, otf2::Playing::Cut> cut;
  for (const auto& [ref, location] : definitions.locations) {
    if (!defects.missing.contains(ref) && is_cut(anchor, ref))
      cut[ref] = {location.events > 0 ? location.events : UINT64_MAX};
  }
  return cut;
}

bool read_own_definitions(OTF2_Reader* reader, otf2::LocationRef ref) {
  OTF2_DefReader* const own = OTF2_Reader_GetDefReader(reader, ref);
  if (own == nullptr) return false;
  uint64_t count = 0;
  const bool is_read = OTF2_Reader_ReadAllLocalDefinitions(reader, own, &count) == OTF2_SUCCESS;
  OTF2_Reader_CloseDefReader(reader, own);
  return is_read;
}

// The events of every location wait for its own definitions: how its numbers are the archive's.
Defects open_locations(OTF2_Reader* reader, const fs::path& anchor,
                       const std::set<otf2::LocationRef>& locations) {
  Defects defects;
  std::error_code error;
  for (const otf2::LocationRef ref : locations) OTF2_Reader_SelectLocation(reader, ref);
  const bool has_definitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
  OTF2_Reader_OpenEvtFiles(reader);
  for (const otf2::LocationRef ref : locations) {
    const bool is_defined = has_definitions && read_own_definitions(reader, ref);
    if (!is_defined && fs::exists(file_of(anchor, ref, "def"), error))
      defects.undefined.insert(ref);
    if (OTF2_Reader_GetEvtReader(reader, ref) == nullptr) defects.missing.insert(ref);
  }
  if (has_definitions) OTF2_Reader_CloseDefFiles(reader);
  return defects;
}

// Where the events of a location are missing, the library reads none of the others either, so it
// begins again without that one.
Result<Defects> open_events(const std::string& path, OpenReader& reader,
                            const otf2::Definitions& definitions) {
  std::set<otf2::LocationRef> locations;
  for (const auto& [ref, location] : definitions.locations) locations.insert(ref);
  Defects defects = open_locations(reader.get(), path, locations);
  if (defects.missing.empty()) return defects;
  if (defects.missing.size() == locations.size())
    return fail("is an OTF2 trace without the files of its events (NUMBER.evt)");
  for (const otf2::LocationRef ref : defects.missing) locations.erase(ref);
  otf2::Definitions again;
  WEFT_TRY_ASSIGN(reader, open_archive(path, again));
  open_locations(reader.get(), path, locations);
  return defects;
}

// Returns how many events are to come.
uint64_t say_defects(const Defects& defects, otf2::Playing& playing, trace::EventSink& sink) {
  const auto on_lane_of = [&](otf2::LocationRef ref) {
    trace::LossPlace place = trace::LossPlace::nowhere();
    place.lane = playing.events.lane_of(ref);
    return place;
  };
  uint64_t total = 0;
  for (const auto& [ref, location] : playing.definitions.locations) {
    if (!defects.missing.contains(ref)) {
      total += location.events;
      if (defects.undefined.contains(ref))
        sink.loss("cut or damaged definitions of a location: its events may be misunderstood",
                  on_lane_of(ref));
    } else if (location.events > 0) {
      sink.loss("event of a location whose file is missing or damaged", on_lane_of(ref),
                location.events);
    }
  }
  return total;
}

// What a location lacks at its end.
void say_cuts(otf2::Playing& playing, trace::EventSink& sink) {
  for (const auto& [ref, cut] : playing.cut) {
    if (cut.left == 0) continue;
    trace::LossPlace place = trace::LossPlace::nowhere();
    place.lane = playing.events.lane_of(ref);
    sink.loss("event cut off at the end of its location", place,
              cut.left == UINT64_MAX ? 1 : cut.left);
  }
}

Status read_events(OTF2_Reader* reader, otf2::Playing& playing, io::Source& source,
                   trace::EventSink& sink, uint64_t total) {
  OTF2_GlobalEvtReader* const event_reader = OTF2_Reader_GetGlobalEvtReader(reader);
  if (event_reader == nullptr) return fail("the events of the OTF2 trace cannot be read");
  const std::unique_ptr<OTF2_GlobalEvtReaderCallbacks, Close> callbacks(
      OTF2_GlobalEvtReaderCallbacks_New());
  otf2::set_callbacks(callbacks.get());
  otf2::set_instants(callbacks.get());
  OTF2_Reader_RegisterGlobalEvtCallbacks(reader, event_reader, callbacks.get(), &playing);
  constexpr uint64_t kEventsAtOnce = 1 << 14;
  uint64_t done = 0;
  for (uint64_t count = kEventsAtOnce; count == kEventsAtOnce && sink.keep_going();) {
    const OTF2_ErrorCode status =
        OTF2_Reader_ReadGlobalEvents(reader, event_reader, kEventsAtOnce, &count);
    done += count;
    if (status != OTF2_SUCCESS) {
      // The library reads on where it has just given an event.
      trace::LossPlace place(done);
      if (playing.last) {
        place.lane = playing.events.lane_of(playing.last->location);
        place.time = playing.last->time;
      }
      sink.loss("the events end early: " + printable(OTF2_Error_GetDescription(status)), place,
                done < total ? total - done : 1);
      break;
    }
    const uint64_t bytes = source.disk_bytes_total();
    if (total > 0) sink.progress(std::min(bytes, bytes * done / total), bytes);
    if (count < kEventsAtOnce) say_cuts(playing, sink);
  }
  OTF2_Reader_CloseGlobalEvtReader(reader, event_reader);
  return {};
}

}  // namespace

int sniff_otf2(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.size() > kOtf2MagicAt && text.substr(kOtf2MagicAt).starts_with(kOtf2Magic) ? 100 : 0;
}

int sniff_otf2_folder(const io::Source& folder) {
  const std::vector<std::string> anchors = anchors_of(folder);
  const auto is_elsewhere = [&](const std::string& anchor) {
    return fs::path(anchor).parent_path() != fs::path(anchors[0]).parent_path();
  };
  return anchors.empty() || std::ranges::any_of(anchors, is_elsewhere) ? 0 : 90;
}

Status read_otf2(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const std::string path, anchor_in(source));
  OTF2_Error_RegisterCallback(say_nothing, nullptr);
  WEFT_TRY_ASSIGN(const io::MappedFile anchor, io::MappedFile::open(path));
  if (!counts_no_more_than_it_has(anchor.bytes()))
    return fail("is an OTF2 trace whose anchor cannot be read");
  otf2::Definitions definitions;
  WEFT_TRY_ASSIGN(OpenReader reader, open_archive(path, definitions));
  WEFT_TRY_ASSIGN(const Defects defects, open_events(path, reader, definitions));
  sink.set_time_base(TimeBase::kNanoseconds);
  otf2::Playing playing{definitions, otf2::Events(definitions, sink)};
  playing.events.add_lanes();
  const uint64_t total = say_defects(defects, playing, sink);
  constexpr std::byte kUncompressed{1};
  if (anchor.bytes()[kCompressionAt] == kUncompressed)
    playing.cut = cut_locations(path, definitions, defects);
  WEFT_TRY(read_events(reader.get(), playing, source, sink, total));
  otf2::read_markers(reader.get(), playing);
  playing.events.finish();
  return {};
}

}  // namespace weft::formats
