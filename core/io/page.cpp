#include "core/io/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/ascii.h"

namespace weft::io {
namespace {

constexpr size_t kBlockBytes = 256 << 10;
constexpr std::string_view kEnd = "</script>", kBeginSvg = "<svg", kEndSvg = "</svg>";
constexpr std::string_view kProcessDump = "PROCESS DUMP";

// Turns what a script holds, given piece by piece, into the trace's bytes.
using Decode = std::function<void(std::string_view piece, std::string& out)>;

Decode as_it_is() {
  return [](std::string_view piece, std::string& out) { out += piece; };
}

// Whatever is not of the alphabet is passed over: line ends, and the padding.
Decode from_base64() {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr uint8_t kNone = 0xFF;
  std::array<uint8_t, 256> values{};
  values.fill(kNone);
  for (size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<uint8_t>(kAlphabet[i])] = static_cast<uint8_t>(i);
  return [values, bits = uint32_t{0}, count = 0](std::string_view piece, std::string& out) mutable {
    for (const char c : piece) {
      const uint8_t value = values[static_cast<uint8_t>(c)];
      if (value == kNone) continue;
      bits = bits << 6 | value;
      count += 6;
      if (count < 8) continue;
      count -= 8;
      out += static_cast<char>(bits >> count);
    }
  };
}

// A text that is not base64 begins with a bracket, a comment or a tabulator.
Decode from_viewer_data() {
  return [decode = Decode()](std::string_view piece, std::string& out) mutable {
    if (decode == nullptr) {
      piece.remove_prefix(std::min(piece.find_first_not_of(" \t\r\n"), piece.size()));
      if (piece.empty()) return;
      const bool is_base64 = is_alphanumeric(piece.front());
      decode = is_base64 ? from_base64() : as_it_is();
    }
    decode(piece, out);
  };
}

// Up to the quotation mark that ends it; what follows is JavaScript.
Decode from_string() {
  return [is_escape = false, is_ended = false](std::string_view piece, std::string& out) mutable {
    for (const char c : piece) {
      if (is_ended) return;
      if (!is_escape) {
        is_ended = c == '"';
        is_escape = c == '\\';
        if (!is_ended && !is_escape) out += c;
        continue;
      }
      is_escape = c == '\r';  // "\" before a line's end joins lines, and a line may end with two
      if (c == 'n') out += '\n';
      if (c == 't') out += '\t';
      if (c != 'n' && c != 't' && c != '\n' && c != '\r') out += c;
    }
  };
}

struct Mark {
  std::string_view text;  // behind it, the trace
  Decode (*decode)();
};
constexpr Mark kMarks[] = {
    {"<script class=\"trace-data\" type=\"application/text\">", as_it_is},
    {"<script id=\"viewer-data\" type=\"application/json\">", from_viewer_data},
    {"<script id=\"viewer-data\" type=\"text/plain\">", from_viewer_data},
    {"linuxPerfData = \"", from_string},
    {"\nconst cpool = [", as_it_is},
    {"\nf(0,0,", as_it_is},
    {".datum({ children: [", as_it_is},
    {kBeginSvg, as_it_is},
};
constexpr size_t kLongestMark = std::ranges::max_element(kMarks, {}, [](const Mark& mark) {
                                  return mark.text.size();
                                })->text.size();

class Page {
 public:
  Page(const PackedInput& input, const std::filesystem::path& folder)
      : input_(&input), files_(input, folder) {}

  Status unpack() {
    bool is_behind_dump = false;
    for (int number = 1;; ++number) {
      WEFT_TRY_ASSIGN(const Mark* const mark, skip_to_mark());
      if (mark == nullptr && number == 1) return fail("is a page of HTML without a trace in it");
      if (mark == nullptr) return {};
      WEFT_TRY(fill_window());
      const std::string_view begin = first_of_window();
      const bool goes_on = is_behind_dump && !begin.starts_with('{');
      is_behind_dump = begin.starts_with(kProcessDump);
      if (!goes_on) WEFT_TRY(files_.begin(fmt::format("trace-{}", number)));
      WEFT_TRY(mark->text == kBeginSvg ? unpack_svg() : unpack_trace(mark->decode()));
    }
  }

  // Whether the page ends within a trace.
  bool is_cut() const { return is_cut_; }

