#include "core/formats/messages/spans/otlp_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/packet_stream.h"

namespace weft::formats::spans {
namespace {

using perfetto::Field;
using perfetto::for_each_field;

constexpr uint32_t kResourceSpans = 1;  // of TracesData

enum class OtlpMessage : uint8_t {
  kResourceSpans,
  kResource,
  kScopeSpans,
  kScope,
  kSpan,
  kEvent,
  kLink,
  kStatus,
  kKeyValue,
  kAnyValue,
  kArray,
  kKeyValueList,
  // Of profiles.
  kProfilesData,
  kResourceProfiles,
  kScopeProfiles,
  kProfile,
  kValueType,
  kSample,
  kDictionary,
  kMapping,
  kLocation,
  kLine,
  kFunction,
  kAttribute,
  kStack,
};

// How JSON writes a field.
enum class OtlpKind : uint8_t {
  kText,
  kHexadecimal,
  kBase64,
  kNumber,
  kLongNumber,  // 64 bits are a text
  kReal,
  kFlag,
  kMessage,
  kList,   // of messages
  kParts,  // likewise, of messages that are worth as much when they are cut
  kTexts,
  kNumbers,
  kLongNumbers,
  kFixedNumbers,
};

struct OtlpField {
  uint32_t number;
  std::string_view name;
  OtlpKind kind = OtlpKind::kText;
  OtlpMessage message = {};  // of kMessage and what follows it
};

std::span<const OtlpField> fields_of_profiles(OtlpMessage message) {
  using enum OtlpMessage;
  using enum OtlpKind;
  static constexpr OtlpField kProfilesDataFields[] = {
      {1, "resourceProfiles", kParts, kResourceProfiles}, {2, "dictionary", kMessage, kDictionary}};
  static constexpr OtlpField kResourceProfilesFields[] = {
      {1, "resource", kMessage, kResource}, {2, "scopeProfiles", kParts, kScopeProfiles}};
  static constexpr OtlpField kScopeProfilesFields[] = {{2, "profiles", kParts, kProfile}};
  static constexpr OtlpField kProfileFields[] = {{1, "sampleType", kMessage, kValueType},
                                                 {2, "samples", kList, kSample},
                                                 {5, "periodType", kMessage, kValueType},
                                                 {6, "period", kLongNumber}};
  static constexpr OtlpField kValueTypeFields[] = {{1, "typeStrindex", kNumber},
                                                   {2, "unitStrindex", kNumber}};
  static constexpr OtlpField kSampleFields[] = {{1, "stackIndex", kNumber},
                                                {2, "attributeIndices", kNumbers},
                                                {4, "values", kLongNumbers},
                                                {5, "timestampsUnixNano", kFixedNumbers}};
  static constexpr OtlpField kDictionaryFields[] = {
      {1, "mappingTable", kList, kMapping},     {2, "locationTable", kList, kLocation},
      {3, "functionTable", kList, kFunction},   {5, "stringTable", kTexts},
      {6, "attributeTable", kList, kAttribute}, {7, "stackTable", kList, kStack}};
  static constexpr OtlpField kMappingFields[] = {{4, "filenameStrindex", kNumber}};
  static constexpr OtlpField kLocationFields[] = {
      {1, "mappingIndex", kNumber}, {2, "address", kLongNumber}, {3, "lines", kList, kLine}};
  static constexpr OtlpField kLineFields[] = {{1, "functionIndex", kNumber}};
  static constexpr OtlpField kFunctionFields[] = {{1, "nameStrindex", kNumber},
                                                  {2, "systemNameStrindex", kNumber},
                                                  {3, "filenameStrindex", kNumber}};
  static constexpr OtlpField kAttributeFields[] = {
      {1, "keyStrindex", kNumber}, {2, "value", kMessage, kAnyValue}, {3, "unitStrindex", kNumber}};
  static constexpr OtlpField kStackFields[] = {{1, "locationIndices", kNumbers}};
  switch (message) {
    case kProfilesData:
      return kProfilesDataFields;
    case kResourceProfiles:
      return kResourceProfilesFields;
    case kScopeProfiles:
      return kScopeProfilesFields;
    case kProfile:
      return kProfileFields;
    case kValueType:
      return kValueTypeFields;
    case kSample:
      return kSampleFields;
    case kDictionary:
      return kDictionaryFields;
    case kMapping:
      return kMappingFields;
    case kLocation:
      return kLocationFields;
    case kLine:
      return kLineFields;
    case kFunction:
      return kFunctionFields;
    case kAttribute:
      return kAttributeFields;
    case kStack:
      return kStackFields;
    default:
      return {};
  }
}

std::span<const OtlpField> fields_of(OtlpMessage message) {
  using enum OtlpMessage;
  using enum OtlpKind;
  static constexpr OtlpField kResourceSpansFields[] = {{1, "resource", kMessage, kResource},
                                                       {2, "scopeSpans", kParts, kScopeSpans}};
  static constexpr OtlpField kResourceFields[] = {{1, "attributes", kList, kKeyValue}};
  static constexpr OtlpField kScopeSpansFields[] = {{1, "scope", kMessage, kScope},
                                                    {2, "spans", kList, kSpan}};
  static constexpr OtlpField kScopeFields[] = {
      {1, "name"}, {2, "version"}, {3, "attributes", kList, kKeyValue}};
  static constexpr OtlpField kSpanFields[] = {{1, "traceId", kHexadecimal},
                                              {2, "spanId", kHexadecimal},
                                              {3, "traceState"},
                                              {4, "parentSpanId", kHexadecimal},
                                              {5, "name"},
                                              {6, "kind", kNumber},
                                              {7, "startTimeUnixNano", kLongNumber},
                                              {8, "endTimeUnixNano", kLongNumber},
                                              {9, "attributes", kList, kKeyValue},
                                              {10, "droppedAttributesCount", kNumber},
                                              {11, "events", kList, kEvent},
                                              {12, "droppedEventsCount", kNumber},
                                              {13, "links", kList, kLink},
                                              {14, "droppedLinksCount", kNumber},
                                              {15, "status", kMessage, kStatus}};
  static constexpr OtlpField kEventFields[] = {{1, "timeUnixNano", kLongNumber},
                                               {2, "name"},
                                               {3, "attributes", kList, kKeyValue},
                                               {4, "droppedAttributesCount", kNumber}};
  static constexpr OtlpField kLinkFields[] = {{1, "traceId", kHexadecimal},
                                              {2, "spanId", kHexadecimal},
                                              {4, "attributes", kList, kKeyValue}};
  static constexpr OtlpField kStatusFields[] = {{2, "message"}, {3, "code", kNumber}};
  static constexpr OtlpField kKeyValueFields[] = {{1, "key"}, {2, "value", kMessage, kAnyValue}};
  static constexpr OtlpField kAnyValueFields[] = {{1, "stringValue"},
                                                  {2, "boolValue", kFlag},
                                                  {3, "intValue", kLongNumber},
                                                  {4, "doubleValue", kReal},
                                                  {5, "arrayValue", kMessage, kArray},
                                                  {6, "kvlistValue", kMessage, kKeyValueList},
                                                  {7, "bytesValue", kBase64}};
  static constexpr OtlpField kArrayFields[] = {{1, "values", kList, kAnyValue}};
  static constexpr OtlpField kKeyValueListFields[] = {{1, "values", kList, kKeyValue}};
  switch (message) {
    case kResourceSpans:
      return kResourceSpansFields;
    case kResource:
      return kResourceFields;
    case kScopeSpans:
      return kScopeSpansFields;
    case kScope:
      return kScopeFields;
    case kSpan:
      return kSpanFields;
    case kEvent:
      return kEventFields;
    case kLink:
      return kLinkFields;
    case kStatus:
      return kStatusFields;
    case kKeyValue:
      return kKeyValueFields;
    case kAnyValue:
      return kAnyValueFields;
    case kArray:
      return kArrayFields;
    case kKeyValueList:
      return kKeyValueListFields;
    default:
      return fields_of_profiles(message);
  }
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kSigns =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr size_t kBytes = 3, kGroup = 4;
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kBytes))) {
    uint32_t bits = 0;
    for (size_t i = 0; i < kBytes; ++i)
      bits = bits << 8 | (i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0u);
    for (size_t i = 0; i < kGroup; ++i)
      text += i <= bytes.size() ? kSigns[bits >> (6 * (kGroup - 1 - i)) & 0x3F] : '=';
  }
  return text;
}

