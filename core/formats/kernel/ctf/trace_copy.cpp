#include "core/formats/kernel/ctf/trace_copy.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/ascii.h"
#include "core/io/listing.h"

namespace weft::formats::ctf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTimestamp = " timestamp;", kMetadata = "metadata";

// Takes a word, a text or a sign of TSDL off its front, and the comments before it. Empty: its end.
std::string_view take_token(std::string_view& rest) {
  for (;;) {
    while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
    const bool is_line = rest.starts_with("//");
    if (!is_line && !rest.starts_with("/*")) break;
    const size_t end = rest.find(is_line ? "\n" : "*/", 2);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + (is_line ? 1 : 2));
  }
  size_t size = rest.empty() ? 0 : 1;
  if (rest.starts_with('"')) {
    while (size < rest.size() && rest[size] != '"') size += rest[size] == '\\' ? 2 : 1;
    size = std::min(size + 1, rest.size());
  } else {
    const auto is_of_word = [](char c) { return is_alphanumeric(c) || c == '_'; };
    while (size < rest.size() && is_of_word(rest[size - 1]) && is_of_word(rest[size])) ++size;
  }
  const std::string_view token = rest.substr(0, size);
  rest.remove_prefix(size);
  return token;
}

}  // namespace

std::string with_clock(std::string_view metadata) {
  const bool is_zephyr = metadata.starts_with("/* CTF 1") &&
                         metadata.find("thread_switched_in") != std::string_view::npos;
  if (!is_zephyr || metadata.find("clock {") != std::string_view::npos) return {};
  const size_t end = metadata.find(kTimestamp);
  if (end == std::string_view::npos) return {};
  std::string_view type = metadata.substr(0, end);
  type.remove_prefix(type.find_last_of(" \t\n{") + 1);
  const int bits = type == "uint32_t" ? 32 : type == "uint64_t" ? 64 : 0;
  const size_t first_line_end = metadata.find('\n');
  if (bits == 0 || first_line_end > end) return {};
  return fmt::format(
      "{}\nclock {{ name = zephyr; freq = 1000000000; }};\n"
      "typealias integer {{ size = {}; align = 8; signed = false; map = clock.zephyr.value; }} := "
      "zephyr_time_t;{}zephyr_time_t{}",
      metadata.substr(0, first_line_end), bits,
      metadata.substr(first_line_end, end - type.size() - first_line_end), metadata.substr(end));
}

std::string with_version(std::string_view metadata) {
  constexpr std::string_view kTrace = "\ntrace {", kMinor = "minor = ", kUnderstood = "8";
  const size_t trace = metadata.find(kTrace);
  if (!metadata.starts_with("/* CTF 1") || trace == std::string_view::npos) return {};
  const size_t minor = metadata.find(kMinor, trace);
  if (minor == std::string_view::npos) return {};
  const size_t begin = minor + kMinor.size();
  const size_t end = metadata.find(';', begin);
  if (end == std::string_view::npos || metadata.substr(begin, end - begin) == kUnderstood)
    return {};
  return std::string(metadata.substr(0, begin)).append(kUnderstood).append(metadata.substr(end));
}

Result<std::string> with_frequencies(std::string_view metadata) {
  constexpr std::string_view kWithoutValue = "0xX";
  std::string out;
  std::string_view rest = metadata, copied = metadata;
  while (!rest.empty()) {
    if (take_token(rest) != "clock" || take_token(rest) != "{") continue;
    const auto head_size = static_cast<size_t>(rest.data() - copied.data());
    bool has_frequency = false;
    for (std::string_view token = take_token(rest); !token.empty() && token != "}";
         token = take_token(rest)) {
      if (token != "freq" || take_token(rest) != "=") continue;
      has_frequency = true;
      if (take_token(rest).find_first_not_of(kWithoutValue) == std::string_view::npos)
        return fail("its metadata cannot be understood: a clock of zero cycles a second");
    }
    if (has_frequency) continue;
    out.append(copied.substr(0, head_size)).append(" freq = 1000000000;");
    copied.remove_prefix(head_size);
  }
  if (!out.empty()) out += copied;
  return out;
}

std::vector<uint64_t> packets_of(const fs::path& stream) {
  constexpr std::string_view kMagics[] = {"\xC1\x1F\xFC\xC1", "\xC1\xFC\x1F\xC1"};
  constexpr size_t kBlockBytes = size_t{1} << 20, kMagicBytes = 4;
  std::vector<uint64_t> packets;
  std::ifstream in(stream, std::ios::binary);
  std::string block;
  for (uint64_t begin = 0; in;) {
    const size_t kept = block.size();
    block.resize(kept + kBlockBytes);
    in.read(block.data() + kept, kBlockBytes);
    block.resize(kept + static_cast<size_t>(in.gcount()));
    for (size_t at = block.find('\xC1'); at != std::string::npos; at = block.find('\xC1', at + 1)) {
      const std::string_view here = std::string_view(block).substr(at, kMagicBytes);
      if (here == kMagics[0] || here == kMagics[1]) packets.push_back(begin + at);
    }
    // Keeps what may be the first bytes of one.
    const size_t done = block.size() - std::min(block.size(), kMagicBytes - 1);
    block.erase(0, done);
    begin += done;
  }
  return packets;
}

Result<std::unique_ptr<TraceCopy>> TraceCopy::make(const fs::path& folder,
                                                   std::string_view metadata,
                                                   std::string_view only_stream) {
  std::error_code error;
  const fs::path origin = fs::canonical(folder, error);
  WEFT_TRY_ASSIGN(io::TemporaryFolder temporary, io::TemporaryFolder::create());
  std::unique_ptr<TraceCopy> copy(new TraceCopy(origin, std::move(temporary)));
  const io::Listing listing = io::Listing::of(origin);
  WEFT_TRY(listing.status);
  for (const fs::directory_entry& file : listing.entries) {
    const fs::path link = copy->folder() / file.path().filename();
    const bool is_metadata = link.filename() == kMetadata;
    const bool is_wanted =
        is_metadata ? metadata.empty() : only_stream.empty() || link.filename() == only_stream;
    if (is_wanted && file.is_regular_file(error)) fs::create_symlink(file.path(), link, error);
  }
  if (!metadata.empty()) {
    std::ofstream to(copy->folder() / kMetadata, std::ios::binary);
    if (!(to << metadata).flush()) error = std::make_error_code(std::errc::io_error);
  }
  if (error) return fail("cannot write to a temporary folder: " + error.message());
  return copy;
}

std::vector<std::string> TraceCopy::streams() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& file : io::Listing::of(folder()).entries) {
    if (file.path().filename() != kMetadata) names.push_back(file.path().filename().string());
  }
  return names;
}

Status TraceCopy::shorten(const std::string& stream, uint64_t size_bytes) {
  std::error_code error;
  const fs::path file = folder() / stream;
  fs::remove(file, error);
  if (!error && size_bytes > 0) {
    std::ifstream from(origin_ / stream, std::ios::binary);
    std::ofstream to(file, std::ios::binary);
    std::string block(size_t{1} << 20, '\0');
    for (uint64_t left = size_bytes; left > 0 && to;) {
      from.read(block.data(), static_cast<std::streamsize>(std::min<uint64_t>(left, block.size())));
      if (from.gcount() == 0) break;
      to.write(block.data(), from.gcount());
      left -= static_cast<uint64_t>(from.gcount());
    }
    if (!to.flush()) error = std::make_error_code(std::errc::io_error);
  }
  if (error) return fail("cannot write to a temporary folder: " + error.message());
  return {};
}

}  // namespace weft::formats::ctf
