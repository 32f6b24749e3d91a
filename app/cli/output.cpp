#include "app/cli/output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/os_error.h"
#include "core/base/text.h"
#include "core/io/mapped_file.h"

namespace weft::cli {

Status Output::finish() {
  drain();
  if (error_ != 0) return fail(os_error("standard output", error_));
  return {};
}

void Output::drain() {
  const char* at = buffer_.data();
  size_t left = buffer_.size();
  while (left > 0 && error_ == 0) {
    const ssize_t written = ::write(fd_, at, left);
    if (written < 0) {
      if (errno != EINTR) error_ = errno;
      continue;
    }
    at += written;
    left -= static_cast<size_t>(written);
  }
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

void complain(std::string_view message) {
  Output error(STDERR_FILENO);
  error.print("weftscope: {}\n", printable(message, 0));
  static_cast<void>(error.finish());
}

std::string json_string(std::string_view text) {
  return tame_json(
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string tame_json(std::string json) {
  // The lead bytes of characters that may act on a terminal; no others do.
  constexpr std::string_view kLeads = "\x7F\xC2\xD8\xE2\xEF";
  // Control characters of ASCII stand between tokens only: strings cannot hold them.
  std::ranges::replace_if(json, [](char c) { return static_cast<uint8_t>(c) < 0x20; }, ' ');
  size_t at = json.find_first_of(kLeads);
  if (at == std::string::npos) return json;
  std::string tame = json.substr(0, at);
  while (at < json.size()) {
    const auto lead = static_cast<uint8_t>(json[at]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : 3;
    const std::string_view character = std::string_view(json).substr(at, length);
    if (printable(character, 0) == character) {
      tame += character;
    } else {
      const uint32_t value = lead == 0x7F  ? 0x7F
                             : length == 2 ? (lead & 0x1Fu) << 6 | (character[1] & 0x3Fu)
                                           : (lead & 0x0Fu) << 12 | (character[1] & 0x3Fu) << 6 |
                                                 (character[2] & 0x3Fu);
      tame += fmt::format("\\u{:04x}", value);
    }
    const size_t next = std::min(json.find_first_of(kLeads, at + length), json.size());
    tame.append(json, at + length, next - at - length);
    at = next;
  }
  return tame;
}

}  // namespace weft::cli
