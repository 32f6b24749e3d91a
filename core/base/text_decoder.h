// Turns the text of programs that do not write UTF-8 into UTF-8: Japanese in cp932 (Shift JIS) or
// EUC-JP, and what else there is as Windows-1252. Texts of one trace have one encoding: the first
// that is not UTF-8 decides which, unless it looks Japanese and is damaged.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace weft {

class TextDecoder {
 public:
  // Returns the text itself if it is UTF-8, else what it says; valid until the next call.
  std::string_view utf8(std::string_view text);

 private:
  struct Close {
    void operator()(void* converter) const;
  };

  void decide(std::string_view text);

  bool is_decided_ = false;
  std::unique_ptr<void, Close> japanese_;  // the converter of iconv; null: Windows-1252
  std::string decoded_;
};

}  // namespace weft
