// libtracecmd's header, without that of libtracefs, which it includes: that one is no C++, and
// nothing of it is used.
#pragma once

#include <sched.h>

#define _TRACE_FS_H  // NOLINT: its include guard
#include <trace-cmd.h>
