#include "core/io/temporary_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "core/io/archive.h"

namespace weft::io {

TemporaryFile temporary_file() {
  const auto folder = TemporaryFolder::create();
  if (!folder) return nullptr;
  std::string name = folder->path() / "file-XXXXXX";
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return nullptr;
  TemporaryFile file(::fdopen(fd, "w+b"));
  if (!file) ::close(fd);
  return file;  // the folder takes the name with it
}

}  // namespace weft::io
