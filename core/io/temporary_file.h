// A file without a name, for what a library wants to read from a file: in $TMPDIR or /var/tmp, gone
// when it is closed, whatever happens to the process.
#pragma once

#include <cstdio>
#include <memory>

namespace weft::io {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

// For reading and writing; null where none can be made (errno says why).
TemporaryFile temporary_file();

}  // namespace weft::io
