#include "core/formats/profiles/stack_text/variants.h"

namespace weft::formats::stack_text {

Surest surest_variant(std::string_view head) {
  Surest surest;
  for (const auto& variants :
       {counted_variants(), dump_variants(), tree_variants(), table_variants(), report_variants(),
        uftrace_variants(), pprof_variants()}) {
    for (const Variant& each : variants) {
      const int score = each.sniff(head);
      if (score > surest.score) surest = {&each, score};
    }
  }
  return surest;
}

}  // namespace weft::formats::stack_text
