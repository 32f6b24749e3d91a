// The sections of a .weft that are not events: names, lanes, types, rows, metadata, losses, totals.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/file_format.h"
#include "core/store/segment.h"
#include "core/store/totals.h"
#include "core/trace/model.h"

namespace weft::store {

// Calls put(id, bytes) for all sections that describe the trace and its rows, one after the other,
// each in pieces, at least one: of a million names one is large. Sets `format_string` of the
// header.
using PutSection = std::function<void(SectionId id, std::string_view bytes)>;
void encode_catalogue(const trace::Dictionary& dictionary, std::span<const SegmentRow> rows,
                      std::span<const TableRef> lists, FileHeader& header, const PutSection& put);

// The section kTotals.
std::string encode_totals(const Totals& totals);

// A file's bytes, opened: the header and the directory have been checked.
struct OpenedFile {
  FileHeader header;
  std::vector<DirectoryEntry> directory;
  uint64_t checked_end = 0;  // pages before it have checksums
  std::vector<uint32_t> checksums;

  // nullptr where there is no such section.
  const DirectoryEntry* find(SectionId id) const;
};
Result<OpenedFile> check_header(std::span<const std::byte> file);

// Decodes kStrings, kLanes, kTypes, kMetadata and kLosses; every index is checked.
Result<std::shared_ptr<const trace::Dictionary>> decode_dictionary(const OpenedFile& file,
                                                                   const Segment& segment);

// Decodes kTotals; empty where the file has none.
Result<Totals> decode_totals(const OpenedFile& file, const Segment& segment);

// Decodes kRows and kLists; every index is checked against the dictionary's sizes.
struct DecodedRows {
  std::vector<SegmentRow> rows;
  std::vector<TableRef> lists;
};
Result<DecodedRows> decode_rows(const OpenedFile& file, const Segment& segment,
                                const trace::Dictionary& dictionary);

}  // namespace weft::store
