#include "app/cli/version.h"

#include <string_view>

namespace weft::cli {

std::string version_text() {
  constexpr std::string_view kCommit = WEFT_COMMIT;  // empty outside of a repository
  std::string text = "weftscope " WEFT_VERSION;
  if (!kCommit.empty()) text.append(" (").append(kCommit).append(")");
  return text + "\n" WEFT_LIBRARIES;
}

}  // namespace weft::cli