 private:
  Status fill_window() {
    constexpr size_t kEnough = 64;
    for (bool is_more = true; is_more && window_.size() < kEnough;) {
      WEFT_TRY_ASSIGN(is_more, read_on(window_.size()));
    }
    return {};
  }
  // How the script begins that the window begins with, without what is blank.
  std::string_view first_of_window() const {
    const std::string_view text = window_;
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  }

  // Past the next mark; null where there is none any more.
  Result<const Mark*> skip_to_mark() {
    for (;;) {
      const Mark* next = nullptr;
      size_t begin = std::string::npos;
      for (const Mark& mark : kMarks) {
        const size_t at = window_.find(mark.text);
        if (at >= begin) continue;
        begin = at;
        next = &mark;
      }
      if (next != nullptr) {
        window_.erase(0, begin + next->text.size());
        if (next->text != kBeginSvg) return next;
        WEFT_TRY_ASSIGN(const bool is_drawn, is_flame_graph());
        if (is_drawn) return next;
        continue;
      }
      WEFT_TRY_ASSIGN(const bool is_more, read_on(kLongestMark - 1));
      if (!is_more) return nullptr;
    }
  }

  // Whether the tag whose begin was skipped is that of a flame graph: the scripts that draw these
  // give each the same call. Others are pictures of the page.
  Result<bool> is_flame_graph() {
    constexpr size_t kMostBytes = 4096;
    for (bool is_more = true; is_more && window_.size() < kMostBytes && !window_.contains('>');) {
      WEFT_TRY_ASSIGN(is_more, read_on(window_.size()));
    }
    return std::string_view(window_).substr(0, window_.find('>')).contains("init(evt)");
  }

  // Drawings may lie within a drawing.
  Status unpack_svg() {
    WEFT_TRY(files_.add(kBeginSvg));
    for (int depth = 1; depth > 0;) {
      const size_t begin = window_.find(kBeginSvg), end = window_.find(kEndSvg);
      const bool has_mark = std::min(begin, end) != std::string::npos;
      const size_t kept = std::min(window_.size(), kEndSvg.size() - 1);
      const size_t size = !has_mark     ? window_.size() - kept
                          : begin < end ? begin + kBeginSvg.size()
                                        : end + kEndSvg.size();
      WEFT_TRY(files_.add(std::string_view(window_).substr(0, size)));
      window_.erase(0, size);
      if (has_mark) depth += begin < end ? 1 : -1;
      if (has_mark) continue;
      WEFT_TRY_ASSIGN(const bool is_more, read_on(window_.size()));
      if (is_more) continue;
      is_cut_ = true;
      return files_.add(window_);
    }
    return {};
  }

  Status unpack_trace(const Decode& decode) {
    for (;;) {
      const size_t end = window_.find(kEnd);
      const bool is_ended = end != std::string::npos;
      const size_t kept = std::min(window_.size(), kEnd.size() - 1);
      WEFT_TRY(
          add(decode, std::string_view(window_).substr(0, is_ended ? end : window_.size() - kept)));
      if (is_ended) {
        window_.erase(0, end + kEnd.size());
        return {};
      }
      WEFT_TRY_ASSIGN(const bool is_more, read_on(kept));
      if (is_more) continue;
      is_cut_ = true;
      return add(decode, window_);
    }
  }

  Status add(const Decode& decode, std::string_view piece) {
    decoded_.clear();
    decode(piece, decoded_);
    return files_.add(decoded_);
  }

  // Reads more, keeping the window's last `kept` bytes. Returns false at the end.
  Result<bool> read_on(size_t kept) {
    window_.erase(0, window_.size() - std::min(kept, window_.size()));
    const size_t begin = window_.size();
    window_.resize(begin + kBlockBytes);
    auto n = input_->read(std::as_writable_bytes(std::span(window_).subspan(begin)));
    window_.resize(begin + n.value_or(0));
    if (!n) return fail(std::move(n).error());
    return *n > 0;
  }

  const PackedInput* input_;
  UnpackedFiles files_;
  std::string window_;  // of the page, from where it is unpacked
  std::string decoded_;
  bool is_cut_ = false;
};

}  // namespace

bool begins_page(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const auto begins_with = [&](std::string_view begin) {
    return equals_ignoring_case(text.substr(0, begin.size()), begin);
  };
  return begins_with("<!doctype html") || begins_with("<html");
}

Result<Unpacked> unpack_page(const PackedInput& input, const std::filesystem::path& folder) {
  Page page(input, folder);
  WEFT_TRY(page.unpack());
  return Unpacked{.shortfall = page.is_cut() ? "the page ends within it" : ""};
}

}  // namespace weft::io
