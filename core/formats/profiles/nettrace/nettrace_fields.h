// Field lists shared by several runtime events, in the syntax of RuntimeEvent::fields.
#pragma once

#include <string_view>

namespace weft::formats::nettrace {

constexpr std::string_view kWalkFields = "ClrInstanceID/w Reserved1/b Reserved2/b FrameCount/d";
constexpr std::string_view kMethodFields =
    "MethodID/q ModuleID/q MethodStartAddress/q MethodSize/d MethodToken/d MethodFlags/d "
    "ClrInstanceID/w ReJITID/q";
constexpr std::string_view kNamedMethodFields =
    "MethodID/q ModuleID/q MethodStartAddress/q MethodSize/d MethodToken/d MethodFlags/d "
    "MethodNamespace/s MethodName/s MethodSignature/s ClrInstanceID/w ReJITID/q";
constexpr std::string_view kDomainModuleFields =
    "MethodID/q ReJITID/q MethodExtent/b CountOfMapEntries/w";
constexpr std::string_view kModuleFields =
    "ModuleID/q AssemblyID/q AppDomainID/q ModuleFlags/d Reserved1/d ModuleILPath/s "
    "ModuleNativePath/s ClrInstanceID/w";
constexpr std::string_view kAssemblyFields =
    "ModuleID/q AssemblyID/q ModuleFlags/d Reserved1/d ModuleILPath/s ModuleNativePath/s "
    "ClrInstanceID/w ManagedPdbSignature/g ManagedPdbAge/d ManagedPdbBuildPath/s "
    "NativePdbSignature/g NativePdbAge/d NativePdbBuildPath/s";
constexpr std::string_view kDomainFields =
    "AssemblyID/q AppDomainID/q BindingID/q AssemblyFlags/d FullyQualifiedAssemblyName/s "
    "ClrInstanceID/w";
constexpr std::string_view kMapFields =
    "AppDomainID/q AppDomainFlags/d AppDomainName/s AppDomainIndex/d ClrInstanceID/w";

}  // namespace weft::formats::nettrace
