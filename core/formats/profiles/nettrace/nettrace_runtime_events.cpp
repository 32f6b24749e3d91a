#include "core/formats/profiles/nettrace/nettrace_fields.h"
#include "core/formats/profiles/nettrace/nettrace_runtime.h"

namespace weft::formats::nettrace {
namespace {

constexpr std::string_view kWorkerFields = "WorkerThreadCount/d RetiredWorkerThreads/d";
constexpr std::string_view kIoThreadFields = "IOThreadCount/d RetiredIOThreads/d ClrInstanceID/w";
constexpr std::string_view kActiveWorkerFields =
    "ActiveWorkerThreadCount/d RetiredWorkerThreadCount/d ClrInstanceID/w";
constexpr std::string_view kHandlerFields = "EntryEIP/q MethodID/q MethodName/s ClrInstanceID/w";

constexpr RuntimeEvent kEvents[] = {
    {1, "GCStart", "Count/d Depth/d Reason/d Type/d ClrInstanceID/w ClientSequenceNumber/q"},
    {2, "GCEnd", "Count/d Depth/d ClrInstanceID/w"},
    {3, "GCRestartEEEnd", "ClrInstanceID/w"},
    {4, "GCHeapStats",
     "GenerationSize0/q TotalPromotedSize0/q GenerationSize1/q TotalPromotedSize1/q "
     "GenerationSize2/q TotalPromotedSize2/q GenerationSize3/q TotalPromotedSize3/q "
     "FinalizationPromotedSize/q FinalizationPromotedCount/q PinnedObjectCount/d SinkBlockCount/d "
     "GCHandleCount/d ClrInstanceID/w GenerationSize4/q TotalPromotedSize4/q"},
    {5, "GCCreateSegment", "Address/q Size/q Type/d ClrInstanceID/w"},
    {6, "GCFreeSegment", "Address/q ClrInstanceID/w"},
    {7, "GCRestartEEBegin", "ClrInstanceID/w"},
    {8, "GCSuspendEEEnd", "ClrInstanceID/w"},
    {9, "GCSuspendEEBegin", "Reason/d Count/d ClrInstanceID/w"},
    {10, "GCAllocationTick",
     "AllocationAmount/d AllocationKind/d ClrInstanceID/w AllocationAmount64/q TypeID/p TypeName/s "
     "HeapIndex/d Address/p ObjectSize/q"},
    {11, "GCCreateConcurrentThread", "ClrInstanceID/w"},
    {12, "GCTerminateConcurrentThread", "ClrInstanceID/w"},
    {13, "GCFinalizersEnd", "Count/d ClrInstanceID/w"},
    {14, "GCFinalizersBegin", "ClrInstanceID/w"},
    {15, "BulkType", "Count/d ClrInstanceID/w"},
    {16, "GCBulkRootEdge", "Index/d Count/d ClrInstanceID/w"},
    {17, "GCBulkRootConditionalWeakTableElementEdge", "Index/d Count/d ClrInstanceID/w"},
    {18, "GCBulkNode", "Index/d Count/d ClrInstanceID/w"},
    {19, "GCBulkEdge", "Index/d Count/d ClrInstanceID/w"},
    {20, "GCSampledObjectAllocationHigh",
     "Address/p TypeID/p ObjectCountForTypeSample/d TotalSizeForTypeSample/q ClrInstanceID/w"},
    {21, "GCBulkSurvivingObjectRanges", "Index/d Count/d ClrInstanceID/w"},
    {22, "GCBulkMovedObjectRanges", "Index/d Count/d ClrInstanceID/w"},
    {23, "GCGenerationRange",
     "Generation/b RangeStart/p RangeUsedLength/q RangeReservedLength/q ClrInstanceID/w"},
    {25, "GCMarkStackRoots", "HeapNum/d ClrInstanceID/w"},
    {26, "GCMarkFinalizeQueueRoots", "HeapNum/d ClrInstanceID/w"},
    {27, "GCMarkHandles", "HeapNum/d ClrInstanceID/w"},
    {28, "GCMarkOlderGenerationRoots", "HeapNum/d ClrInstanceID/w"},
    {29, "FinalizeObject", "TypeID/p ObjectID/p ClrInstanceID/w"},
    {30, "SetGCHandle", "HandleID/p ObjectID/p Kind/d Generation/d AppDomainID/q ClrInstanceID/w"},
    {31, "DestroyGCHandle", "HandleID/p ClrInstanceID/w"},
    {32, "GCSampledObjectAllocationLow",
     "Address/p TypeID/p ObjectCountForTypeSample/d TotalSizeForTypeSample/q ClrInstanceID/w"},
    {33, "PinObjectAtGCTime", "HandleID/p ObjectID/p ObjectSize/q TypeName/s ClrInstanceID/w"},
    {35, "GCTriggered", "Reason/d ClrInstanceID/w"},
    {36, "GCBulkRootCCW", "Count/d ClrInstanceID/w"},
    {37, "GCBulkRCW", "Count/d ClrInstanceID/w"},
    {38, "GCBulkRootStaticVar", "Count/d AppDomainID/q ClrInstanceID/w"},
    {39, "GCDynamicEvent", "Name/s DataSize/d"},
    {40, "WorkerThreadCreate", kWorkerFields},
    {41, "WorkerThreadTerminate", kWorkerFields},
    {42, "WorkerThreadRetire", kWorkerFields},
    {43, "WorkerThreadUnretire", kWorkerFields},
    {44, "IOThreadCreate", kIoThreadFields},
    {45, "IOThreadTerminate", kIoThreadFields},
    {46, "IOThreadRetire", kIoThreadFields},
    {47, "IOThreadUnretire", kIoThreadFields},
    {48, "ThreadpoolSuspensionSuspendThread", "ClrThreadID/d CpuUtilization/d"},
    {49, "ThreadpoolSuspensionResumeThread", "ClrThreadID/d CpuUtilization/d"},
    {50, "ThreadPoolWorkerThreadStart", kActiveWorkerFields},
    {51, "ThreadPoolWorkerThreadStop", kActiveWorkerFields},
    {52, "ThreadPoolWorkerThreadRetirementStart", kActiveWorkerFields},
    {53, "ThreadPoolWorkerThreadRetirementStop", kActiveWorkerFields},
    {54, "ThreadPoolWorkerThreadAdjustmentSample", "Throughput/n ClrInstanceID/w"},
    {55, "ThreadPoolWorkerThreadAdjustmentAdjustment",
     "AverageThroughput/n NewWorkerThreadCount/d Reason/d ClrInstanceID/w"},
    {56, "ThreadPoolWorkerThreadAdjustmentStats",
     "Duration/n Throughput/n ThreadWave/n ThroughputWave/n ThroughputErrorEstimate/n "
     "AverageThroughputErrorEstimate/n ThroughputRatio/n Confidence/n NewControlSetting/n "
     "NewThreadWaveMagnitude/w ClrInstanceID/w"},
    {57, "ThreadPoolWorkerThreadWait", kActiveWorkerFields},
    {58, "YieldProcessorMeasurement", "ClrInstanceID/w NsPerYield/n EstablishedNsPerYield/n"},
    {59, "ThreadPoolMinMaxThreads",
     "MinWorkerThreads/w MaxWorkerThreads/w MinIOCompletionThreads/w MaxIOCompletionThreads/w "
     "ClrInstanceID/w"},
    {60, "ThreadPoolWorkingThreadCount", "Count/d ClrInstanceID/w"},
    {61, "ThreadPoolEnqueue", "WorkID/p ClrInstanceID/w"},
    {62, "ThreadPoolDequeue", "WorkID/p ClrInstanceID/w"},
    {63, "ThreadPoolIOEnqueue", "NativeOverlapped/p Overlapped/p MultiDequeues/o ClrInstanceID/w"},
    {64, "ThreadPoolIODequeue", "NativeOverlapped/p Overlapped/p ClrInstanceID/w"},
    {65, "ThreadPoolIOPack", "NativeOverlapped/p Overlapped/p ClrInstanceID/w"},
    {70, "ThreadCreating", "ID/p ClrInstanceID/w"},
    {71, "ThreadRunning", "ID/p ClrInstanceID/w"},
    {72, "MethodDetails", "MethodID/q TypeID/q TypeParameterCount/d LoaderModuleID/q"},
    {73, "TypeLoadStart", "TypeLoadStartID/d ClrInstanceID/w"},
    {74, "TypeLoadStop", "TypeLoadStartID/d ClrInstanceID/w LoadLevel/w TypeID/q TypeName/s"},
    {80, "ExceptionThrown",
     "ExceptionType/s ExceptionMessage/s ExceptionEIP/p ExceptionHRESULT/d ExceptionFlags/w "
     "ClrInstanceID/w"},
    {81, "ContentionStart",
     "ContentionFlags/b ClrInstanceID/w LockID/p AssociatedObjectID/p LockOwnerThreadID/q"},
    {82, "CLRStackWalk", kWalkFields},
    {83, "AppDomainMemAllocated", "AppDomainID/q Allocated/q ClrInstanceID/w"},
    {84, "AppDomainMemSurvived", "AppDomainID/q Survived/q ProcessSurvived/q ClrInstanceID/w"},
    {85, "ThreadCreated",
     "ManagedThreadID/q AppDomainID/q Flags/d ManagedThreadIndex/d OSThreadID/d ClrInstanceID/w"},
    {86, "ThreadTerminated", "ManagedThreadID/q AppDomainID/q ClrInstanceID/w"},
    {87, "ThreadDomainEnter", "ManagedThreadID/q AppDomainID/q ClrInstanceID/w"},
    {88, "ILStubGenerated",
     "ClrInstanceID/w ModuleID/q StubMethodID/q StubFlags/d ManagedInteropMethodToken/d "
     "ManagedInteropMethodNamespace/s ManagedInteropMethodName/s ManagedInteropMethodSignature/s "
     "NativeMethodSignature/s StubMethodSignature/s StubMethodILCode/s"},
    {89, "ILStubCacheHit",
     "ClrInstanceID/w ModuleID/q StubMethodID/q ManagedInteropMethodToken/d "
     "ManagedInteropMethodNamespace/s ManagedInteropMethodName/s ManagedInteropMethodSignature/s"},
    {90, "ContentionLockCreated", "LockID/p AssociatedObjectID/p ClrInstanceID/w"},
    {91, "ContentionStop", "ContentionFlags/b ClrInstanceID/w DurationNs/n"},
    {135, "DCStartComplete", ""},
    {136, "DCEndComplete", ""},
    {137, "MethodDCStart",
     "MethodID/q ModuleID/q MethodStartAddress/q MethodSize/d MethodToken/d MethodFlags/d"},
    {138, "MethodDCEnd",
     "MethodID/q ModuleID/q MethodStartAddress/q MethodSize/d MethodToken/d MethodFlags/d"},
    {139, "MethodDCStartVerbose",
     "MethodID/q ModuleID/q MethodStartAddress/q MethodSize/d MethodToken/d MethodFlags/d "
     "MethodNamespace/s MethodName/s MethodSignature/s"},
    {140, "MethodDCEndVerbose",
     "MethodID/q ModuleID/q MethodStartAddress/q MethodSize/d MethodToken/d MethodFlags/d "
     "MethodNamespace/s MethodName/s MethodSignature/s"},
    {141, "MethodLoad", kMethodFields},
    {142, "MethodUnload", kMethodFields},
    {143, "MethodLoadVerbose", kNamedMethodFields},
    {144, "MethodUnloadVerbose", kNamedMethodFields},
    {145, "MethodJittingStarted",
     "MethodID/q ModuleID/q MethodToken/d MethodILSize/d MethodNamespace/s MethodName/s "
     "MethodSignature/s ClrInstanceID/w"},
    {146, "MethodJitMemoryAllocatedForCode",
     "MethodID/q ModuleID/q JitHotCodeRequestSize/q JitRODataRequestSize/q "
     "AllocatedSizeForJitCode/q JitAllocFlag/d ClrInstanceID/w"},
    {149, "ModuleDCStart",
     "ModuleID/q AssemblyID/q ModuleFlags/d Reserved1/d ModuleILPath/s ModuleNativePath/s"},
    {150, "ModuleDCEnd",
     "ModuleID/q AssemblyID/q ModuleFlags/d Reserved1/d ModuleILPath/s ModuleNativePath/s"},
    {151, "DomainModuleLoad", kModuleFields},
    {152, "ModuleLoad", kAssemblyFields},
    {153, "ModuleUnload", kAssemblyFields},
    {154, "AssemblyLoad", kDomainFields},
    {155, "AssemblyUnload", kDomainFields},
    {156, "AppDomainLoad", kMapFields},
    {157, "AppDomainUnload", kMapFields},
    {158, "ModuleRangeLoad", "ClrInstanceID/w ModuleID/q RangeBegin/d RangeSize/d RangeType/b"},
    {159, "R2RGetEntryPoint",
     "MethodID/q MethodNamespace/s MethodName/s MethodSignature/s EntryPoint/q ClrInstanceID/w"},
    {160, "R2RGetEntryPointStart", "MethodID/q ClrInstanceID/w"},
    {181, "StrongNameVerificationStart",
     "VerificationFlags/d ErrorCode/d FullyQualifiedAssemblyName/s ClrInstanceID/w"},
    {182, "StrongNameVerificationStop",
     "VerificationFlags/d ErrorCode/d FullyQualifiedAssemblyName/s ClrInstanceID/w"},
    {183, "AuthenticodeVerificationStart",
     "VerificationFlags/d ErrorCode/d ModulePath/s ClrInstanceID/w"},
    {184, "AuthenticodeVerificationStop",
     "VerificationFlags/d ErrorCode/d ModulePath/s ClrInstanceID/w"},
    {185, "MethodJitInliningSucceeded",
     "MethodBeingCompiledNamespace/s MethodBeingCompiledName/s MethodBeingCompiledNameSignature/s "
     "InlinerNamespace/s InlinerName/s InlinerNameSignature/s InlineeNamespace/s InlineeName/s "
     "InlineeNameSignature/s ClrInstanceID/w"},
    {186, "MethodJitInliningFailed",
     "MethodBeingCompiledNamespace/s MethodBeingCompiledName/s MethodBeingCompiledNameSignature/s "
     "InlinerNamespace/s InlinerName/s InlinerNameSignature/s InlineeNamespace/s InlineeName/s "
     "InlineeNameSignature/s FailAlways/o FailReason/a ClrInstanceID/w"},
    {187, "RuntimeInformationStart",
     "ClrInstanceID/w Sku/w BclMajorVersion/w BclMinorVersion/w BclBuildNumber/w BclQfeNumber/w "
     "VMMajorVersion/w VMMinorVersion/w VMBuildNumber/w VMQfeNumber/w StartupFlags/d StartupMode/b "
     "CommandLine/s ComObjectGuid/g RuntimeDllPath/s"},
    {188, "MethodJitTailCallSucceeded",
     "MethodBeingCompiledNamespace/s MethodBeingCompiledName/s MethodBeingCompiledNameSignature/s "
     "CallerNamespace/s CallerName/s CallerNameSignature/s CalleeNamespace/s CalleeName/s "
     "CalleeNameSignature/s TailPrefix/o TailCallType/d ClrInstanceID/w"},
    {189, "MethodJitTailCallFailed",
     "MethodBeingCompiledNamespace/s MethodBeingCompiledName/s MethodBeingCompiledNameSignature/s "
     "CallerNamespace/s CallerName/s CallerNameSignature/s CalleeNamespace/s CalleeName/s "
     "CalleeNameSignature/s TailPrefix/o FailReason/a ClrInstanceID/w"},
    {190, "MethodILToNativeMap", kDomainModuleFields},
    {192, "MethodJitInliningFailed",
     "MethodBeingCompiledNamespace/s MethodBeingCompiledName/s MethodBeingCompiledNameSignature/s "
     "InlinerNamespace/s InlinerName/s InlinerNameSignature/s InlineeNamespace/s InlineeName/s "
     "InlineeNameSignature/s FailAlways/o FailReason/s ClrInstanceID/w"},
    {200, "IncreaseMemoryPressure", "BytesAllocated/q ClrInstanceID/w"},
    {201, "DecreaseMemoryPressure", "BytesFreed/q ClrInstanceID/w"},
    {202, "GCMarkWithType", "HeapNum/d ClrInstanceID/w Type/d Bytes/q"},
    {203, "GCJoin", "Heap/d JoinTime/d JoinType/d ClrInstanceID/w JoinID/d"},
    {204, "GCPerHeapHistory",
     "ClrInstanceID/w FreeListAllocated/p FreeListRejected/p EndOfSegAllocated/p "
     "CondemnedAllocated/p PinnedAllocated/p PinnedAllocatedAdvance/p RunningFreeListEfficiency/d "
     "CondemnReasons0/d CondemnReasons1/d CompactMechanisms/d ExpandMechanisms/d HeapIndex/d "
     "ExtraGen0Commit/p Count/d"},
    {205, "GCGlobalHeapHistory",
     "FinalYoungestDesired/q NumHeaps/i CondemnedGeneration/d Gen0ReductionCount/d Reason/d "
     "GlobalMechanisms/d ClrInstanceID/w PauseMode/d MemoryPressure/d CondemnReasons0/d "
     "CondemnReasons1/d Count/d"},
    {206, "GenAwareBegin", "Count/d ClrInstanceID/w"},
    {207, "GenAwareEnd", "Count/d ClrInstanceID/w"},
    {208, "GCLOHCompact", "ClrInstanceID/w Count/w"},
    {209, "GCFitBucketInfo", "ClrInstanceID/w BucketKind/w TotalSize/q Count/w"},
    {240, "DebugIPCEventStart", ""},
    {241, "DebugIPCEventEnd", ""},
    {242, "DebugExceptionProcessingStart", ""},
    {243, "DebugExceptionProcessingEnd", ""},
    {250, "ExceptionCatchStart", kHandlerFields},
    {251, "ExceptionCatchStop", ""},
    {252, "ExceptionFinallyStart", kHandlerFields},
    {253, "ExceptionFinallyStop", ""},
    {254, "ExceptionFilterStart", kHandlerFields},
    {255, "ExceptionFilterStop", ""},
    {256, "ExceptionThrownStop", ""},
    {260, "CodeSymbols", "ModuleID/q TotalChunks/w ChunkNumber/w ChunkLength/d"},
    {270, "EventSource", "EventID/d EventName/s EventSourceName/s Payload/s"},
    {280, "TieredCompilationSettings", "ClrInstanceID/w Flags/d"},
    {281, "TieredCompilationPause", "ClrInstanceID/w"},
    {282, "TieredCompilationResume", "ClrInstanceID/w NewMethodCount/d"},
    {283, "TieredCompilationBackgroundJitStart", "ClrInstanceID/w PendingMethodCount/d"},
    {284, "TieredCompilationBackgroundJitStop",
     "ClrInstanceID/w PendingMethodCount/d JittedMethodCount/d"},
    {290, "AssemblyLoadStart",
     "ClrInstanceID/w AssemblyName/s AssemblyPath/s RequestingAssembly/s AssemblyLoadContext/s "
     "RequestingAssemblyLoadContext/s"},
    {291, "AssemblyLoadStop",
     "ClrInstanceID/w AssemblyName/s AssemblyPath/s RequestingAssembly/s AssemblyLoadContext/s "
     "RequestingAssemblyLoadContext/s Success/o ResultAssemblyName/s ResultAssemblyPath/s "
     "Cached/o"},
    {292, "ResolutionAttempted",
     "ClrInstanceID/w AssemblyName/s Stage/w AssemblyLoadContext/s Result/w ResultAssemblyName/s "
     "ResultAssemblyPath/s ErrorMessage/s"},
    {293, "AssemblyLoadContextResolvingHandlerInvoked",
     "ClrInstanceID/w AssemblyName/s HandlerName/s AssemblyLoadContext/s ResultAssemblyName/s "
     "ResultAssemblyPath/s"},
    {294, "AppDomainAssemblyResolveHandlerInvoked",
     "ClrInstanceID/w AssemblyName/s HandlerName/s ResultAssemblyName/s ResultAssemblyPath/s"},
    {295, "AssemblyLoadFromResolveHandlerInvoked",
     "ClrInstanceID/w AssemblyName/s IsTrackedLoad/o RequestingAssemblyPath/s "
     "ComputedRequestedAssemblyPath/s"},
    {296, "KnownPathProbed", "ClrInstanceID/w FilePath/s Source/w Result/i"},
    {297, "JitInstrumentationData", "ClrInstanceID/w MethodFlags/d DataSize/d MethodID/q"},
    {298, "JitInstrumentationDataVerbose",
     "ClrInstanceID/w MethodFlags/d DataSize/d MethodID/q MethodNamespace/s MethodName/s "
     "MethodSignature/s"},
    {300, "ExecutionCheckpoint", "ClrInstanceID/w Name/s Timestamp/q"},
    {301, "WaitHandleWaitStart", "WaitSource/b AssociatedObjectID/p ClrInstanceID/w"},
    {302, "WaitHandleWaitStop", "ClrInstanceID/w"},
    {303, "AllocationSampled",
     "AllocationKind/d ClrInstanceID/w TypeID/p TypeName/s Address/p ObjectSize/q "
     "SampledByteOffset/q"},
};

}  // namespace

std::span<const RuntimeEvent> runtime_events() { return kEvents; }

}  // namespace weft::formats::nettrace
