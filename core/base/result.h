// The error type. A function that can fail returns Result<T>: a value, or an Error whose message
// gains context on its way up.
//
// An Error is written for the user: one line that says what was being done, to what, where and why.
// Exceptions do not leave a module; assertions are for bugs of our own, never for input.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace weft {

struct Error {
  std::string message;

  // Prefixes what was being done: Error{"no space left"}.context("out.weft") reads "out.weft: no
  // space left".
  [[nodiscard]] Error context(const std::string& what) && {
    return Error{what + ": " + std::move(message)};
  }
};

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> fail(std::string message) {
  return std::unexpected(Error{std::move(message)});
}
inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

}  // namespace weft

// Return the error to the caller, if there is one: WEFT_TRY(status()), or WEFT_TRY_ASSIGN(auto
// file, open(path)).
#define WEFT_TRY(expression)                                \
  do {                                                      \
    if (auto weft_try_ = (expression); !weft_try_)          \
      return std::unexpected(std::move(weft_try_).error()); \
  } while (false)
#define WEFT_TRY_CONCAT2(a, b) a##b
#define WEFT_TRY_CONCAT(a, b) WEFT_TRY_CONCAT2(a, b)
#define WEFT_TRY_ASSIGN(declaration, expression)                                     \
  auto WEFT_TRY_CONCAT(weft_try_, __LINE__) = (expression);                          \
  if (!WEFT_TRY_CONCAT(weft_try_, __LINE__))                                         \
    return std::unexpected(std::move(WEFT_TRY_CONCAT(weft_try_, __LINE__)).error()); \
  declaration = std::move(*WEFT_TRY_CONCAT(weft_try_, __LINE__))