// Calls each(const Field&), also of what the message ends within. False: it does.
template <class Each>
bool for_each_part_of(std::string_view message, const Each& each) {
  if (for_each_field(message, each)) return true;
  if (const auto cut = perfetto::cut_field(message)) each(*cut);
  return false;
}

class OtlpWriter {
 public:
  // The document of one element of a message TracesData.
  std::string document(std::string_view resource_spans) {
    out_.begin('{');
    out_.name("resourceSpans");
    out_.begin('[');
    message(OtlpMessage::kResourceSpans, resource_spans);
    out_.end(']');
    out_.end('}');
    return out_.take_value();
  }
  std::string profiles(std::string_view profiles_data) {
    message(OtlpMessage::kProfilesData, profiles_data);
    return out_.take_value();
  }
  // Whether everything was written.
  bool is_whole() const { return is_whole_; }

 private:
  void message(OtlpMessage kind, std::string_view bytes) {
    constexpr int kMostDepth = 64;
    if (depth_ == kMostDepth) {
      is_whole_ = false;
      return out_.nothing();
    }
    ++depth_;
    out_.begin('{');
    uint32_t lists = 0;  // bits of their fields
    is_whole_ &= for_each_field(bytes, [&](const Field& field) {
      if (const OtlpField* const known = known_of(kind, field)) {
        is_list(*known) ? static_cast<void>(lists |= 1u << known->number) : value(*known, field);
      }
    });
    for (const OtlpField& each : fields_of(kind)) {
      if (each.kind == OtlpKind::kParts || (lists & 1u << each.number) != 0) list(each, bytes);
    }
    out_.end('}');
    --depth_;
  }

