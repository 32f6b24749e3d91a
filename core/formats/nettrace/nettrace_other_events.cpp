#include "core/formats/nettrace/nettrace_runtime.h"

namespace weft::formats::nettrace {
namespace {

// By the ids of the runtime's manifest (ClrEtwAll.man); where fields were added from version to
// version, those of the newest. b, w, d, q: unsigned integers of 1 to 8 bytes, i: a signed one of
// 4, p: as wide as a pointer, n, f: reals of 8 and 4 bytes, o: a flag of 4, s: UTF-16, a: bytes,
// both up to a zero, g: a GUID. What follows in lists is not described.
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
constexpr std::string_view kBindingFields =
    "AppDomainID/d LoadContextID/d FromLoaderCache/d DynamicLoad/d AssemblyCodebase/s "
    "AssemblyName/s ClrInstanceID/w";
constexpr std::string_view kTypesFields = "TypeName/s SecondTypeName/s ClrInstanceID/w";

constexpr RuntimeEvent kRundown[] = {
    {0, "CLRStackWalkDCStart", kWalkFields},
    {10, "GCSettingsRundown",
     "HardLimit/q LOHThreshold/q PhysicalMemoryConfig/q Gen0MinBudgetConfig/q "
     "Gen0MaxBudgetConfig/q HighMemPercentConfig/d BitSettings/d ClrInstanceID/w"},
    {141, "MethodDCStart", kMethodFields},
    {142, "MethodDCEnd", kMethodFields},
    {143, "MethodDCStartVerbose", kNamedMethodFields},
    {144, "MethodDCEndVerbose", kNamedMethodFields},
    {145, "DCStartComplete", "ClrInstanceID/w"},
    {146, "DCEndComplete", "ClrInstanceID/w"},
    {147, "DCStartInit", "ClrInstanceID/w"},
    {148, "DCEndInit", "ClrInstanceID/w"},
    {149, "MethodDCStartILToNativeMap", kDomainModuleFields},
    {150, "MethodDCEndILToNativeMap", kDomainModuleFields},
    {151, "DomainModuleDCStart", kModuleFields},
    {152, "DomainModuleDCEnd", kModuleFields},
    {153, "ModuleDCStart", kAssemblyFields},
    {154, "ModuleDCEnd", kAssemblyFields},
    {155, "AssemblyDCStart", kDomainFields},
    {156, "AssemblyDCEnd", kDomainFields},
    {157, "AppDomainDCStart", kMapFields},
    {158, "AppDomainDCEnd", kMapFields},
    {159, "ThreadDC",
     "ManagedThreadID/q AppDomainID/q Flags/d ManagedThreadIndex/d OSThreadID/d ClrInstanceID/w"},
    {160, "ModuleRangeDCStart", "ClrInstanceID/w ModuleID/q"},
    {161, "ModuleRangeDCEnd", "ClrInstanceID/w ModuleID/q"},
    {187, "RuntimeInformationDCStart",
     "ClrInstanceID/w Sku/w BclMajorVersion/w BclMinorVersion/w BclBuildNumber/w BclQfeNumber/w "
     "VMMajorVersion/w VMMinorVersion/w VMBuildNumber/w VMQfeNumber/w StartupFlags/d StartupMode/b "
     "CommandLine/s ComObjectGuid/g RuntimeDllPath/s"},
    {188, "CodeSymbolsDCStart", "ModuleID/q TotalChunks/w ChunkNumber/w ChunkLength/d"},
    {280, "TieredCompilationSettingsDCStart", "ClrInstanceID/w Flags/d"},
    {300, "ExecutionCheckpointDCEnd", "ClrInstanceID/w Name/s Timestamp/q"},
};

constexpr RuntimeEvent kPrivate[] = {
    {1, "GCDecision", "DoCompact/o ClrInstanceID/w"},
    {2, "GCSettings", "SegmentSize/q LargeObjectSegmentSize/q ServerGC/o ClrInstanceID/w"},
    {3, "GCOptimized", "DesiredAllocation/q NewAllocation/q GenerationNumber/d ClrInstanceID/w"},
    {4, "GCPerHeapHistory", ""},
    {5, "GCGlobalHeapHistory",
     "FinalYoungestDesired/q NumHeaps/i CondemnedGeneration/d Gen0ReductionCount/d Reason/d "
     "GlobalMechanisms/d ClrInstanceID/w"},
    {6, "GCJoin", "Heap/d JoinTime/d JoinType/d ClrInstanceID/w"},
    {7, "PrvGCMarkStackRoots", "HeapNum/d ClrInstanceID/w"},
    {8, "PrvGCMarkFinalizeQueueRoots", "HeapNum/d ClrInstanceID/w"},
    {9, "PrvGCMarkHandles", "HeapNum/d ClrInstanceID/w"},
    {10, "PrvGCMarkCards", "HeapNum/d ClrInstanceID/w"},
    {11, "BGCBegin", "ClrInstanceID/w"},
    {12, "BGC1stNonConEnd", "ClrInstanceID/w"},
    {13, "BGC1stConEnd", "ClrInstanceID/w"},
    {14, "BGC2ndNonConBegin", "ClrInstanceID/w"},
    {15, "BGC2ndNonConEnd", "ClrInstanceID/w"},
    {16, "BGC2ndConBegin", "ClrInstanceID/w"},
    {17, "BGC2ndConEnd", "ClrInstanceID/w"},
    {18, "BGCPlanEnd", "ClrInstanceID/w"},
    {19, "BGCSweepEnd", "ClrInstanceID/w"},
    {20, "BGCDrainMark", "Objects/q ClrInstanceID/w"},
    {21, "BGCRevisit", "Pages/q Objects/q IsLarge/d ClrInstanceID/w"},
    {22, "BGCOverflow", "Min/q Max/q Objects/q IsLarge/d ClrInstanceID/w"},
    {23, "BGCAllocWaitBegin", "Reason/d ClrInstanceID/w"},
    {24, "BGCAllocWaitEnd", "Reason/d ClrInstanceID/w"},
    {25, "GCFullNotify", "GenNumber/d IsAlloc/d ClrInstanceID/w"},
    {80, "EEStartupStart", "ClrInstanceID/w"},
    {81, "EEStartupEnd", "ClrInstanceID/w"},
    {82, "EEConfigSetup", "ClrInstanceID/w"},
    {83, "EEConfigSetupEnd", "ClrInstanceID/w"},
    {84, "LdSysBases", "ClrInstanceID/w"},
    {85, "LdSysBasesEnd", "ClrInstanceID/w"},
    {86, "ExecExe", "ClrInstanceID/w"},
    {87, "ExecExeEnd", "ClrInstanceID/w"},
    {88, "Main", "ClrInstanceID/w"},
    {89, "MainEnd", "ClrInstanceID/w"},
    {90, "ApplyPolicyStart", "ClrInstanceID/w"},
    {91, "ApplyPolicyEnd", "ClrInstanceID/w"},
    {92, "LdLibShFolder", "ClrInstanceID/w"},
    {93, "LdLibShFolderEnd", "ClrInstanceID/w"},
    {94, "PrestubWorker", "ClrInstanceID/w"},
    {95, "PrestubWorkerEnd", "ClrInstanceID/w"},
    {96, "GetInstallationStart", "ClrInstanceID/w"},
    {97, "GetInstallationEnd", "ClrInstanceID/w"},
    {98, "OpenHModule", "ClrInstanceID/w"},
    {99, "OpenHModuleEnd", "ClrInstanceID/w"},
    {100, "ExplicitBindStart", "ClrInstanceID/w"},
    {101, "ExplicitBindEnd", "ClrInstanceID/w"},
    {102, "ParseXml", "ClrInstanceID/w"},
    {103, "ParseXmlEnd", "ClrInstanceID/w"},
    {104, "InitDefaultDomain", "ClrInstanceID/w"},
    {105, "InitDefaultDomainEnd", "ClrInstanceID/w"},
    {106, "InitSecurity", "ClrInstanceID/w"},
    {107, "InitSecurityEnd", "ClrInstanceID/w"},
    {108, "AllowBindingRedirs", "ClrInstanceID/w"},
    {109, "AllowBindingRedirsEnd", "ClrInstanceID/w"},
    {110, "EEConfigSync", "ClrInstanceID/w"},
    {111, "EEConfigSyncEnd", "ClrInstanceID/w"},
    {112, "FusionBinding", "ClrInstanceID/w"},
    {113, "FusionBindingEnd", "ClrInstanceID/w"},
    {114, "LoaderCatchCall", "ClrInstanceID/w"},
    {115, "LoaderCatchCallEnd", "ClrInstanceID/w"},
    {116, "FusionInit", "ClrInstanceID/w"},
    {117, "FusionInitEnd", "ClrInstanceID/w"},
    {118, "FusionAppCtx", "ClrInstanceID/w"},
    {119, "FusionAppCtxEnd", "ClrInstanceID/w"},
    {120, "Fusion2EE", "ClrInstanceID/w"},
    {121, "Fusion2EEEnd", "ClrInstanceID/w"},
    {122, "SecurityCatchCall", "ClrInstanceID/w"},
    {123, "SecurityCatchCallEnd", "ClrInstanceID/w"},
    {151, "CLRStackWalkPrivate", kWalkFields},
    {158, "ModuleRangeLoadPrivate", "ClrInstanceID/w ModuleID/q"},
    {159, "BindingPolicyPhaseStart", kBindingFields},
    {160, "BindingPolicyPhaseEnd", kBindingFields},
    {161, "BindingNgenPhaseStart", kBindingFields},
    {162, "BindingNgenPhaseEnd", kBindingFields},
    {163, "BindingLookupAndProbingPhaseStart", kBindingFields},
    {164, "BindingLookupAndProbingPhaseEnd", kBindingFields},
    {165, "LoaderPhaseStart", kBindingFields},
    {166, "LoaderPhaseEnd", kBindingFields},
    {167, "BindingPhaseStart", kBindingFields},
    {168, "BindingPhaseEnd", kBindingFields},
    {169, "BindingDownloadPhaseStart", kBindingFields},
    {170, "BindingDownloadPhaseEnd", kBindingFields},
    {171, "LoaderAssemblyInitPhaseStart", kBindingFields},
    {172, "LoaderAssemblyInitPhaseEnd", kBindingFields},
    {173, "LoaderMappingPhaseStart", kBindingFields},
    {174, "LoaderMappingPhaseEnd", kBindingFields},
    {175, "LoaderDeliverEventsPhaseStart", kBindingFields},
    {176, "LoaderDeliverEventsPhaseEnd", kBindingFields},
    {177, "EvidenceGenerated", "Type/d AppDomain/d ILImage/s ClrInstanceID/w"},
    {178, "ModuleTransparencyComputationStart", "Module/s AppDomainID/d ClrInstanceID/w"},
    {179, "ModuleTransparencyComputationEnd",
     "Module/s AppDomainID/d IsAllCritical/o IsAllTransparent/o IsTreatAsSafe/o "
     "IsOpportunisticallyCritical/o SecurityRuleSet/d ClrInstanceID/w"},
    {180, "TypeTransparencyComputationStart", "Type/s Module/s AppDomainID/d ClrInstanceID/w"},
    {181, "TypeTransparencyComputationEnd",
     "Type/s Module/s AppDomainID/d IsAllCritical/o IsAllTransparent/o IsCritical/o "
     "IsTreatAsSafe/o ClrInstanceID/w"},
    {182, "MethodTransparencyComputationStart", "Method/s Module/s AppDomainID/d ClrInstanceID/w"},
    {183, "MethodTransparencyComputationEnd",
     "Method/s Module/s AppDomainID/d IsCritical/o IsTreatAsSafe/o ClrInstanceID/w"},
    {184, "FieldTransparencyComputationStart", "Field/s Module/s AppDomainID/d ClrInstanceID/w"},
    {185, "FieldTransparencyComputationEnd",
     "Field/s Module/s AppDomainID/d IsCritical/o IsTreatAsSafe/o ClrInstanceID/w"},
    {186, "TokenTransparencyComputationStart", "Token/d Module/s AppDomainID/d ClrInstanceID/w"},
    {187, "TokenTransparencyComputationEnd",
     "Token/d Module/s AppDomainID/d IsCritical/o IsTreatAsSafe/o ClrInstanceID/w"},
    {188, "NgenBindEvent", "ClrInstanceID/w BindingID/q ReasonCode/d AssemblyName/s"},
    {191, "FailFast",
     "FailFastUserMessage/s FailedEIP/p OSExitCode/d ClrExitCode/d ClrInstanceID/w"},
    {192, "PrvFinalizeObject", "TypeID/p ObjectID/p ClrInstanceID/w TypeName/s"},
    {193, "CCWRefCountChange",
     "HandleID/p ObjectID/p COMInterfacePointer/p NewRefCount/d AppDomainID/q ClassName/a "
     "NameSpace/a Operation/s ClrInstanceID/w"},
    {194, "PrvSetGCHandle",
     "HandleID/p ObjectID/p Kind/d Generation/d AppDomainID/q ClrInstanceID/w"},
    {195, "PrvDestroyGCHandle", "HandleID/p ClrInstanceID/w"},
    {196, "FusionMessageEvent", "ClrInstanceID/w Prepend/o Message/s"},
    {197, "FusionErrorCodeEvent", "ClrInstanceID/w Category/d ErrorCode/d"},
    {199, "PinPlugAtGCTime", "PlugStart/p PlugEnd/p GapBeforeSize/p ClrInstanceID/w"},
    {201, "MulticoreJit", "ClrInstanceID/w String1/s String2/s Int1/i Int2/i Int3/i"},
    {202, "MulticoreJitMethodCodeReturned", "ClrInstanceID/w ModuleID/q MethodID/q"},
    {310, "AllocRequest",
     "LoaderHeapPtr/p MemoryAddress/p RequestSize/d Unused1/d Unused2/q ClrInstanceID/w"},
    {400, "IInspectableRuntimeClassName", "TypeName/s ClrInstanceID/w"},
    {401, "WinRTUnbox", kTypesFields},
    {402, "CreateRCW", "TypeName/s ClrInstanceID/w"},
    {403, "RCWVariance",
     "TypeName/s InterfaceTypeName/s VariantInterfaceTypeName/s ClrInstanceID/w"},
    {404, "RCWIEnumerableCasting", kTypesFields},
    {405, "CreateCCW", "TypeName/s ClrInstanceID/w"},
    {406, "CCWVariance",
     "TypeName/s InterfaceTypeName/s VariantInterfaceTypeName/s ClrInstanceID/w"},
    {407, "ObjectVariantMarshallingToNative", "TypeName/s Int1/i ClrInstanceID/w"},
    {408, "GetTypeFromGUID", kTypesFields},
    {409, "GetTypeFromProgID", kTypesFields},
    {410, "ConvertToCallbackEtw", kTypesFields},
    {411, "BeginCreateManagedReference", "ClrInstanceID/w"},
    {412, "EndCreateManagedReference", "ClrInstanceID/w"},
    {413, "ObjectVariantMarshallingToManaged", "TypeName/s Int1/i ClrInstanceID/w"},
};

constexpr RuntimeEvent kStress[] = {
    {0, "StressLogEvent", "Facility/d LogLevel/b Message/a ClrInstanceID/w"},
    {1, "CLRStackWalkStress", kWalkFields},
};

}  // namespace

std::span<const RuntimeEvent> rundown_events() { return kRundown; }
std::span<const RuntimeEvent> private_events() { return kPrivate; }
std::span<const RuntimeEvent> stress_events() { return kStress; }

}  // namespace weft::formats::nettrace
