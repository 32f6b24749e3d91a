#include "render/batch.h"

namespace weft::render {

void DrawBatch::clear() {
  backdrops.clear();
  strips.clear();
  boxes.clear();
  lines.clear();
  markers.clear();
}

}  // namespace weft::render