  static bool is_list(const OtlpField& field) { return field.kind >= OtlpKind::kList; }

  static const OtlpField* known_of(OtlpMessage kind, const Field& field) {
    const auto fields = fields_of(kind);
    const auto it = std::ranges::find(fields, field.number, &OtlpField::number);
    return it == fields.end() ? nullptr : &*it;
  }

  void list(const OtlpField& of, std::string_view bytes) {
    out_.name(of.name);
    out_.begin('[');
    const auto add = [&](const Field& field) {
      if (field.number == of.number) element(of, field);
    };
    of.kind == OtlpKind::kParts ? for_each_part_of(bytes, add) : for_each_field(bytes, add);
    out_.end(']');
  }

  // Of a list; numbers may be packed.
  void element(const OtlpField& of, const Field& field) {
    const auto add_number = [&](uint64_t number) { out_.number(static_cast<int64_t>(number)); };
    if (of.kind == OtlpKind::kTexts) {
      out_.text(field.bytes);
    } else if (of.kind == OtlpKind::kNumbers || of.kind == OtlpKind::kLongNumbers) {
      is_whole_ &= perfetto::for_each_number(field, add_number);
    } else if (of.kind == OtlpKind::kFixedNumbers) {
      is_whole_ &= perfetto::for_each_fixed64(field, add_number);
    } else {
      message(of.message, field.bytes);
    }
  }

