// covers FS-62, R7
#include "core/formats/profiles/measureme/measureme_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

constexpr uint64_t kMetadata = 100'000'001, kFirstRegular = kMetadata + 2;
constexpr uint64_t kInstant = 0xFFFF'FFFF'FFFF, kInteger = kInstant - 1;

// Profiles as rustc writes them, in each version.
class Profile {
 public:
  explicit Profile(uint32_t version) : version_(version) {
    events_.text("MMES").little(version);
    texts_.text("MMSD").little(version);
    index_.text("MMSI").little(version);
  }

  // A text, whose parts are made by literal() and reference(); its id.
  uint64_t text(const std::string& parts) {
    const uint64_t id = kFirstRegular + texts_.size();
    texts_.text(parts).text("\xFF");
    return id;
  }
  std::string reference(uint64_t to) const {
    if (version_ < 7) return Bytes().big(static_cast<uint32_t>(to) | 0x8000'0000u).str();
    return "\xFE" + id(to);
  }
  void map(uint64_t virtual_id, uint64_t text) {
    index_.text(id(virtual_id)).text(id(text - kFirstRegular));
  }
  void event(uint64_t kind, uint64_t what, uint32_t thread, uint64_t begin, uint64_t end) {
    events_.text(id(kind)).text(id(what)).little(thread);
    events_.little(static_cast<uint32_t>(begin)).little(static_cast<uint32_t>(end));
    events_.little(static_cast<uint32_t>((begin >> 16 & 0xFFFF'0000) | end >> 32));
  }

  // A file of pages, none with more than `page_bytes` of a stream.
  std::string file(size_t page_bytes) const {
    Bytes all;
    all.text("MMPD").little(version_);
    const std::string* const streams[] = {&events_.str(), &texts_.str(), &index_.str()};
    size_t longest = 0;
    for (const std::string* stream : streams) longest = std::max(longest, stream->size());
    for (size_t at = 0; at < longest; at += page_bytes) {
      for (uint8_t kind = 0; kind < 3; ++kind) {
        if (at >= streams[kind]->size()) continue;
        const std::string page = streams[kind]->substr(at, page_bytes);
        all.little(kind).little(static_cast<uint32_t>(page.size())).text(page);
      }
    }
    return all.str();
  }
  const std::string& events() const { return events_.str(); }
  const std::string& texts() const { return texts_.str(); }
  const std::string& index() const { return index_.str(); }

 private:
  std::string id(uint64_t id) const {
    return version_ >= 9 ? Bytes().little(id).str()
                         : Bytes().little(static_cast<uint32_t>(id)).str();
  }

  uint32_t version_;
  Bytes events_, texts_, index_;
};

Profile profile(uint32_t version, std::string_view counter = "wall-time") {
  Profile made(version);
  made.map(
      kMetadata,
      made.text(R"({ "start_time": 1700000000000000001, "process_id": 77, "cmd": "rustc a.rs",)"
                R"( "counter": { "name": ")" +
                std::string(counter) + R"(", "units": [["ns", 1]] } })"));
  const uint64_t query = made.text("Query"), activity = made.text("GenericActivity");
  const uint64_t type_of = made.text("type_of"), path = made.text("na\xC3\xAFve::a");
  const uint64_t separator = made.text("\x1E");
  made.map(5, made.text(made.reference(type_of) + "\x1E" + made.reference(path) + "::b\x1E" + "2"));
  made.map(6, type_of);
  made.event(query, 5, 3, 1'000, 2'000);
  // Equal ones: what is said first is within.
  made.event(query, 6, 3, 3'000, 3'500);
  made.event(activity, made.text("expand_crate"), 3, 3'000, 3'500);
  made.event(activity, made.text(made.reference(separator)), 3, 500, 4'000);
  made.event(query, 6, 4, 0x0001'0000'0000, 0x0002'0000'0001);
  made.event(made.text("IncrementalLoad"), 6, 4, 0x0003'0000'0000, kInstant);
  if (version >= 8) {
    const uint64_t file = made.text("object_file");
    made.event(made.text("ArtifactSize"), file, 4, 1234, kInteger);
  }
  return made;
}

Profile damaged_profile() {
  Profile made(9);
  made.map(kMetadata, made.text(R"({ "cmd": "rustc \'a\'" })"));
  const uint64_t kind = made.text("Query");
  made.event(kind, 7, 1, 10, 20);              // an id that nobody has
  made.event(kind, kMetadata + 1, 1, 30, 40);  // the one that says so
  made.event(kind, kind + 1'000'000, 1, 50, 60);
  made.event(kind, kind, 1, 80, 70);
  const uint64_t circle = made.text("o" + made.reference(8));
  made.map(8, circle);
  made.event(kind, circle, 1, 90, 95);
  made.event(kind, made.text(made.reference(9) + "\xE4"), 1, 96, 97);
  return made;
}

TEST(Measureme, ReadsAsWritten) {
  test::expect_case("measureme/succeed/v9.mm_profdata", profile(9).file(64));
  test::expect_case("measureme/succeed/v8.mm_profdata", profile(8).file(1000));
  test::expect_case("measureme/succeed/v7.mm_profdata", profile(7).file(100));
  test::expect_case("measureme/succeed/v6.mm_profdata", profile(6).file(100));
  test::expect_case("measureme/succeed/instructions.mm_profdata",
                    profile(9, "instructions:u").file(1000));
  test::expect_case("measureme/fail/damaged.mm_profdata", damaged_profile().file(300));
  std::string file = profile(9).file(200);
  file[8] = '\3';  // the first page's kind
  test::expect_case("measureme/fail/no_events.mm_profdata", file.substr(0, file.size() - 3));
}

TEST(Measureme, OfVersion5AreThreeFiles) {
  const Profile made = profile(5);
  const test::ScratchFolder folder;
  const auto path = folder.write("a.events", made.events());
  EXPECT_THAT(test::read(path, {"measureme"})->error, testing::HasSubstr("a.string_data beside"));
  folder.write("a.string_data", made.texts());
  folder.write("a.string_index", made.index());
  const std::string text = test::read(path, {"measureme"})->text();
  EXPECT_THAT(text,
              testing::HasSubstr(R"("type_of" {"argument 1":"naïve::a::b","argument 2":"2"})"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("loss")));
}

TEST(HostileMeasureme, OtherVersionsAreNamed) {
  const test::ScratchFolder folder;
  EXPECT_THAT(test::read(folder.write("a", Profile(4).events()), {"measureme"})->error,
              testing::HasSubstr("version 4"));
  EXPECT_THAT(test::read(folder.write("b", Profile(10).file(8)), {"measureme"})->error,
              testing::HasSubstr("version 10"));
}

}  // namespace
}  // namespace weft::formats
