// Reads a mangled name of C++ (the Itanium C++ ABI, chapter 5.1), for demangle.h alone.
//
// Every text that it makes is bounded, what can be referred to is made once, and it knows no
// expressions.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::itanium {

constexpr size_t kMostChars = 4096;
constexpr int kMostDepth = 100;

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What is around a declared name: "int (*" and ")(char)".
struct Type {
  std::string before = {}, after = {};
  bool is_function = false, is_array = false;
  // What it stands for depends on where it is: one of several, or in another function.
  bool is_bound = false;
  bool has_parameter = false;  // of a template, whose function is being read
  std::string text() const { return before + after; }
};

// An argument of a template; a pack has any number of types.
struct Argument {
  std::vector<Type> types;
  bool is_pack = false;
};

struct Name {
  std::string text;
  std::string last;  // its last part, without arguments: what constructors are called
  bool has_arguments = false, has_return_type = true;
  std::string qualifiers;  // of a member function
};

// Reads as far as it understands; `failed_` from then on, and what it returns means nothing.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<std::string> read() {
    std::string text = encoding(/*is_outermost=*/true);
    if (!failed_ && take('.')) {
      text += " [clone ." + std::string(std::exchange(rest_, {})) + "]";
    }
    if (failed_ || !rest_.empty()) return std::nullopt;
    return text;
  }

 private:
  // What a call adds to its depth, and takes away again.
  struct Level {
    explicit Level(Reader& reader) : of(reader) { of.fail_if(++of.depth_ > kMostDepth); }
    ~Level() {
      --of.depth_;
      of.parameters_before_ = before;
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Reader& of;
    size_t before = of.parameters_before_;
  };

  void fail_if(bool is_wrong) {
    failed_ |= is_wrong;
    if (failed_) rest_ = {};
  }
  void fail() { fail_if(true); }
  char peek(size_t at = 0) const { return at < rest_.size() ? rest_[at] : '\0'; }
  bool take(char c) {
    if (peek() != c || c == '\0') return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void want(char c) {
    if (!take(c)) fail();
  }
  size_t number() {
    size_t value = 0;
    const auto parsed = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    fail_if(parsed.ec != std::errc());
    if (!failed_) rest_ = {parsed.ptr, rest_.data() + rest_.size()};
    return value;
  }
  // "_": 0, "0_": 1, "A_": 11, in 36ths.
  size_t sequence(size_t base = 36) {
    constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (take('_')) return 0;
    size_t value = 0;
    for (int i = 0; i < 4 && !take('_'); ++i) {
      const size_t digit = peek() == '\0' ? base : kDigits.find(peek());
      fail_if(digit >= base || i == 3);
      if (failed_) return 0;
      value = value * base + digit;
      rest_.remove_prefix(1);
    }
    return value + 1;
  }
  // All that is made goes through here: nothing grows beyond what a name may have.
  void add(std::string& text, std::string_view more) {
    fail_if(text.size() + more.size() > kMostChars);
    if (!failed_) text += more;
  }
  void keep(const Type& type) {
    fail_if(type.before.size() + type.after.size() > kMostChars);
    if (failed_) return;
    known_.push_back(type);
    known_.back().has_parameter |= parameters_read_ > parameters_before_;
  }
  void keep(const std::string& text) { keep(Type{.before = text}); }

  std::string encoding(bool is_outermost);
  std::string special(std::string_view what);
  Name name();
  Name nested();
  Name local();
  Name unscoped();
  void add_unqualified(Name& to);
  std::string source_name();
  std::string operator_name(Name& to);
  std::string unnamed();
  std::string arguments(bool are_of_name);
  void add_argument(std::vector<Argument>& to);
  Type literal();
  Type type();
  Type qualified();
  Type pointed(std::string_view sign);
  Type function(std::string_view qualifiers = {});
  Type member_pointer();
  Type array();
  enum class Arguments : uint8_t { kTake, kLeave };  // that stand behind it
  Type substitution(Arguments theirs = Arguments::kTake);
  Type parameter(Arguments theirs = Arguments::kTake);
  Type named_type();
  void add_types(std::vector<Type>& to);
  std::string parameters();
  std::string with_arguments(std::string text);

  std::string_view rest_;
  bool failed_ = false;
  int depth_ = 0;
  std::vector<Type> known_;
  size_t parameters_read_ = 0, parameters_before_ = 0;  // before the type that is being read
  std::vector<Argument> arguments_;                     // of the function's name
  bool is_name_ = false;                                // of the function, is being read
  bool is_in_lambda_ = false;
  // In an expansion: which of a pack; how many it has.
  std::optional<size_t> of_pack_;
  size_t pack_size_ = 0;
  bool has_pack_ = false;
};

}  // namespace weft::itanium