  void value(const OtlpField& known, const Field& field) {
    out_.name(known.name);
    switch (known.kind) {
      case OtlpKind::kText:
        return out_.text(field.bytes);
      case OtlpKind::kHexadecimal:
        return out_.text(hexadecimal(std::as_bytes(std::span(field.bytes))));
      case OtlpKind::kBase64:
        return out_.text(base64(field.bytes));
      case OtlpKind::kNumber:
        return out_.number(field.uint32());
      case OtlpKind::kLongNumber:
        return out_.text(std::to_string(field.integer()));
      case OtlpKind::kReal:
        return out_.number(field.real());
      case OtlpKind::kFlag:
        return out_.flag(field.flag());
      default:
        return message(known.message, field.bytes);
    }
  }

  ArgsText out_;
  int depth_ = 0;
  bool is_whole_ = true;
};

// The numbers of a trace and of a span within it have lengths that nothing else has there.
bool is_span(std::string_view message) {
  constexpr size_t kTraceBytes = 16, kSpanBytes = 8;
  size_t trace_bytes = 0, span_bytes = 0;
  bool has_begin = false;
  for_each_field(message, [&](const Field& field) {
    if (field.number == 1) trace_bytes = field.bytes.size();
    if (field.number == 2) span_bytes = field.bytes.size();
    has_begin |= field.number == 7 && !field.is_bytes && field.integer() > 0;
  });
  return trace_bytes == kTraceBytes && span_bytes == kSpanBytes && has_begin;
}

// What a message has in its fields 1 and 2 that nothing else has there: numbers of texts, and
// samples.
bool is_profile(std::string_view message) {
  bool is_right = true, has_sample = false;
  for_each_part_of(message, [&](const Field& field) {
    if (field.number == 1 && field.is_bytes) {
      is_right &= for_each_field(
          field.bytes, [&](const Field& each) { is_right &= !each.is_bytes && each.number <= 2; });
    } else if (field.number == 2 && field.is_bytes) {
      has_sample = true;
      is_right &= for_each_field(field.bytes, [&](const Field& each) {
        is_right &= each.number <= 5 && (each.is_bytes || each.number != 5);
        is_right &= each.number != 1 || !each.is_bytes;
      });
    }
  });
  return is_right && has_sample;
}

// Whether a message of the third level below `data` is found, by the field numbers of traces and
// of profiles: 1, 2, 2.
template <class Is>
bool has_within(std::string_view data, const Is& is) {
  constexpr uint32_t kInner = 2;
  bool found = false;
  const auto look = [&found](uint32_t number, const auto& within) {
    return [&found, number, &within](const Field& field) {
      if (!found && field.number == number && field.is_bytes) within(field.bytes);
    };
  };
  const auto of_scope = [&](std::string_view scope) {
    for_each_part_of(scope, look(kInner, [&](std::string_view inner) { found = is(inner); }));
  };
  const auto of_resource = [&](std::string_view resource) {
    for_each_part_of(resource, look(kInner, of_scope));
  };
  for_each_part_of(data, look(kResourceSpans, of_resource));
  return found;
}

}  // namespace

bool has_otlp_span(std::string_view traces) { return has_within(traces, is_span); }

bool has_otlp_profile(std::string_view profiles) { return has_within(profiles, is_profile); }

std::string otlp_profiles_text(std::string_view profiles, bool& is_whole) {
  OtlpWriter writer;
  std::string text = writer.profiles(profiles);
  is_whole = writer.is_whole();
  return text;
}

bool for_each_otlp_text(std::string_view traces,
                        const std::function<bool(std::string_view)>& each) {
  OtlpWriter writer;
  bool is_wanted = true;
  const bool is_whole = for_each_part_of(traces, [&](const Field& field) {
    if (is_wanted && field.number == kResourceSpans && field.is_bytes)
      is_wanted = each(writer.document(field.bytes));
  });
  return is_whole && writer.is_whole();
}

}  // namespace weft::formats::spans
