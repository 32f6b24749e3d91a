#include "core/formats/plugin/plugin.h"

#include <dlfcn.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "core/base/os_error.h"
#include "core/base/text.h"
#include "core/formats/plugin/plugin_sink.h"
#include "core/formats/plugin/weftscope_reader.h"
#include "core/io/paths.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

// Checks that nobody else can have changed the file.
Status check_owner(const fs::path& path, mode_t type, std::string_view what) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0) return fail(os_error(printable(path.string())));
  const auto wrong = [&](std::string_view why) {
    return fail(fmt::format("{}: not loaded: {}", printable(path.string()), why));
  };
  if ((info.st_mode & S_IFMT) != type) return wrong(fmt::format("it is not a {}", what));
  if (info.st_uid != ::geteuid() && info.st_uid != 0) return wrong("it belongs to somebody else");
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) return wrong("others may write to it");
  return {};
}

std::string text_of(const char* text) { return text == nullptr ? "" : valid_utf8(text); }

std::vector<std::string> words_of(const char* text) {
  std::vector<std::string> words;
  std::istringstream rest(text_of(text));
  for (std::string word; rest >> word && words.size() < kMostItems;) words.push_back(word);
  return words;
}

// A list that ends with an item of zeros; `make` takes one.
template <class Item, class Make>
void take_list(const Item* items, const char* Item::* first, const Make& make) {
  for (size_t i = 0; items != nullptr && i < kMostItems && items[i].*first != nullptr; ++i)
    make(items[i]);
}

Format row_of(const weftscope_trace_type& plugin) {
  Format format{
      .id = text_of(plugin.id),
      .name = text_of(plugin.name),
      .category = text_of(plugin.category),
      .icon = text_of(plugin.icon),
      .extensions = words_of(plugin.extensions),
      .sniff =
          [&plugin](std::span<const std::byte> head) {
            return plugin.sniff(head.data(), head.size());
          },
      .read =
          [&plugin](io::Source& source, trace::EventSink& sink, const ReadContext& context) {
            return read_by_plugin(plugin, source, sink, context);
          }};
  take_list(plugin.options, &weftscope_option::name, [&](const weftscope_option& option) {
    format.options.push_back(
        {text_of(option.name), text_of(option.about), text_of(option.fallback)});
  });
  take_list(plugin.columns, &weftscope_column::title, [&](const weftscope_column& column) {
    format.columns.push_back({text_of(column.title), text_of(column.param)});
  });
  take_list(plugin.pages, &weftscope_page::id, [&](const weftscope_page& page) {
    format.pages.push_back({text_of(page.id), text_of(page.title), text_of(page.sql)});
  });
  if (plugin.panels != nullptr) format.panels = words_of(plugin.panels);
  format.version = static_cast<int>(plugin.revision);
  return format;
}

}  // namespace

fs::path plugin_folder() {
  const fs::path data = io::data_folder();
  return data.empty() ? data : data / "plugins";
}

Status check_plugin(const fs::path& file) {
  const fs::path folder = plugin_folder();
  if (folder.empty() || file.parent_path() != folder)
    return fail(fmt::format("{}: not loaded: plugins lie in {}", printable(file.string()),
                            printable(folder.string())));
  WEFT_TRY(check_owner(folder.parent_path(), S_IFDIR, "folder"));
  WEFT_TRY(check_owner(folder, S_IFDIR, "folder"));
  return check_owner(file, S_IFREG, "file");
}

Result<Format> load_plugin(const fs::path& file) {
  WEFT_TRY(check_plugin(file));
  const auto wrong = [&](std::string_view why) {
    return fail(fmt::format("{}: is not a plugin: {}", printable(file.string()), why));
  };
  void* object = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) return wrong(printable(::dlerror()));
  using Entry = const weftscope_trace_type* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(object, "weftscope_plugin"));
  if (entry == nullptr) return wrong("it has no weftscope_plugin()");
  const weftscope_trace_type* plugin = entry();
  if (plugin == nullptr) return wrong("it gives nothing");
  if (plugin->version != WEFTSCOPE_READER_VERSION) {
    return wrong(fmt::format("it is for version {} of weftscope_reader.h, this program has {}",
                             plugin->version, WEFTSCOPE_READER_VERSION));
  }
  if (plugin->sniff == nullptr || plugin->read == nullptr) return wrong("it cannot sniff or read");
  Format format = row_of(*plugin);
  if (format.name.empty()) return wrong("it has no name");
  format.is_foreign = true;
  format.origin = file;
  return format;
}

}  // namespace weft::formats
