#include "core/base/rust_name.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/utf8.h"

namespace weft::rust {
namespace {

constexpr int kMostDepth = 100;

constexpr std::pair<char, std::string_view> kBasicTypes[] = {
    {'a', "i8"},   {'b', "bool"},  {'c', "char"},  {'d', "f64"}, {'e', "str"}, {'f', "f32"},
    {'h', "u8"},   {'i', "isize"}, {'j', "usize"}, {'l', "i32"}, {'m', "u32"}, {'n', "i128"},
    {'o', "u128"}, {'p', "_"},     {'s', "i16"},   {'t', "u16"}, {'u', "()"},  {'v', "..."},
    {'x', "i64"},  {'y', "u64"},   {'z', "!"}};

// A recursive descent over the grammar of the RFC that writes as it reads. From what it does not
// understand on `failed_`, and what it has written means nothing.
class Reader {
 public:
  Reader(std::string_view text, size_t most) : text_(text), most_(most) {}

  std::optional<std::string> read() {
    path(/*is_value=*/true);
    is_silent_ = true;
    if (!is_at_end() && peek() != '.') path(false);  // the crate that made the instance
    if (failed_ || (!is_at_end() && peek() != '.') || out_.empty()) return std::nullopt;
    return std::move(out_);
  }

 private:
  struct Level {
    explicit Level(Reader& reader) : of(reader) {
      if (++of.depth_ > kMostDepth) of.failed_ = true;
    }
    ~Level() { --of.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Reader& of;
  };
  struct Identifier {
    uint64_t number = 0;  // tells those of one name apart
    std::string_view text = {};
    bool is_punycode = false;
  };

