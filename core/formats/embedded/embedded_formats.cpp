// The formats of embedded systems and circuits.
#include "core/formats/built_in.h"

#include "core/formats/embedded/blf/blf_reader.h"
#include "core/formats/embedded/btf/btf_reader.h"
#include "core/formats/embedded/dlt/dlt_reader.h"
#include "core/formats/embedded/fst/fst_reader.h"
#include "core/formats/embedded/ghw/ghw_reader.h"
#include "core/formats/embedded/kanata/kanata_reader.h"
#include "core/formats/embedded/nexus_lite/nexus_lite_reader.h"
#include "core/formats/embedded/psf/psf_reader.h"
#include "core/formats/embedded/sigrok/sigrok_csv_reader.h"
#include "core/formats/embedded/sigrok/sigrok_reader.h"
#include "core/formats/embedded/systemview/systemview_reader.h"
#include "core/formats/embedded/tlv/tlv_reader.h"
#include "core/formats/embedded/vcd/vcd_reader.h"
#include "core/formats/pages.h"
#include "core/formats/state_adapter.h"

namespace weft::formats {

std::vector<Format> embedded_formats() {
  return {
      {.id = "kanata",
       .name = "Kanata log of a processor's pipeline",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"log", "kanata"},
       .sniff = sniff_kanata,
       .read = read_kanata,
       .columns = {{"Text", "text"}}},
      {.id = "btf",
       .name = "Best Trace Format",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"btf"},
       .sniff = sniff_btf,
       .read = read_btf,
       .version = 4,
       .options = {states_option()},
       .pages = process_pages()},
      {.id = "blf",
       .name = "Vector log of buses (BLF)",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"blf"},
       .sniff = sniff_blf,
       .read = read_blf,
       .options = {states_option()},
       .columns = {{"Direction", "direction"}},
       .panels = {"density", "events"}},
      {.id = "dlt",
       .name = "AUTOSAR Diagnostic Log and Trace",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"dlt"},
       .sniff = sniff_dlt,
       .read = read_dlt,
       .version = 4,
       .options = {states_option()},
       .panels = {"density", "events"}},
      {.id = "nexus-lite",
       .name = "Nexus-lite",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"nexus", "nexuslite"},
       .sniff = sniff_nexus_lite,
       .read = read_nexus_lite,
       .options = {states_option()},
       .columns = {{"Value", "value"}},
       .pages = {{"values", "Values by type",
                  "SELECT type, count(*) AS events, min(params ->> '$.value') AS least, "
                  "avg(params ->> '$.value') AS mean, max(params ->> '$.value') AS most "
                  "FROM punctuals WHERE time >= :from AND time < :to "
                  "GROUP BY type_id ORDER BY events DESC"}},
       .panels = {"density", "events"}},
      {.id = "systemview",
       .name = "SEGGER SystemView recording",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"SVDat", "SVdat"},
       .sniff = sniff_systemview,
       .read = read_systemview,
       .version = 2,
       .options = {states_option()},
       .pages = task_pages()},
      {.id = "psf",
       .name = "Percepio Trace Recorder stream or snapshot",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"psf", "psfs", "bin"},
       .sniff = sniff_psf,
       .read = read_psf,
       .version = 3,
       .options = {states_option()},
       .columns = {{"Message", "message"}, {"Priority", "priority"}},
       .pages = rtos_pages()},
      {.id = "tlv",
       .name = "TLV standard log, log of a TOPPERS kernel",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"log"},
       .sniff = sniff_tlv,
       .read = read_tlv,
       .version = 4,
       .options = {states_option()}},
      {.id = "vcd",
       .name = "Value change dump",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"vcd"},
       .sniff = sniff_vcd,
       .read = read_vcd,
       .version = 11},
      {.id = "sigrok",
       .name = "Session of sigrok (PulseView)",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"sr"},
       .sniff = sniff_sigrok,
       .read = read_sigrok,
       .sniff_folder = sniff_sigrok_folder,
       .version = 2},
      {.id = "sigrok-csv",
       .name = "Table of sigrok (CSV)",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"csv"},
       .sniff = sniff_sigrok_csv,
       .read = read_sigrok_csv,
       .version = 2},
      {.id = "fst",
       .name = "Fast Signal Trace",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"fst"},
       .sniff = sniff_fst,
       .read = read_fst,
       .version = 8},
      {.id = "ghw",
       .name = "GHDL waveform",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"ghw"},
       .sniff = sniff_ghw,
       .read = read_ghw,
       .version = 4},
  };
}

}  // namespace weft::formats
