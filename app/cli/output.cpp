#include "app/cli/output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/os_error.h"
#include "core/base/text.h"
#include "core/base/write_all.h"
#include "core/formats/formats.h"
#include "core/io/mapped_file.h"
#include "core/io/source.h"

namespace weft::cli {

Status Output::finish() {
  drain();
  if (error_ != 0) return fail(os_error("standard output", error_));
  return {};
}

void Output::drain() {
  if (error_ == 0 && !write_all(fd_, buffer_)) error_ = errno;
  buffer_.clear();
}

Result<MadeFile> MadeFile::of(const std::string& output, const std::string& printed) {
  MadeFile made;
  made.path_ = output;
  if (output != "-") return made;
  WEFT_TRY_ASSIGN(made.folder_, io::TemporaryFolder::create());
  made.path_ = made.folder_->path() / printed;
  return made;
}

Output MadeFile::said() const { return Output(folder_ ? STDERR_FILENO : STDOUT_FILENO); }

Status MadeFile::finish() const {
  if (!folder_) return {};
  WEFT_TRY_ASSIGN(const io::MappedFile file, io::MappedFile::open(path_));
  std::string_view left(reinterpret_cast<const char*>(file.bytes().data()), file.size());
  Output output;
  constexpr size_t kPiece = size_t{1} << 20;
  for (; !left.empty() && output.is_open(); left.remove_prefix(std::min(kPiece, left.size())))
    output.text(left.substr(0, kPiece));
  return output.finish();
}

namespace {

namespace fs = std::filesystem;

// Whether a folder is read of which this is a trace, or a part.
bool is_read_with(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error) || !fs::is_regular_file(file, error)) return false;
  const fs::path below = fs::relative(file, folder, error);
  if (error || below.empty() || *below.begin() == "..") return false;
  auto source = io::Source::open(file), all = io::Source::open(folder);
  if (!source || !all) return false;
  const auto format = formats::recognise(**source);
  if (!format) return false;
  const auto read = formats::recognise_all(std::move(*all), "");
  return !read || std::ranges::any_of(read->inputs, [&](const formats::Input& input) {
    return input.source->is_folder() ? input.format == *format
                                     : fs::equivalent(input.source->path(), file, error);
  });
}

}  // namespace

Status check_apart(const std::string& output, std::span<const std::string> inputs) {
  std::error_code error;
  for (const std::string& input : inputs) {
    if (fs::equivalent(io::file_on(input), output, error) || is_read_with(output, input))
      return fail(input + ": is also the output");
  }
  return {};
}

void complain(std::string_view message) {
  Output error(STDERR_FILENO);
  error.print("weftscope: {}\n", printable(message, 0));
  static_cast<void>(error.finish());
}

}  // namespace weft::cli
