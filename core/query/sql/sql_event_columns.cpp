#include "core/query/sql/sql_event_columns.h"

namespace weft::query {
namespace {

using trace::Category;

constexpr EventColumn kLane = {"lane TEXT", EventContent::kLane};
constexpr EventColumn kLaneId = {"lane_id INTEGER", EventContent::kLaneId};
constexpr EventColumn kType = {"type TEXT", EventContent::kType};
constexpr EventColumn kTypeId = {"type_id INTEGER", EventContent::kTypeId};
constexpr EventColumn kTypeGroup = {"type_group TEXT", EventContent::kTypeGroup};
constexpr EventColumn kCpu = {"cpu INTEGER", EventContent::kCpu};
constexpr EventColumn kParams = {"params TEXT", EventContent::kParams};
constexpr EventColumn kParamsId = {"params_id INTEGER", EventContent::kParamsId};
constexpr EventColumn kPayload = {"payload BLOB", EventContent::kPayload};
constexpr EventColumn kTime = {"time INTEGER", EventContent::kTime};
constexpr EventColumn kValue = {"value REAL", EventContent::kValue};

constexpr EventColumn kEventColumns[] = {
    {"category TEXT", EventContent::kCategory},
    kTime,
    {"end INTEGER", EventContent::kEnd},
    {"dur INTEGER", EventContent::kDuration},
    {"depth INTEGER", EventContent::kDepth},
    kLane,
    kLaneId,
    kType,
    kTypeId,
    kTypeGroup,
    kCpu,
    kValue,
    {"target TEXT", EventContent::kTarget},
    {"target_id INTEGER", EventContent::kTargetId},
    {"target_time INTEGER", EventContent::kReceive},
    kParams,
    kParamsId,
    kPayload,
};
constexpr EventColumn kStateColumns[] = {
    {"begin INTEGER", EventContent::kTime},
    {"end INTEGER", EventContent::kEnd},
    {"dur INTEGER", EventContent::kDuration},
    {"depth INTEGER", EventContent::kDepth},
    kLane,
    kLaneId,
    kType,
    kTypeId,
    kTypeGroup,
    kCpu,
    kParams,
    kParamsId,
    kPayload,
};
constexpr EventColumn kPunctualColumns[] = {kTime,      kLane, kLaneId, kType,     kTypeId,
                                            kTypeGroup, kCpu,  kParams, kParamsId, kPayload};
constexpr EventColumn kLinkColumns[] = {
    {"send INTEGER", EventContent::kSend},
    {"receive INTEGER", EventContent::kReceive},
    {"latency INTEGER", EventContent::kLatency},
    {"source TEXT", EventContent::kSource},
    {"source_id INTEGER", EventContent::kSourceId},
    {"target TEXT", EventContent::kTarget},
    {"target_id INTEGER", EventContent::kTargetId},
    kType,
    kTypeId,
    kTypeGroup,
    kCpu,
    kParams,
    kParamsId,
    kPayload,
};
constexpr EventColumn kVariableColumns[] = {kTime,   kValue,     kLane, kLaneId, kType,
                                            kTypeId, kTypeGroup, kCpu,  kParams, kParamsId};

constexpr EventTableKind kKinds[] = {
    {"events", std::nullopt, kEventColumns},
    {"states", Category::kState, kStateColumns},
    {"punctuals", Category::kPunctual, kPunctualColumns},
    {"links", Category::kLink, kLinkColumns},
    {"variables", Category::kVariable, kVariableColumns},
};

}  // namespace

std::span<const EventTableKind> event_table_kinds() { return kKinds; }

}  // namespace weft::query
