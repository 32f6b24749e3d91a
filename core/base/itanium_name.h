// A parser of mangled C++ names (Itanium C++ ABI, section 5.1); internal to demangle.h.
//
// Bounded: every text it builds has a maximum length, and each substitution candidate is built
// once. Expressions are not supported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/numbers.h"

namespace weft::itanium {

constexpr size_t kMostChars = 4096;
constexpr int kMostDepth = 100;

// A type, split around the name it declares: "int (*" and ")(char)".
struct Type {
  std::string before = {}, after = {};
  bool is_function = false, is_array = false;
  // Its meaning depends on its context (an element of a pack, or another function's parameter).
  bool is_bound = false;
  bool has_parameter = false;  // mentions a template parameter of the function being read
  std::string text() const { return before + after; }
};

// A template argument: one type, or any number of types if it is a pack.
struct Argument {
  std::vector<Type> types;
  bool is_pack = false;
};

struct Name {
  std::string text;
  std::string last;  // the last component without arguments, which names constructors
  bool has_arguments = false, has_return_type = true;
  std::string qualifiers;  // cv- and ref-qualifiers of a member function
};

// A recursive-descent parser. Once `failed_` is set the input is empty and results are meaningless.
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
  // Counts the depth of recursion and restores the parser's state at the end of the scope.
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
    const auto value = take_number<size_t>(rest_);
    fail_if(!value);
    return value.value_or(0);
  }
  // Reads a sequence number in base 36: "_" is 0, "0_" is 1, "A_" is 11.
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
  // Appends `more`. All text is built here, so that none exceeds kMostChars.
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
  enum class Arguments : uint8_t { kTake, kLeave };  // template arguments that follow
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
  std::vector<Argument> arguments_;                     // template arguments of the function's name
  bool is_name_ = false;                                // the function's own name is being read
  bool is_in_lambda_ = false;
  // During a pack expansion: the index of the element, and the size of the pack.
  std::optional<size_t> of_pack_;
  size_t pack_size_ = 0;
  bool has_pack_ = false;
};

}  // namespace weft::itanium
