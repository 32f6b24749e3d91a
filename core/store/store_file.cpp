#include "core/store/store_file.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "core/base/crc32c.h"
#include "core/store/catalogue_io.h"
#include "core/store/id_zones.h"
#include "core/store/merge.h"

namespace weft::store {
namespace {

// Writes sections one after the other and notes where they lie.
class SectionWriter {
 public:
  explicit SectionWriter(FileEnd& end) : end_(&end) {}

  // A section, or what follows of the last one.
  void put(SectionId id, std::string_view bytes, uint32_t crc = 0) {
    const uint64_t at = end_->take(bytes.size());
    end_->write(at, bytes);
    if (directory_.empty() || directory_.back().id != static_cast<uint32_t>(id))
      directory_.push_back({static_cast<uint32_t>(id), crc, at, 0});
    directory_.back().bytes += bytes.size();
  }
  // The first section: of what has been written into the file from there on nothing is copied.
  void add_params(std::span<const ParamsChain::Piece> pieces, const io::NewFile& file) {
    if (pieces.empty()) return;
    const uint64_t size = pieces.back().at + pieces.back().bytes.size();
    const uint64_t at = end_->take(size);
    for (const ParamsChain::Piece& piece : pieces) {
      if (piece.store->lies_in(file)) continue;
      end_->write(at + piece.at,
                  {reinterpret_cast<const char*>(piece.bytes.data()), piece.bytes.size()});
    }
    directory_.push_back({static_cast<uint32_t>(SectionId::kParams), 0, at, size});
  }
  const std::vector<DirectoryEntry>& directory() const { return directory_; }

 private:
  FileEnd* end_;
  std::vector<DirectoryEntry> directory_;
};

// One CRC-32C for each page of [0, end) of the file as written; page 0 begins after the header.
Result<std::vector<uint32_t>> page_checksums(const io::OutputFile& file, uint64_t end,
                                             ThreadPool& pool) {
  // A hole at the very end (a slab given back) must exist before it can be mapped.
  WEFT_TRY_ASSIGN(const io::MappedFile map, file.map(0, end));
  std::vector<uint32_t> sums((end + kPageBytes - 1) / kPageBytes);
  constexpr size_t kPagesPerTask = 256;
  pool.for_each((sums.size() + kPagesPerTask - 1) / kPagesPerTask, [&](size_t task) {
    const size_t last = std::min(sums.size(), (task + 1) * kPagesPerTask);
    for (size_t page = task * kPagesPerTask; page < last; ++page) {
      const uint64_t from = std::max(page * kPageBytes, kHeaderBytes);
      const uint64_t to = std::min((page + 1) * kPageBytes, end);
      sums[page] = crc32c(map.bytes().data() + from, to - from);
    }
  });
  WEFT_TRY(map.health());
  return sums;
}

void report(std::string_view kind, const StatesOfLane& of, bool is_damage,
            trace::Dictionary& dictionary) {
  dictionary.report.add(kind, trace::LossPlace::on_time_line(of.lane, of.first), of.states,
                        is_damage);
}

void report_overlaps(const SegmentDraft& draft, trace::Dictionary& dictionary) {
  for (const StatesOfLane& overlaps : draft.overlaps()) {
    if (!may_overlap(dictionary.lane(overlaps.lane).kind))
      report(kOverlapLoss, overlaps, /*is_damage=*/false, dictionary);
  }
}

// Returns how many there are.
uint64_t report_refused(std::span<const StatesOfLane> refused, trace::Dictionary& dictionary) {
  uint64_t sum = 0;
  for (const StatesOfLane& of : refused) {
    report(kDepthLoss, of, /*is_damage=*/true, dictionary);
    sum += of.states;
  }
  return sum;
}

template <class T, class Allocator>
std::string_view bytes_of(const std::vector<T, Allocator>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// Whether all that was written before came back as it was.
Status health_of(const StoreContent& content) {
  for (const auto& segment : content.segments) WEFT_TRY(segment->health());
  return content.params.health();
}

}  // namespace

Status write_store(io::OutputFile& file, const StoreContent& content, uint64_t records_at_once,
                   ThreadPool& pool) {
  FileEnd end(
      [&](uint64_t at, std::span<const std::byte> bytes) -> Status {
        if (content.is_given_up) return fail("was given up");
        return file.write_at(at, bytes);
      },
      kParamsAt);
  SectionWriter sections(end);
  const std::vector<ParamsChain::Piece> params = content.params.pieces();
  sections.add_params(params, file);
  SegmentDraft draft(Totals::over(content.range, content.counts.total()));
  merge_segments(content.segments, content.params.moves_in_file(), records_at_once, pool, end,
                 draft, content.merged);
  report_overlaps(draft, content.dictionary);
  const uint64_t refused = report_refused(content.refused, content.dictionary) +
                           report_refused(draft.refused(), content.dictionary);
  const LargeVector<SegmentRow> rows = draft.take_rows();
  const std::vector<TableRef> lists = draft.take_lists();

  FileHeader header{};
  encode_catalogue(content.dictionary, rows, lists, header,
                   [&](SectionId id, std::string_view bytes) { sections.put(id, bytes); });
  if (!draft.totals().counts.empty())
    sections.put(SectionId::kTotals, encode_totals(draft.totals()));
  WEFT_TRY(end.status());
  WEFT_TRY_ASSIGN(const LargeVector<IdZone> zones, id_zones(file, end.end(), rows, params, pool));
  WEFT_TRY(health_of(content));
  if (!zones.empty()) sections.put(SectionId::kMessageIds, bytes_of(zones));
  WEFT_TRY_ASSIGN(const std::vector<uint32_t> sums, page_checksums(file, end.end(), pool));
  const std::string_view sum_bytes = bytes_of(sums);
  sections.put(SectionId::kPageChecksums, sum_bytes, crc32c(sum_bytes.data(), sum_bytes.size()));

  const std::string_view directory = bytes_of(sections.directory());
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.endian_mark = kEndianMark;
  header.generation = std::random_device{}() | uint64_t{std::random_device{}()} << 32;
  header.directory_entries = static_cast<uint32_t>(sections.directory().size());
  header.directory_crc = crc32c(directory.data(), directory.size());
  header.directory_at = end.take(directory.size());
  end.write(header.directory_at, directory);
  header.file_bytes = end.end();
  header.time_base = static_cast<uint32_t>(content.dictionary.time_base);
  header.begin = content.range.begin.ticks;
  header.end = content.range.end.ticks;
  std::copy(std::begin(content.counts.by_category), std::end(content.counts.by_category),
            header.counts);
  header.counts[static_cast<size_t>(trace::Category::kState)] -= refused;
  header.crc = crc32c(&header, offsetof(FileHeader, crc));
  end.write(0, {reinterpret_cast<const char*>(&header), sizeof header});
  WEFT_TRY(end.status());
  return file.resize(header.file_bytes);  // it was as long as whole extents of parameters
}

}  // namespace weft::store
