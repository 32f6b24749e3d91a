// The command that is run on the other machine. Internal to the room.
//
// For any shell of POSIX (dash, BusyBox), whatever the shell that the user logs in with: one line
// without quotes of the outer kind. It reads three lines, "once" or "follow", the first byte that
// is wanted (from 1), and the path; says "@weftscope KIND INODE SIZE CHANGED"; gives the bytes; and
// beats on its standard error each second. Who beats ends who reads once nobody listens any more,
// which a reader that has nothing to say would never learn.
//
// CHANGED is when the file's bytes and its inode were changed last, in seconds
// ("1764194800.1764194801"; the latter no program can set); "-" where nobody can say (no stat), or
// where that is so short ago that a further change might not show.
#pragma once

#include <string_view>

namespace weft::capture {

inline constexpr char kBeat = '\x06';
inline constexpr std::string_view kAnswerMark = "@weftscope ";

inline constexpr const char* kRemoteCommand =
    "sh -c '"
    "LC_ALL=C; export LC_ALL; set -f; "
    "IFS= read -r how; IFS= read -r at; IFS= read -r path; "
    "[ -r \"$path\" ] || { cat \"$path\"; exit 1; }; "
    "kind=pipe; id=0; size=0; changed=-; "
    "if [ -d \"$path\" ]; then kind=folder; "
    "elif [ -f \"$path\" ]; then kind=file; "
    "set -- $(ls -Lnldi \"$path\"); id=$1; size=$6; "
    // What the kernel makes while it is read says that it has no bytes.
    "case \"$size $how $path\" in \"0 once \"*|\"0 \"*\" /sys/\"*|\"0 \"*\" /proc/\"*) kind=pipe;; "
    "esac; "
    "changed=$( { at=$(stat -Lc %Y.%Z \"$path\") && now=$(date +%s) && "
    "[ \"$now\" -gt $((${at#*.} + 2)) ] && printf %s \"$at\"; } 2>/dev/null ); fi; "
    "printf \"\\n@weftscope %s %s %s %s\\n\" \"$kind\" \"$id\" \"$size\" \"${changed:--}\"; "
    "case \"$kind $how $at\" in "
    "folder*) exec tar -C \"$path\" -cf - . ;; "
    "\"file follow\"*) exec tail -c \"+$at\" -f \"$path\" ;; "
    "pipe*|*\" 1\") exec cat \"$path\" ;; "
    "*) exec tail -c \"+$at\" \"$path\" ;; "
    "esac & reader=$!; "
    "( trap \"\" PIPE; while printf \"\\006\" >&2; do sleep 1 2>/dev/null; done; kill $reader ) "
    ">/dev/null </dev/null & beats=$!; "
    "wait $reader; status=$?; kill $beats; exit $status'";

}  // namespace weft::capture
