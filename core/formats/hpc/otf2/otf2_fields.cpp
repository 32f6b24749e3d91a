#include "core/formats/hpc/otf2/otf2_fields.h"

#include <fmt/core.h>

#include "core/formats/base/text.h"
#include "core/formats/hpc/otf2/otf2_events.h"

namespace weft::formats::otf2 {
namespace {

// Returns an empty text if what is numbered has none.
std::string_view text_of(const Definitions& definitions, FieldKind kind, uint64_t value) {
  const auto ref = static_cast<Ref>(value);
  switch (kind) {
    case FieldKind::kText:
      return definitions.string(ref);
    case FieldKind::kRegion:
      return definitions.region_name(ref);
    case FieldKind::kCommunicator:
      return definitions.communicator_name(ref);
    case FieldKind::kWindow: {
      const auto it = definitions.windows.find(ref);
      return definitions.string(it == definitions.windows.end() ? kNoRef : it->second.name);
    }
    case FieldKind::kFile:
      return definitions.name(definitions.files, ref);
    case FieldKind::kFileHandle:
      return definitions.file_name(ref);
    case FieldKind::kParadigm:
      return paradigm_name(static_cast<uint8_t>(value));
    case FieldKind::kCollective:
      return name_of(static_cast<CollectiveOp>(value));
    case FieldKind::kLock:
      return word_at({"exclusive", "shared"}, value);
    case FieldKind::kAccess:
      return word_at({"read", "write", "read and write", "execute", "search"}, value);
    case FieldKind::kOrigin:
      return word_at({"start", "current", "end", "data", "hole"}, value);
    default:
      return {};
  }
}

bool is_none(FieldKind kind, uint64_t value) {
  if (kind == FieldKind::kSigned) return false;
  return value == OTF2_UNDEFINED_UINT64 || value == OTF2_UNDEFINED_UINT32;
}

void append_attribute(ArgsText& args, const Definitions& definitions, std::string_view name,
                      OTF2_Type type, const OTF2_AttributeValue& value) {
  const auto field = [&](FieldKind kind, uint64_t number) {
    append_field(args, definitions, name, kind, number);
  };
  const auto integer = [&](int64_t number) {
    field(FieldKind::kSigned, static_cast<uint64_t>(number));
  };
  const auto real = [&](double number) {
    args.name(name);
    args.number(number);
  };
  switch (type) {
    case OTF2_TYPE_UINT8:
      return field(FieldKind::kNumber, value.uint8);
    case OTF2_TYPE_UINT16:
      return field(FieldKind::kNumber, value.uint16);
    case OTF2_TYPE_UINT32:
      return args.add(name, value.uint32);
    case OTF2_TYPE_UINT64:
      return args.add(name, value.uint64);
    case OTF2_TYPE_INT8:
      return integer(value.int8);
    case OTF2_TYPE_INT16:
      return integer(value.int16);
    case OTF2_TYPE_INT32:
      return integer(value.int32);
    case OTF2_TYPE_INT64:
      return integer(value.int64);
    case OTF2_TYPE_FLOAT:
      return real(static_cast<double>(value.float32));
    case OTF2_TYPE_DOUBLE:
      return real(value.float64);
    case OTF2_TYPE_STRING:
      return field(FieldKind::kText, value.stringRef);
    case OTF2_TYPE_REGION:
      return field(FieldKind::kRegion, value.regionRef);
    case OTF2_TYPE_COMM:
      return field(FieldKind::kCommunicator, value.commRef);
    case OTF2_TYPE_RMA_WIN:
      return field(FieldKind::kWindow, value.rmaWinRef);
    case OTF2_TYPE_IO_FILE:
      return field(FieldKind::kFile, value.ioFileRef);
    case OTF2_TYPE_IO_HANDLE:
      return field(FieldKind::kFileHandle, value.ioHandleRef);
    case OTF2_TYPE_LOCATION:
      return field(FieldKind::kNumber, value.locationRef);
    default:  // numbers of what is not shown
      return field(FieldKind::kNumber, value.uint32);
  }
}

}  // namespace

void append_text(ArgsText& args, std::string_view name, std::string_view text) {
  if (!text.empty()) args.add(name, text);
}

void append_field(ArgsText& args, const Definitions& definitions, std::string_view name,
                  FieldKind kind, uint64_t value) {
  if (is_none(kind, value)) return;
  if (kind == FieldKind::kSigned) return args.add(name, static_cast<int64_t>(value));
  const std::string_view text = text_of(definitions, kind, value);
  text.empty() ? args.add(name, value) : args.add(name, text);
}

void append_attributes(ArgsText& args, const Definitions& definitions,
                       const OTF2_AttributeList* attributes) {
  if (attributes == nullptr) return;
  const uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);
  for (uint32_t i = 0; i < count; ++i) {
    OTF2_AttributeRef attribute = 0;
    OTF2_Type type = OTF2_TYPE_NONE;
    OTF2_AttributeValue value;
    if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value) !=
        OTF2_SUCCESS)
      continue;
    const std::string& name = definitions.name(definitions.attributes, attribute);
    append_attribute(args, definitions,
                     name.empty() ? fmt::format("attribute {}", attribute) : name, type, value);
  }
}

}  // namespace weft::formats::otf2
