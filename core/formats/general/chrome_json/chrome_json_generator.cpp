#include "core/formats/general/chrome_json/chrome_json_generator.h"

#include <fmt/compile.h>
#include <fmt/core.h>

#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "core/io/output_file.h"

namespace weft::formats {
namespace {

constexpr uint32_t kLanesPerProcess = 16;
constexpr size_t kWriteFrom = 4 << 20;

uint32_t pid_of(uint32_t lane) { return 1000 + lane / kLanesPerProcess; }
uint32_t tid_of(uint32_t lane) { return 2000 + lane; }

class StateWriter {
 public:
  explicit StateWriter(io::OutputFile& file) : file_(&file) {}

  void head(const trace::Workload::Options& options) {
    text_ += "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    for (uint32_t lane = 0; lane < options.lanes; ++lane) {
      if (lane % kLanesPerProcess == 0) {
        fmt::format_to(out(),
                       "{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":"
                       "\"service {}\"}}}},\n",
                       pid_of(lane), lane / kLanesPerProcess);
      }
      fmt::format_to(out(),
                     "{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_name\",\"args\":{{"
                     "\"name\":\"worker {}\"}}}},\n",
                     pid_of(lane), tid_of(lane), lane);
    }
    for (uint32_t i = 0; i < options.names; ++i) {
      names_.push_back(fmt::format(",\"name\":\"{}\",\"cat\":\"{}\"}}", trace::Workload::name_of(i),
                                   trace::Workload::group_of(i)));
    }
  }

  void state(const trace::Workload::State& s) {
    begin_event('X', s.lane, s.begin);
    const int64_t duration = s.end - s.begin;
    fmt::format_to(out(), FMT_COMPILE(",\"dur\":{}.{:03}"), duration / 1000, duration % 1000);
    text_ += names_[s.name];
    if (s.sends != 0) flow('s', s, s.sends, "");
    if (s.receives != 0) flow('f', s, s.receives, ",\"bp\":\"e\"");
  }

  Status flush(bool is_end) {
    if (is_end) text_ += "\n]}\n";
    if (text_.size() < kWriteFrom && !is_end) return {};
    WEFT_TRY(file_->write_at(at_, std::as_bytes(std::span(text_))));
    at_ += text_.size();
    text_.clear();
    return {};
  }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  void begin_event(char phase, uint32_t lane, int64_t time) {
    if (has_event_) text_ += ",\n";
    has_event_ = true;
    fmt::format_to(out(), FMT_COMPILE("{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{}.{:03}"),
                   phase, pid_of(lane), tid_of(lane), time / 1000, time % 1000);
  }
  void flow(char phase, const trace::Workload::State& s, uint64_t id, const char* binding) {
    begin_event(phase, s.lane, s.begin);
    fmt::format_to(out(), ",\"id\":{}{},\"name\":\"message\",\"cat\":\"flow\"}}", id, binding);
  }

  io::OutputFile* file_;
  std::string text_;
  uint64_t at_ = 0;
  bool has_event_ = false;
  std::vector<std::string> names_;
};

}  // namespace

Status write_chrome_json(const std::filesystem::path& path,
                         const trace::Workload::Options& options) {
  WEFT_TRY_ASSIGN(io::OutputFile file, io::OutputFile::create(path));
  StateWriter writer(file);
  writer.head(options);
  trace::Workload workload(options);
  trace::Workload::State state;
  while (workload.next(state)) {
    writer.state(state);
    WEFT_TRY(writer.flush(false));
  }
  WEFT_TRY(writer.flush(true));
  return file.commit();
}

}  // namespace weft::formats
