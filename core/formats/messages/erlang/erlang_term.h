// Terms of Erlang as io:format("~p.~n") and "~w" print them, taken apart as far as a trace needs
// it:
//
//   {trace_ts,<0.85.0>,send,{work,1,<0.9.0>},<0.82.0>,{1795,224132,809169}}.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats::erlang {

// Lines become terms: a long one is printed in several.
class Terms {
 public:
  // Returns true if `term()` is whole with this line: up to its full stop, which is taken off.
  bool add(std::string_view line);
  // Lives as long as its last line, and until the next is added.
  std::string_view term() const { return term_; }
  bool is_open() const { return !is_whole_ && !text_.empty(); }
  size_t size_bytes() const { return text_.size(); }
  void clear();

 private:
  std::string text_;  // of a term of several lines
  std::string_view term_;
  size_t looked_at_ = 0;
  size_t depth_ = 0;
  char quote_ = 0;  // within which the text is
  bool is_whole_ = false;
};

// The parts of a tuple or list; false where it is none. Views into it.
bool split(std::string_view term, std::vector<std::string_view>& parts);

// 'receive' is receive.
std::string_view atom(std::string_view term);

}  // namespace weft::formats::erlang
