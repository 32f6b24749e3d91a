#include "app/opening/plugins.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/base/json.h"
#include "app/opening/child_process.h"
#include "app/opening/inquiry.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/formats/format_json.h"
#include "core/formats/formats.h"
#include "core/formats/plugin/plugin.h"
#include "core/io/listing.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

struct Complaints {
  std::mutex mutex;
  std::vector<std::string> lines;
};
Complaints& complaints() {
  static Complaints all;
  return all;
}

void complain(std::string line) {
  Complaints& all = complaints();
  const std::lock_guard lock(all.mutex);
  all.lines.push_back(std::move(line));
}

Error of_plugin(const fs::path& plugin, Error error) {
  return std::move(error).context(printable(plugin.string()));
}

// A plugin that failed once is not asked again: a file is opened while the user waits.
class Plugin {
 public:
  Plugin(fs::path program, fs::path file) : program_(std::move(program)), file_(std::move(file)) {}

  const fs::path& file() const { return file_; }
  Result<std::string> description() const {
    return ask_reader(program_, {"--describe", file_.string()});
  }

  int sniff(std::span<const std::byte> head) {
    const std::lock_guard lock(mutex_);
    if (has_failed_) return 0;
    const auto answer = ask(head);
    std::string_view line = answer ? *answer : "";
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (const auto score = parse_number<int>(line)) return std::clamp(*score, 0, 100);
    has_failed_ = true;
    inquiry_.reset();
    complain(of_plugin(file_, answer ? Error{"it does not sniff"} : answer.error()).message);
    return 0;
  }

 private:
  // Many files of an archive are asked about, and a process takes long to start.
  Result<std::string> ask(std::span<const std::byte> head) {
    if (inquiry_) {
      auto answer = inquiry_->ask(head);  // none if it has ended meanwhile
      if (answer) return answer;
      inquiry_.reset();
    }
    WEFT_TRY_ASSIGN(inquiry_, Inquiry::start(program_, {"--sniff", file_.string()}));
    return inquiry_->ask(head);
  }

  fs::path program_, file_;
  std::mutex mutex_;  // guards what is below
  std::optional<Inquiry> inquiry_;
  bool has_failed_ = false;
};

Result<formats::Format> describe(const std::shared_ptr<Plugin>& plugin) {
  WEFT_TRY_ASSIGN(const std::string answer, plugin->description());
  const auto json = parse_json<nlohmann::ordered_json>(answer);
  if (const auto error = json.is_object() ? json.find("error") : json.end();
      json.is_object() && error != json.end() && error->is_string()) {
    return fail(error->get<std::string>());
  }
  WEFT_TRY_ASSIGN(formats::Format format, formats::format_from_json(json));
  format.sniff = [plugin](std::span<const std::byte> head) { return plugin->sniff(head); };
  format.read = [](io::Source&, trace::EventSink&, const formats::ReadContext&) -> Status {
    return fail(
        "is read by a plugin, in a process of its own: that takes weftscope-reader beside the "
        "program");
  };
  format.opens_beside = formats::opens_namesakes();
  format.is_foreign = true;
  format.origin = plugin->file();
  return format;
}

Status add_plugin(const fs::path& program, const fs::path& file) {
  WEFT_TRY(formats::check_plugin(file));
  const auto plugin = std::make_shared<Plugin>(program, file);
  WEFT_TRY_ASSIGN(formats::Format format, describe(plugin));
  return formats::add_format(std::move(format));
}

}  // namespace

void add_plugins() {
  const fs::path folder = formats::plugin_folder();
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) return;
  std::vector<fs::path> files;
  for (const fs::directory_entry& each : io::Listing::of(folder).entries)
    if (each.path().extension() == ".so") files.push_back(each.path());
  if (files.empty()) return;
  const auto program = reader_program();
  if (!program) return complain("plugins are not used: weftscope-reader is not beside the program");
  for (const fs::path& file : files) {
    const Status added = add_plugin(*program, file);
    if (added) continue;
    const bool is_named = added.error().message.starts_with('/');
    complain(is_named ? added.error().message : of_plugin(file, added.error()).message);
  }
}

std::vector<std::string> take_plugin_complaints() {
  Complaints& all = complaints();
  const std::lock_guard lock(all.mutex);
  return std::exchange(all.lines, {});
}

}  // namespace weft::app
