// Fields of the messages of a capture (ClientCaptureEvent of Orbit's src/GrpcProtos/capture.proto).
#pragma once

#include <cstdint>

namespace weft::formats::orbit {

enum EventField : uint32_t {
  kCallstackSample = 1,
  kFunctionCall = 2,
  kGpuJob = 3,
  kGpuSubmission = 4,
  kInternedCallstack = 5,
  kSchedulingSlice = 6,
  kThreadState = 7,
  kTracepoint = 8,
  kScopeStart = 10,
  kScopeStop = 11,
  kAddress = 16,
  kInternedString = 18,
  kInternedTracepoint = 19,
  kModuleUpdate = 21,
  kThreadName = 22,
  kCaptureStarted = 24,
  kModules = 25,
  kThreadNames = 26,
  kCaptureFinished = 27,
  kMemoryUsage = 31,
  kWarning = 32,
  kApiError = 33,
  kClockResolution = 34,
  kPerfErrors = 35,
  kLostRecords = 36,
  kDiscarded = 37,
  kAsyncStart = 38,
  kAsyncStop = 39,
  kApiString = 40,
  kTrackDouble = 41,
  kTrackFloat = 42,
  kTrackInt = 43,
  kTrackInt64 = 44,
  kTrackUint = 45,
  kTrackUint64 = 46,
  kInstrumentationError = 47,
  kInstrumentationWarning = 48,
  kPresent = 49,
  kUprobesWarning = 50,
};

}  // namespace weft::formats::orbit
