#include <array>

#include "app/cli/command.h"

namespace weft::cli {

// Each is declared in the file of its name.
Run declare_info(CLI::App& app);
Run declare_formats(CLI::App& app);
Run declare_import(CLI::App& app);
Run declare_events(CLI::App& app);
Run declare_find(CLI::App& app);
Run declare_columns(CLI::App& app);
Run declare_density(CLI::App& app);
Run declare_stats(CLI::App& app);
Run declare_compare(CLI::App& app);
Run declare_export(CLI::App& app);
Run declare_sql(CLI::App& app);
Run declare_order(CLI::App& app);
Run declare_chain(CLI::App& app);
Run declare_snapshot(CLI::App& app);
Run declare_tour(CLI::App& app);
Run declare_verify(CLI::App& app);
Run declare_replay(CLI::App& app);
Run declare_generate(CLI::App& app);
Run declare_trace_type(CLI::App& app);

namespace {

constexpr std::array kCommands = {
    Command{"info", "What a trace holds: format, range, counts, losses, metadata", declare_info},
    Command{"formats", "The registered trace types", declare_formats},
    Command{"import", "Make a .weft of traces of any type, to keep", declare_import},
    Command{"export", "Make a trace of a part of one", declare_export},
    Command{"events", "The events in order of time", declare_events},
    Command{"find", "The events that an expression lets pass, from a time on", declare_find},
    Command{"columns", "What each row of states holds in equal columns of time", declare_columns},
    Command{"density", "How many events begin in equal parts of time", declare_density},
    Command{"stats", "What events add up to, by type or lane", declare_stats},
    Command{"compare", "What differs between two traces, by type or lane", declare_compare},
    Command{"sql", "Run SQL over a trace", declare_sql},
    Command{"order", "The order of lanes that makes message arrows short", declare_order},
    Command{"chain", "What caused a message, or what it caused", declare_chain},
    Command{"snapshot", "Draw a panel to a PNG or an SVG, without a display", declare_snapshot},
    Command{"tour", "Fly a fixed tour through a trace and measure the frames", declare_tour},
    Command{"verify", "Check every checksum and invariant of a .weft", declare_verify},
    Command{"replay", "Run a journal of commands without a window", declare_replay},
    Command{"generate", "Write a synthetic trace, to try things on or to measure",
            declare_generate},
    Command{"trace-type", "Trace types of your own: try out, guess, add, remove",
            declare_trace_type},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace weft::cli
