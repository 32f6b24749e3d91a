#include "core/formats/hpc/paje/paje_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/text.h"
#include "core/io/line_reader.h"

namespace weft::formats::paje {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostOpen = 500;  // below the usual limit of open files
constexpr size_t kMostNamed = 20;  // losses by name
constexpr size_t kMostNames = 1 << 16;
constexpr size_t kMostLineBytes = size_t{1} << 20;
constexpr size_t kBlockBytes = size_t{64} << 10;

}  // namespace

void play(const ParsedLines& lines, const ParsedLines::Entry& entry, Player& player,
          trace::EventSink& sink) {
  if (entry.shape == nullptr) return sink.loss(entry.wrong, entry.offset);
  if (entry.has_more) sink.note("fields that the header does not define", entry.offset);
  player.add(Event(lines, entry));
}

// A file, and its next line that has a time.
class Parts::Part {
 public:
  Part(std::unique_ptr<io::Source> source, std::string_view name, const Header& header,
       trace::EventSink& sink)
      : source_(std::move(source)), name_(valid_utf8(name)), header_(header), sink_(sink) {}

  Time time() const { return time_; }

  // Plays lines up to the next that has a time; false at the end.
  bool advance(Player& player) {
    while (const io::Line* const line = reader_.next()) {
      line_ = *line;
      const size_t first = line_.text.find_first_not_of(" \t");
      if (line_.is_cut) {
        sink_.loss("line too long", line_.offset);
      } else if (first == std::string_view::npos || line_.text[first] == '#') {
        continue;
      } else if (line_.text[first] == '%') {
        if (!own_) own_.emplace();
        if (!own_->add_line(line_.text.substr(first)))
          sink_.loss("line of the header without meaning", line_.offset);
      } else {
        parse();
        const ParsedLines::Entry& entry = lines_.entries.front();
        time_ = entry.time;
        if (entry.has_time) return true;
        give(player);
      }
    }
    if (reader_.error())
      sink_.loss(fmt::format("part {} ends early: {}", name_, reader_.error()->message),
                 reader_.offset());
    return false;
  }

  void parse() {
    lines_.clear();
    (own_ ? *own_ : header_).parse(line_.text, line_.offset, lines_);
  }

  void give(Player& player) { play(lines_, lines_.entries.front(), player, sink_); }

 private:
  std::unique_ptr<io::Source> source_;
  std::string name_;
  const Header& header_;  // of the trace
  trace::EventSink& sink_;
  io::LineReader reader_{*source_, kMostLineBytes, kBlockBytes};
  std::optional<Header> own_;
  io::Line line_;
  ParsedLines lines_;  // of that line
  Time time_;
};

Parts::Parts(fs::path trace, const Header& header, trace::EventSink& sink)
    : trace_(std::move(trace)), header_(header), sink_(sink) {}
Parts::~Parts() = default;

void Parts::open(std::string_view name, uint64_t offset) {
  if (names_.size() >= kMostNames || !names_.emplace(name).second) return;
  auto source = open_file(name);
  if (source) {
    new_.push_back(std::make_unique<Part>(std::move(*source), name, header_, sink_));
  } else if (++missing_ <= kMostNamed) {
    sink_.loss(fmt::format("part {} of the trace: {}", valid_utf8(name), source.error().message),
               offset);
  } else {
    sink_.loss("other parts of the trace that cannot be read", offset);
  }
}

Result<std::unique_ptr<io::Source>> Parts::open_file(std::string_view name) const {
  const fs::path file(name);
  if (trace_ == "-") return fail("standard input has no files beside it");
  if (!file.has_filename() || file.filename() != file || name == "." || name == "..")
    return fail("does not lie in the trace's folder");
  if (file == trace_.filename()) return fail("is the trace itself");
  if (parts_.size() + new_.size() >= kMostOpen) return fail("too many files at once");
  const fs::path path = trace_.parent_path() / file;
  std::error_code error;
  if (fs::is_symlink(path, error)) return fail("is a symbolic link");
  if (!fs::is_regular_file(path, error)) return fail("is not there");
  return io::Source::open(path);
}

void Parts::play_before(const Event& event, Player& player) {
  const auto time = event.time();
  if (!time) return;
  admit(player);
  const bool is_end = event.kind() == EventKind::kDestroyContainer;
  while (!parts_.empty() &&
         (parts_.front()->time() < *time || (is_end && parts_.front()->time() == *time)))
    play_first(player);
}

void Parts::play_all(Player& player) {
  for (admit(player); !parts_.empty() && sink_.keep_going();) play_first(player);
}

void Parts::follow_header() {
  for (const auto& part : parts_) part->parse();
}

// ---- The heap

bool Parts::is_later(const std::unique_ptr<Part>& a, const std::unique_ptr<Part>& b) {
  return a->time() > b->time();
}

void Parts::admit(Player& player) {
  while (!new_.empty()) {
    std::unique_ptr<Part> part = std::move(new_.back());
    new_.pop_back();
    if (!part->advance(player)) continue;
    parts_.push_back(std::move(part));
    std::ranges::push_heap(parts_, is_later);
  }
}

void Parts::play_first(Player& player) {
  std::ranges::pop_heap(parts_, is_later);
  Part& part = *parts_.back();
  part.give(player);
  if (part.advance(player)) {
    std::ranges::push_heap(parts_, is_later);
  } else {
    parts_.pop_back();
  }
  admit(player);
}

}  // namespace weft::formats::paje
