// The rows of the table of commands, by what they act on. A new action is one row in one of these
// files; a new group is one more function here and in commands.cpp.
#pragma once

#include <span>

#include "app/session/commands.h"

namespace weft::app {

std::span<const CommandRow> file_commands();
std::span<const CommandRow> live_commands();
std::span<const CommandRow> trace_commands();
std::span<const CommandRow> symbol_commands();
std::span<const CommandRow> view_commands();
std::span<const CommandRow> table_commands();
std::span<const CommandRow> slice_commands();
std::span<const CommandRow> color_commands();
std::span<const CommandRow> sql_commands();
std::span<const CommandRow> trace_type_commands();
std::span<const CommandRow> journal_commands();
std::span<const CommandRow> lane_commands();
std::span<const CommandRow> element_commands();
std::span<const CommandRow> filter_commands();
std::span<const CommandRow> marker_commands();
std::span<const CommandRow> loss_commands();
std::span<const CommandRow> panel_commands();
std::span<const CommandRow> view_group_commands();
std::span<const CommandRow> sequence_commands();
std::span<const CommandRow> message_class_commands();
std::span<const CommandRow> setting_commands();
std::span<const CommandRow> workbench_commands();

}  // namespace weft::app
