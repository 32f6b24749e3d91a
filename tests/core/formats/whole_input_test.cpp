#include "core/formats/base/whole_input.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "core/trace/event_counter.h"
#include "tests/core/io/compress.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

using ::testing::StartsWith;

// Small ones are in memory; larger ones, of which not all bytes are alike, in a file.
std::string text_of(size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += std::to_string(text.size() * 7919) + '\n';
  return text;
}

class WholeInputTest : public ::testing::Test {
 protected:
  Result<WholeInput> read(const std::filesystem::path& path, uint64_t most = WholeInput::kAny) {
    auto source = io::Source::open(path);
    if (!source) return fail(source.error());
    return WholeInput::read(**source, sink_, most);
  }

  test::ScratchFolder folder_;
  trace::EventCounter sink_;
};

TEST_F(WholeInputTest, IsTheSameHoweverItComes) {
  for (const size_t bytes : {size_t{1}, size_t{1000}, size_t{6} << 20}) {
    const std::string text = text_of(bytes);
    for (const std::string& file : {folder_.write("plain", text).string(),
                                    folder_.write("packed", test::gzip(text)).string()}) {
      const auto whole = read(file);
      ASSERT_TRUE(whole) << whole.error().message;
      EXPECT_TRUE(whole->bytes() == text) << file;
      EXPECT_FALSE(whole->is_early());
      const std::string_view behind(whole->bytes().data() + whole->bytes().size(), 64);
      EXPECT_EQ(behind, std::string(64, '\0')) << file;
    }
  }
  EXPECT_EQ(sink_.lost, 0U);
}

TEST_F(WholeInputTest, GoesAsFarAsItCanBeRead) {
  for (const size_t bytes : {size_t{1000}, size_t{6} << 20}) {
    const std::string text = text_of(bytes), packed = test::gzip(text);
    const auto whole = read(folder_.write("cut", packed.substr(0, packed.size() * 9 / 10)));
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_TRUE(whole->is_early());
    EXPECT_TRUE(text.starts_with(whole->bytes()));
    EXPECT_LT(whole->bytes().size(), text.size());
  }
  EXPECT_EQ(sink_.lost, 2U);
}

TEST_F(WholeInputTest, IsRefusedBeyondWhatIsAllowed) {
  const std::string text = text_of(5000);
  EXPECT_TRUE(read(folder_.write("plain", text), text.size()));
  const auto whole = read(folder_.write("plain", text), text.size() - 1);
  ASSERT_FALSE(whole);
  EXPECT_THAT(whole.error().message, StartsWith("is a profile of more than 4.89 KiB"));
}

}  // namespace
}  // namespace weft::formats
