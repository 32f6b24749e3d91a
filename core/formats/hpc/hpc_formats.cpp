// The formats of high-performance computing.
#include "core/formats/built_in.h"

#include "core/formats/hpc/otf2/otf2_reader.h"
#include "core/formats/hpc/paje/paje_reader.h"
#include "core/formats/hpc/paraver/paraver_reader.h"
#include "core/formats/hpc/pj_dump/pj_dump_reader.h"
#include "core/formats/hpc/projections/projections_reader.h"
#include "core/formats/pages.h"
#include "core/formats/state_adapter.h"
#include "core/formats/writers/paje_writer.h"
#include "core/formats/writers/pj_dump_writer.h"

namespace weft::formats {

std::vector<Format> hpc_formats() {
  return {
      {.id = "paje",
       .name = "Pajé",
       .category = "High-performance computing",
       .icon = "▤",
       .extensions = {"trace", "paje", "ept"},
       .sniff = sniff_paje,
       .read = read_paje,
       .opens_beside = opens_any(),
       .create_writer = create_paje_writer,
       .version = 7,
       .options = {states_option()}},
#ifdef WEFT_HAS_OTF2
      {.id = "otf2",
       .name = "Open Trace Format 2",
       .category = "High-performance computing",
       .icon = "▤",
       .extensions = {"otf2"},
       .sniff = sniff_otf2,
       .read = read_otf2,
       .sniff_folder = sniff_otf2_folder,
       .reads_named_file = true,
       .is_foreign = true,
       .place_unit = trace::PlaceUnit::kEvent,
       .version = 10,
       .pages = message_pages()},
#endif
      {.id = "paraver",
       .name = "Paraver",
       .category = "High-performance computing",
       .icon = "▤",
       .extensions = {"prv"},
       .sniff = sniff_paraver,
       .read = read_paraver,
       .opens_beside = opens_endings({".pcf", ".row"}),
       .version = 8,
       .columns = {{"Tag", "tag"}, {"Size", "size"}, {"CPU", "cpu"}},
       .pages = message_pages()},
      {.id = "projections",
       .name = "Logs of Charm++ (Projections)",
       .category = "High-performance computing",
       .icon = "▤",
       .extensions = {"sts", "log"},
       .sniff = sniff_projections,
       .read = read_projections,
       .run_of = projections_run,
       .version = 3,
       .columns = {{"Entry", "entry"}, {"Bytes", "bytes"}, {"From", "from"}, {"Index", "index"}},
       .pages = message_pages()},
      {.id = "pj-dump",
       .name = "pj_dump of a Pajé trace",
       .category = "High-performance computing",
       .icon = "▤",
       .extensions = {"csv", "pjdump"},
       .sniff = sniff_pj_dump,
       .read = read_pj_dump,
       .create_writer = create_pj_dump_writer,
       .version = 5},
  };
}

}  // namespace weft::formats
