// The words that options of panels and arguments of commands accept. Toolbars, menus and the
// palette offer them by their titles; commands, journals and files use their ids. While an option
// is not set, the first word of its table applies, unless the panel has another default.
#pragma once

#include <array>

#include "app/session/choice.h"

namespace weft::app {

// Options of several kinds of panels.
inline constexpr Choice kScopes[] = {
    {"window", "Window", "Of what is shown"},
    {"trace", "Whole trace", "Of all that there is"},
    {"selection", "Selection", "Of the selected range; on the selected lanes, or all"}};
inline constexpr Choice kPassing[] = {{"filtered", "What passes", "Of what passes the filter"},
                                      {"all", "All events", "Whatever the filter lets pass"}};
inline constexpr Choice kTypeOrLane[] = {{"type", "By type"}, {"lane", "By lane"}};
// In the order of query::GroupBy.
inline constexpr Choice kTypeLaneOrPair[] = {
    {"type", "By type"},
    {"lane", "By lane", "By the lane that sends"},
    {"pair", "By pair", "By the lanes that send and receive"}};
// What is summed up of a selection.
inline constexpr Choice kSummedUp[] = {
    {"states", "States", "How long they run"},
    {"punctual", "Punctual events", "How many there are, and how many a second"},
    {"links", "Links", "How many there are, and how long they take"},
    {"variables", "Variables", "Which values they have, and for how long"}};

inline constexpr Choice kMessageOrders[] = {
    {"first", "As they appear", "Lanes in order of their first message"},
    {"groups", "In groups", "Lanes that exchange messages side by side"},
    {"force", "By springs", "Lanes drawn together by their messages, as by springs"},
    {"short", "Short arrows", "The order that makes all arrows together short"}};
inline constexpr Choice kMessageSpacings[] = {
    {"time", "By time", "As far apart as time has passed"},
    {"events", "By event", "One event below the other, all the same way apart"}};
inline constexpr Choice kMessageRuns[] = {
    {"open", "Each exchange"},
    {"joined", "Repeated ones as one",
     "Exchanges that follow each other three times or more are drawn once"}};
inline constexpr Choice kArrowColors[] = {
    {"sender", "Colour: sender", "Arrows have the colour of the lane that sends"},
    {"type", "Colour: type", "Arrows have the colour of their type"}};
inline constexpr Choice kArrowWidths[] = {{"count", "Width: count", "Wider for several messages"},
                                          {"size", "Width: bytes", "Wider for larger messages"}};

inline constexpr Choice kTrafficViews[] = {
    {"chord", "Chord", "Lanes in a circle, and what they send as bands"},
    {"matrix", "Matrix", "Senders down, receivers across"}};
inline constexpr Choice kTrafficSizes[] = {{"messages", "Messages"}, {"bytes", "Bytes"}};
inline constexpr Choice kTrafficRows[] = {{"pairs", "By pair"}, {"types", "By type"}};
inline constexpr Choice kTrafficAnswers[] = {
    {"off", "Answers not looked for"},
    {"on", "Unanswered counted", "How many were never answered"}};

inline constexpr Choice kLengthsOf[] = {{"states", "States"}, {"messages", "Messages"}};
inline constexpr Choice kLengthScales[] = {{"log", "Logarithmic", "Bins grow with the length"},
                                           {"linear", "Linear", "All bins are of one width"}};
inline constexpr Choice kLengthHeights[] = {
    {"count", "Counts", "How many are in each bin"},
    {"density", "Density", "The share of each bin, divided by its width"}};

inline constexpr Choice kFlameViews[] = {
    {"graph", "Left heavy", "Stacks merged by name, the widest first"},
    {"chart", "Time order", "Every call at its time"},
    {"callees", "What it calls", "What calls of one type lead to"},
    {"callers", "What calls it", "What leads to calls of one type"},
    {"sandwich", "Sandwich", "What calls a type above it, what it calls below"},
    {"difference", "Difference", "What takes more, or less, in one part than in another"}};
// In the order of query::StackKind, followed by the choice of all kinds.
inline constexpr std::array kFlameLanes = {
    Choice{"stacks", "Stacks", "Samples and recorded calls, on lanes of their own below threads"},
    Choice{"threads", "Threads", "States on lanes of threads"},
    Choice{"others", "Other lanes", "States on lanes of processes, groups and the like"},
    Choice{"async", "Asynchronous", "Work that may overlap with what threads do"},
    Choice{"cpus", "CPUs", "What ran on each CPU"},
    Choice{"all", "All states", "Also those that are of the same time"}};
inline constexpr std::array kFlameParts = {kScopes[1], kScopes[0], kScopes[2]};
inline constexpr std::array kFlameMeasures = {
    Choice{"time", "By time", "How much longer it takes"},
    Choice{"share", "By share",
           "How much more of all it takes, for parts that are not equally long"}};

inline constexpr Choice kComparedParts[] = {
    {"trace", "Whole traces"}, {"window", "Window"}, {"selection", "Selections"}};
inline constexpr Choice kComparedRows[] = {{"all", "All rows"}, {"differing", "Only what differs"}};
// The metrics of statistics panels (slices.h), which have titles for them.
inline constexpr Choice kSliceMetrics[] = {{"count"},   {"duration"}, {"self"},
                                           {"active"},  {"latency"},  {"unreceived"},
                                           {"dropped"}, {"unsent"},   {"unanswered"}};
inline constexpr Choice kStatisticsUpdates[] = {
    {"live", "At once", "Added up as you move"},
    {"play", "On Play", "Added up when Play is pressed, and kept"}};
inline constexpr Choice kLegendOf[] = {{"types", "Types"}, {"lanes", "Lanes"}};
inline constexpr Choice kTraceTypeParts[] = {
    {"form", "Form"}, {"records", "Records"}, {"events", "Events"}};

// The argument of trace.align. The titles continue the word "Align".
inline constexpr Choice kAlignments[] = {{"clock", "by their clocks"},
                                         {"begins", "by their beginnings"},
                                         {"events", "by the selected events"},
                                         {"selections", "by the selected ranges"},
                                         {"cursors", "by the cursors A and B"}};

}  // namespace weft::app
