// Reads Nsight Systems exports: a table for each kind of event, with common columns.
//
//   globalTid, globalPid    machine : 16 | process : 24 | thread : 24
//   nameId, textId          a text in StringIds
//   correlationId           a call, and what it set off on a device
//
// Source: "SQLite Export Schema Reference" of Nsight Systems.
#pragma once

#include "core/formats/general/sqlite/schemas.h"

namespace weft::formats::sqlite {

void add_nsight(const Database& database, Plan& plan);

}  // namespace weft::formats::sqlite
