// The reader of sequence charts that are written line by line:
//
//   sequenceDiagram                          @startuml
//     participant C as Client                participant Client as C
//     C->>+S: data                           C -> S ++ : data
//     Note over S: again                     note over S : again
//     loop 3 times                           loop 3 times
//       S-->>C: ack                            S --> C : ack
//     end                                    end
//     S--x-C: gone                           S -->x C -- : gone
//                                            @enduml
//
// in Mermaid (.mmd) and PlantUML (.puml). What lines mean is in notation.h, what a chart means in
// chart.h. Each line with a message, a note or a mark is a row. "activate" counts from the last
// message on; boxes around participants are lanes above theirs. A file may hold several charts,
// whose rows go on; text beside them is passed over, and diagrams of other kinds are counted.
// Branches of PlantUML's preprocessor are all read, and what it includes is not.
//
// Source: the documentation of both (Mermaid 11, PlantUML 1.2024). The whole file is mapped.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_mermaid(std::span<const std::byte> head);
Status read_mermaid(io::Source& source, trace::EventSink& sink, const ReadContext& context);
int sniff_plantuml(std::span<const std::byte> head);
Status read_plantuml(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
