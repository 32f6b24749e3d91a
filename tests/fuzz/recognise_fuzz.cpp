// Any bytes as a file that is opened: what unpacks and decompresses it, and every format's look at
// what it begins with.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/formats.h"
#include "core/io/source.h"
#include "tests/core/io/archives.h"
#include "tests/core/io/compress.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/fuzz.h"

namespace weft::fuzz {

namespace fs = std::filesystem;

void recognise(const uint8_t* data, size_t size) {
  static const Folder folder;
  folder.write("trace", text_of(data, size));
  auto source =
      io::Source::open(folder.path() / "trace", {.free_bytes = 1 << 20, .max_ratio = 200});
  if (!source) return;
  const auto inputs = formats::recognise_all(*std::move(source), "");
  if (inputs && inputs->inputs.empty()) std::abort();
}

// One file of each format, and one of each packing.
void write_recognise_seeds(const fs::path& cases, const fs::path& folder) {
  using test::Packing;
  fs::create_directories(folder);
  for (const fs::directory_entry& format : fs::directory_iterator(cases)) {
    std::error_code none;
    for (const fs::directory_entry& file :
         fs::directory_iterator(format.path() / "succeed", none)) {
      if (!file.is_regular_file() || file.path().extension() == ".txt") continue;
      fs::copy_file(file.path(), folder / format.path().filename(),
                    fs::copy_options::overwrite_existing);
      break;
    }
  }
  const std::string trace = R"([{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1}])";
  const test::ArchiveFiles files = {{"a/one.json", trace}, {"a/two.json", trace}, {"b", "other"}};
  const std::pair<const char*, std::string> packed[] = {
      {"zip", archive_of(Packing::kZip, files)},
      {"tar", archive_of(Packing::kTar, files)},
      {"tar.gz", archive_of(Packing::kTarGzip, files)},
      {"xz", archive_of(Packing::kXz, {{"a", trace}})},
      {"bz2", archive_of(Packing::kBzip, {{"a", trace}})},
      {"lz4", archive_of(Packing::kLz4, {{"a", trace}})},
      {"gz", test::gzip(trace)},
      {"zst", test::zstd(trace)},
      {"atrace", test::atrace("# tracer: nop\n")},
      {"html",
       "<!DOCTYPE html><script id=\"viewer-data\" type=\"text/plain\">" + trace + "</script>"},
      {"utf16", "\xFF\xFE[\0]\0"}};
  for (const auto& [name, bytes] : packed) test::write_file(folder / name, bytes);
}

}  // namespace weft::fuzz
