// How a document of XML begins, for sniffing.
#pragma once

#include <string_view>

#include "core/formats/base/text.h"

namespace weft::formats {

// Returns the text from its first element on, behind declarations and comments; empty if there is
// none, or if it is not XML.
inline std::string_view xml_root(std::string_view text) {
  take_prefix(text, "\xEF\xBB\xBF");
  for (;;) {
    text = trimmed(text);
    std::string_view end = ">";
    if (text.starts_with("<!--"))
      end = "-->";
    else if (text.starts_with("<?"))
      end = "?>";
    else if (!text.starts_with("<!"))
      break;
    const size_t at = text.find(end);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + end.size());
  }
  return text.starts_with('<') ? text : std::string_view();
}

}  // namespace weft::formats