  bool is_at_end() const { return at_ >= text_.size(); }
  char peek() const { return failed_ || is_at_end() ? '\0' : text_[at_]; }
  char next() {
    const char c = peek();
    if (c == '\0') failed_ = true;
    ++at_;
    return c;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void write(std::string_view text) {
    if (is_silent_) return;
    if (out_.size() + text.size() > most_) failed_ = true;
    if (!failed_) out_ += text;
  }

  // "_": 0, "0_": 1, "Z_": 62.
  uint64_t base_62() {
    uint64_t value = 0;
    if (take('_')) return value;
    constexpr std::string_view kDigits =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    while (!failed_ && !take('_')) {
      const size_t digit = kDigits.find(next());
      constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max() / kDigits.size() - 1;
      if (digit == std::string_view::npos || value > kMost) failed_ = true;
      value = value * kDigits.size() + digit;
    }
    return value + 1;
  }
  uint64_t base_62_behind(char tag) { return take(tag) ? base_62() + 1 : 0; }

  // A zero is a number by itself.
  size_t decimal() {
    if (take('0')) return 0;
    size_t value = 0;
    const std::string_view rest = failed_ ? std::string_view() : text_.substr(at_);
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (parsed.ec != std::errc()) failed_ = true;
    at_ += static_cast<size_t>(parsed.ptr - rest.data());
    return value;
  }
  Identifier plain_identifier() {
    Identifier identifier;
    identifier.is_punycode = take('u');
    const size_t length = decimal();
    take('_');
    if (failed_ || length > text_.size() - at_) {
      failed_ = true;
      return {};
    }
    identifier.text = text_.substr(at_, length);
    at_ += length;
    return identifier;
  }
  Identifier identifier() {
    const uint64_t number = base_62_behind('s');
    Identifier read = plain_identifier();
    read.number = number;
    return read;
  }
  void write(const Identifier& identifier) {
    if (identifier.is_punycode) write("punycode{");
    write(identifier.text);
    if (identifier.is_punycode) write("}");
  }

  // Follows a back-reference to an earlier position.
  template <class Read>
  void again(size_t tag_at, const Read& read) {
    const uint64_t target = base_62();
    if (target >= tag_at) failed_ = true;
    if (failed_ || is_silent_) return;
    const size_t behind = std::exchange(at_, target);
    read();
    at_ = behind;
  }
  // Up to an 'E'; how many they were.
  template <class Read>
  size_t list(std::string_view between, const Read& read) {
    size_t count = 0;
    for (; !failed_ && !take('E'); ++count) {
      if (count > 0) write(between);
      read();
    }
    return count;
  }

  void path(bool is_value);
  void nested(bool is_value);
  void implementation(char tag);
  void argument();
  void lifetime(uint64_t index);
  void type();
  void reference(bool is_mutable);
  void function();
  void object();
  void bound();
  bool open_path();
  void constant();
  void character(uint64_t value);
  // The lifetimes of a "for<…>", in what `read` reads.
  template <class Read>
  void within_binder(const Read& read) {
    const uint64_t count = base_62_behind('G');
    if (count > most_) failed_ = true;
    if (failed_) return;
    if (count > 0) write("for<");
    for (uint64_t i = 0; i < count && !failed_ && !is_silent_; ++i) {
      if (i > 0) write(", ");
      ++lifetimes_;
      lifetime(1);
    }
    if (count > 0) write("> ");
    const uint64_t bound = is_silent_ ? 0 : count;
    read();
    lifetimes_ -= bound;
  }

  std::string_view text_;
  size_t most_;
  size_t at_ = 0;
  bool failed_ = false;
  bool is_silent_ = false;  // what it reads is not shown
  int depth_ = 0;
  uint64_t lifetimes_ = 0;  // bound around the place
  std::string out_;
};

// A value's arguments are written as it is called: "f::<i32>".
void Reader::path(bool is_value) {
  const Level level(*this);
  const size_t tag_at = at_;
  switch (const char tag = next()) {
    case 'C':
      return write(identifier());
    case 'N':
      return nested(is_value);
    case 'M':
    case 'X':
    case 'Y':
      return implementation(tag);
    case 'I':
      path(is_value);
      write(is_value ? "::<" : "<");
      list(", ", [&] { argument(); });
      return write(">");
    case 'B':
      return again(tag_at, [&] { path(is_value); });
    default:
      failed_ = true;
  }
}

void Reader::nested(bool is_value) {
  const char space = next();
  path(is_value);
  const Identifier name = identifier();
  if (is_lower(space)) {
    if (!name.text.empty()) write("::");
    return write(name);
  }
  if (space < 'A' || space > 'Z') failed_ = true;
  write("::{");
  write(space == 'C' ? "closure" : space == 'S' ? "shim" : std::string_view(&space, 1));
  if (!name.text.empty()) write(":");
  write(name);
  write("#" + std::to_string(name.number) + "}");
}

// "<Type>" or "<Type as Trait>".
void Reader::implementation(char tag) {
  if (tag != 'Y') {  // where it stands
    const bool was_silent = std::exchange(is_silent_, true);
    (void)base_62_behind('s');
    path(false);
    is_silent_ = was_silent;
  }
  write("<");
  type();
  if (tag != 'M') {
    write(" as ");
    path(false);
  }
  write(">");
}

void Reader::argument() {
  if (take('L')) return lifetime(base_62());
  if (take('K')) return constant();
  type();
}

// Counted from the innermost; 0: one without a name.
void Reader::lifetime(uint64_t index) {
  if (is_silent_) return;
  if (index > lifetimes_) failed_ = true;
  if (failed_) return;
  const uint64_t number = lifetimes_ - index;
  constexpr uint64_t kLetters = 26;
  if (index == 0) return write("'_");
  write("'");
  if (number >= kLetters) return write("_" + std::to_string(number));
  const auto letter = static_cast<char>('a' + number);
  write({&letter, 1});
}

void Reader::type() {
  const Level level(*this);
  const size_t tag_at = at_;
  const char tag = next();
  const auto* const basic =
      std::ranges::find(kBasicTypes, tag, [](const auto& of) { return of.first; });
  if (basic != std::end(kBasicTypes)) return write(basic->second);
  switch (tag) {
    case 'R':
    case 'Q':
      return reference(tag == 'Q');
    case 'P':
    case 'O':
      write(tag == 'P' ? "*const " : "*mut ");
      return type();
    case 'A':
    case 'S':
      write("[");
      type();
      if (tag == 'A') {
        write("; ");
        constant();
      }
      return write("]");
    case 'T': {
      write("(");
      const bool is_single = list(", ", [&] { type(); }) == 1;
      return write(is_single ? ",)" : ")");
    }
    case 'F':
      return within_binder([&] { function(); });
    case 'D':
      return object();
    case 'B':
      return again(tag_at, [&] { type(); });
    default:
      at_ = tag_at;
      path(false);
  }
}

void Reader::reference(bool is_mutable) {
  write("&");
  if (const uint64_t index = take('L') ? base_62() : 0; index > 0) {
    lifetime(index);
    write(" ");
  }
  if (is_mutable) write("mut ");
  type();
}

void Reader::function() {
  if (take('U')) write("unsafe ");
  if (take('K')) {
    std::string abi = take('C') ? "C" : std::string(plain_identifier().text);
    std::ranges::replace(abi, '_', '-');
    write("extern \"" + abi + "\" ");
  }
  write("fn(");
  list(", ", [&] { type(); });
  write(")");
  if (take('u')) return;  // ()
  write(" -> ");
  type();
}

void Reader::object() {
  write("dyn ");
  within_binder([&] { list(" + ", [&] { bound(); }); });
  if (!take('L')) failed_ = true;
  if (const uint64_t index = base_62(); index > 0) {
    write(" + ");
    lifetime(index);
  }
}

// A trait with what it says of its types: "Iterator<Item = u8>".
void Reader::bound() {
  bool is_open = open_path();
  while (take('p')) {
    write(is_open ? ", " : "<");
    is_open = true;
    write(plain_identifier());
    write(" = ");
    type();
  }
  if (is_open) write(">");
}

// Whether the list of its arguments is still open.
bool Reader::open_path() {
  const Level level(*this);
  const size_t tag_at = at_;
  bool is_open = false;
  if (take('B')) {
    again(tag_at, [&] { is_open = open_path(); });
  } else if (take('I')) {
    path(false);
    write("<");
    list(", ", [&] { argument(); });
    is_open = true;
  } else {
    path(false);
  }
  return is_open;
}

void Reader::constant() {
  const Level level(*this);
  const size_t tag_at = at_;
  const char tag = next();
  if (tag == 'p') return write("_");
  if (tag == 'B') return again(tag_at, [&] { constant(); });
  constexpr std::string_view kSigned = "aslxni", kUnsigned = "htmyoj";
  const bool is_signed = kSigned.find(tag) != std::string_view::npos;
  const bool is_number = is_signed || kUnsigned.find(tag) != std::string_view::npos;
  if (!is_number && tag != 'b' && tag != 'c') failed_ = true;
  if (is_signed && take('n')) write("-");
  const size_t end = failed_ ? std::string_view::npos : text_.find('_', at_);
  if (end == std::string_view::npos) failed_ = true;
  if (failed_) return;
  const std::string_view digits = text_.substr(at_, end - at_);
  at_ = end + 1;
  uint64_t value = 0;
  constexpr int kHex = 16;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, kHex);
  const bool is_all = parsed.ptr == digits.data() + digits.size();
  const bool is_small = digits.empty() || (parsed.ec == std::errc() && is_all);
  if (tag == 'b' && is_small && value <= 1) return write(value == 1 ? "true" : "false");
  if (tag == 'c' && is_small) return character(value);
  if (!is_number || !is_all) failed_ = true;
  if (is_small) return write(std::to_string(value));
  write("0x");
  write(digits);
}

void Reader::character(uint64_t value) {
  constexpr uint64_t kMostOfUnicode = 0x10FFFF;
  const bool is_half = value >= 0xD800 && value <= 0xDFFF;  // of a pair in UTF-16
  if (value > kMostOfUnicode || is_half) failed_ = true;
  if (failed_) return;
  std::string text;
  if (value < ' ') {
    text = fmt::format("\\u{{{:x}}}", value);
  } else {
    append_utf8(text, static_cast<uint32_t>(value));
  }
  write("'" + text + "'");
}

}  // namespace

std::optional<std::string> read_legacy(std::string_view rest) {
  constexpr size_t kHash = 17;
  std::string text;
  for (;;) {
    const size_t length = take_number<size_t>(rest).value_or(0);
    if (length == 0 || length > rest.size()) return std::nullopt;
    std::string_view part = rest.substr(0, length);
    rest.remove_prefix(length);
    const bool is_hash = length == kHash && part.front() == 'h' &&
                         part.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos;
    if (is_hash && (rest == "E" || rest.starts_with("E."))) break;
    if (!text.empty()) text += "::";
    if (part.starts_with("_$")) part.remove_prefix(1);
    while (!part.empty()) {
      constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
          {"$LT$", "<"},  {"$GT$", ">"},   {"$RF$", "&"},  {"$BP$", "*"},  {"$C$", ","},
          {"$SP$", "@"},  {"$LP$", "("},   {"$RP$", ")"},  {"$u20$", " "}, {"$u27$", "'"},
          {"$u5b$", "["}, {"$u5d$", "]"},  {"$u7b$", "{"}, {"$u7d$", "}"}, {"$u3b$", ";"},
          {"$u2b$", "+"}, {"$u22$", "\""}, {"$u7e$", "~"}, {"..", "::"}};
      const auto* const sign = std::ranges::find_if(
          kSigns, [&](const auto& each) { return part.starts_with(each.first); });
      const bool is_sign = sign != std::end(kSigns);
      text += is_sign ? sign->second : part.substr(0, 1);
      part.remove_prefix(is_sign ? sign->first.size() : 1);
    }
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::string> read_v0(std::string_view rest, size_t most) {
  return Reader(rest, most).read();
}

}  // namespace weft::rust
