// Arguments and return values of functions in uftrace's recordings. The bytes after a record have
// the form that the user specified ("main@arg1,arg2/s", in `info`), that debug information gave
// (NAME.dbg), or that uftrace knows for the C library, in this order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/regex.h"
#include "core/formats/profiles/uftrace/uftrace_enumerations.h"
#include "core/formats/profiles/uftrace/uftrace_session.h"

namespace weft::formats::uftrace {

struct Argument {
  std::string name;  // "arg1", "ret"
  char form = 'd';   // as in "arg1/x"
  uint32_t size_bytes = 8;
  std::string enumeration;  // of form e: whose names its numbers have
};

struct Function {
  std::vector<Argument> given, returned;
  bool is_empty() const { return given.empty() && returned.empty(); }
};

// "arg1,arg2/s,retval/i32". Words that say something else are passed over.
Function parse_function(std::string_view text);

// Returns the size of the arguments, padded to the next record; nullopt if `bytes` is shorter.
std::optional<size_t> bytes_of(std::span<const Argument> arguments, std::string_view bytes);
// An object of the values. Returns nullopt if the bytes have another form.
std::optional<std::string> values_of(std::span<const Argument> arguments, std::string_view bytes,
                                     const Enumerations& enumerations);

class Arguments {
 public:
  // `folder` is the one that holds `info`.
  explicit Arguments(const std::filesystem::path& folder);

  Function of(const Sessions::Place& function) const;
  const Enumerations& enumerations() const { return enumerations_; }

 private:
  struct Asked {
    std::string name;
    std::optional<Regex> pattern;  // where the name is one
    Function function;
  };

  void add_asked(std::string_view text);
  void add_known(std::string_view text);
  void read_debug_information(const std::filesystem::path& file);

  std::vector<Asked> asked_;
  std::map<std::string, Function, std::less<>> known_;              // by uftrace
  std::map<std::pair<std::string, uint64_t>, Function> described_;  // by debug information
  Enumerations enumerations_;
  bool are_all_known_asked_ = false;
};

}  // namespace weft::formats::uftrace
