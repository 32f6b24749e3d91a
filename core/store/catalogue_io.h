// Reads and writes the sections of a .weft other than events: names, lanes, types, rows, metadata,
// losses, totals.
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

// Encodes all sections that describe the trace and its rows, calling put(id, bytes) with each in
// one or more pieces, since a section of a million names is large. Sets `format_string` of the
// header.
using PutSection = std::function<void(SectionId id, std::string_view bytes)>;
void encode_catalogue(const trace::Dictionary& dictionary, std::span<const SegmentRow> rows,
                      std::span<const TableRef> lists, FileHeader& header, const PutSection& put);

// Encodes the section kTotals.
std::string encode_totals(const Totals& totals);

// An opened file whose header and directory have been checked.
struct OpenedFile {
  FileHeader header;
  std::vector<DirectoryEntry> directory;
  uint64_t checked_end = 0;  // checksums cover the pages before it
  std::vector<uint32_t> checksums;

  // Returns null if there is no such section.
  const DirectoryEntry* find(SectionId id) const;
};
Result<OpenedFile> check_header(std::span<const std::byte> file);

// Decodes kStrings, kLanes, kTypes, kMetadata and kLosses; every index is checked.
Result<std::shared_ptr<const trace::Dictionary>> decode_dictionary(const OpenedFile& file,
                                                                   const Segment& segment);

// Decodes kTotals; empty if the file has none.
Result<Totals> decode_totals(const OpenedFile& file, const Segment& segment);

// Decodes kRows and kLists; every index is checked against the dictionary's sizes.
struct DecodedRows {
  LargeVector<SegmentRow> rows;
  std::vector<TableRef> lists;
};
Result<DecodedRows> decode_rows(const OpenedFile& file, const Segment& segment,
                                const trace::Dictionary& dictionary);

}  // namespace weft::store
