#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/hpc/otf2/otf2_callbacks.h"
#include "core/formats/hpc/otf2/otf2_fields.h"

namespace weft::formats::otf2 {
namespace {

// Names of instants, and their fields in the library's order.
struct InstantField {
  std::string_view name;
  FieldKind kind = FieldKind::kNumber;
};
struct Instant {
  std::string_view name, group;
  std::array<InstantField, 4> fields{};

  constexpr size_t count() const {
    size_t count = 0;
    while (count < fields.size() && !fields[count].name.empty()) ++count;
    return count;
  }
};

constexpr auto kComm = FieldKind::kCommunicator;
constexpr auto kWindow = FieldKind::kWindow;
constexpr auto kHandle = FieldKind::kFileHandle;
constexpr auto kParadigm = FieldKind::kParadigm;
constexpr auto kLock = FieldKind::kLock;
constexpr std::string_view kThreads = "threads", kRma = "RMA", kFiles = "file", kMpi = "MPI";

constexpr InstantField kPlaces[] = {{"team", kComm}, {"creator"}, {"generation"}};
constexpr Instant kIsendComplete{"send complete", kMpi, {{{"request"}}}};
constexpr Instant kIrecvRequest{"receive requested", kMpi, {{{"request"}}}};
constexpr Instant kRequestTest{"request tested", kMpi, {{{"request"}}}};
constexpr Instant kRequestCancelled{"request cancelled", kMpi, {{{"request"}}}};
constexpr Instant kCommCreate{"communicator created", kMpi, {{{"communicator", kComm}}}};
constexpr Instant kCommDestroy{"communicator destroyed", kMpi, {{{"communicator", kComm}}}};

constexpr Instant kOmpFork{"fork", kThreads, {{{"threads"}}}};
constexpr Instant kOmpJoin{"join", kThreads};
constexpr Instant kOmpAcquire{"lock acquired", kThreads, {{{"lock"}, {"order"}}}};
constexpr Instant kOmpRelease{"lock released", kThreads, {{{"lock"}, {"order"}}}};
constexpr Instant kOmpTaskCreate{"task created", kThreads, {{{"task"}}}};
constexpr Instant kOmpTaskSwitch{"task switched to", kThreads, {{{"task"}}}};
constexpr Instant kOmpTaskComplete{"task complete", kThreads, {{{"task"}}}};
constexpr Instant kFork{"fork", kThreads, {{{"paradigm", kParadigm}, {"threads"}}}};
constexpr Instant kJoin{"join", kThreads, {{{"paradigm", kParadigm}}}};
constexpr Instant kTeamBegin{"team begins", kThreads, {{{"team", kComm}}}};
constexpr Instant kTeamEnd{"team ends", kThreads, {{{"team", kComm}}}};
constexpr Instant kAcquire{
    "lock acquired", kThreads, {{{"paradigm", kParadigm}, {"lock"}, {"order"}}}};
constexpr Instant kRelease{
    "lock released", kThreads, {{{"paradigm", kParadigm}, {"lock"}, {"order"}}}};
constexpr Instant kTaskCreate{"task created", kThreads, {{kPlaces[0], kPlaces[1], kPlaces[2]}}};
constexpr Instant kTaskSwitch{"task switched to", kThreads, {{kPlaces[0], kPlaces[1], kPlaces[2]}}};
constexpr Instant kTaskComplete{"task complete", kThreads, {{kPlaces[0], kPlaces[1], kPlaces[2]}}};
constexpr Instant kThreadCreate{
    "thread created", kThreads, {{{"contingent", kComm}, {"sequence"}}}};
constexpr Instant kThreadBegin{"thread begins", "", {{{"contingent", kComm}, {"sequence"}}}};
constexpr Instant kThreadWait{
    "thread waited for", kThreads, {{{"contingent", kComm}, {"sequence"}}}};
constexpr Instant kThreadEnd{"thread ends", "", {{{"contingent", kComm}, {"sequence"}}}};

constexpr InstantField kLocked[] = {{"window", kWindow}, {"rank"}, {"lock"}, {"kind", kLock}};
constexpr Instant kWinCreate{"window created", kRma, {{{"window", kWindow}}}};
constexpr Instant kWinDestroy{"window destroyed", kRma, {{{"window", kWindow}}}};
constexpr Instant kGroupSync{
    "group synchronized", kRma, {{{"level"}, {"window", kWindow}, {"group"}}}};
constexpr Instant kRmaRequestLock{
    "lock requested", kRma, {{kLocked[0], kLocked[1], kLocked[2], kLocked[3]}}};
constexpr Instant kRmaAcquireLock{
    "lock acquired", kRma, {{kLocked[0], kLocked[1], kLocked[2], kLocked[3]}}};
constexpr Instant kRmaTryLock{
    "lock tried", kRma, {{kLocked[0], kLocked[1], kLocked[2], kLocked[3]}}};
constexpr Instant kRmaReleaseLock{"lock released", kRma, {{kLocked[0], kLocked[1], kLocked[2]}}};
constexpr Instant kRmaSync{"synchronized", kRma, {{{"window", kWindow}, {"rank"}, {"type"}}}};
constexpr Instant kRmaWaitChange{"change waited for", kRma, {{{"window", kWindow}}}};
constexpr Instant kRmaTest{"transfer tested", kRma, {{{"window", kWindow}, {"matching"}}}};
constexpr Instant kRmaRemote{"complete at the other", kRma, {{{"window", kWindow}, {"matching"}}}};

constexpr Instant kIoCreate{
    "file opened",
    kFiles,
    {{{"file", kHandle}, {"mode", FieldKind::kAccess}, {"creation"}, {"status"}}}};
constexpr Instant kIoDestroy{"file closed", kFiles, {{{"file", kHandle}}}};
constexpr Instant kIoDuplicate{
    "file handle duplicated", kFiles, {{{"file", kHandle}, {"new", kHandle}, {"status"}}}};
constexpr Instant kIoSeek{"file sought",
                          kFiles,
                          {{{"file", kHandle},
                            {"requested", FieldKind::kSigned},
                            {"from", FieldKind::kOrigin},
                            {"position"}}}};
constexpr Instant kIoStatus{"file status changed", kFiles, {{{"file", kHandle}, {"status"}}}};
constexpr Instant kIoDelete{"file deleted", kFiles, {{{"paradigm"}, {"file", FieldKind::kFile}}}};
constexpr Instant kIoTest{"operation tested", kFiles, {{{"file", kHandle}, {"matching"}}}};
constexpr Instant kIoIssued{"operation issued", kFiles, {{{"file", kHandle}, {"matching"}}}};
constexpr Instant kIoAcquire{"lock acquired", kFiles, {{{"file", kHandle}, {"kind", kLock}}}};
constexpr Instant kIoRelease{"lock released", kFiles, {{{"file", kHandle}, {"kind", kLock}}}};
constexpr Instant kIoTry{"lock tried", kFiles, {{{"file", kHandle}, {"kind", kLock}}}};
constexpr Instant kProgramEnd{"program ends", "", {{{"status", FieldKind::kSigned}}}};

template <auto kSet, const Instant& kInstant>
void set(OTF2_GlobalEvtReaderCallbacks* callbacks) {
  on<kSet>(callbacks, [](const Called& called, auto... fields) {
    static_assert(kInstant.count() == sizeof...(fields), "a name for each field");
    ArgsText more;
    [[maybe_unused]] size_t i = 0;
    [[maybe_unused]] const auto append = [&](auto value) {
      const InstantField& field = kInstant.fields[i++];
      append_field(more, called.definitions, field.name, field.kind, static_cast<uint64_t>(value));
    };
    (append(fields), ...);
    called.events.add_punctual(called.location, called.time, kInstant.name, kInstant.group,
                               called.more(std::move(more)));
  });
}

void set_requests(OTF2_GlobalEvtReaderCallbacks* to) {
  set<OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCompleteCallback, kIsendComplete>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback, kIrecvRequest>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetMpiRequestTestCallback, kRequestTest>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetMpiRequestCancelledCallback, kRequestCancelled>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetCommCreateCallback, kCommCreate>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetCommDestroyCallback, kCommDestroy>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetProgramEndCallback, kProgramEnd>(to);
}

void set_threads(OTF2_GlobalEvtReaderCallbacks* to) {
  set<OTF2_GlobalEvtReaderCallbacks_SetOmpForkCallback, kOmpFork>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetOmpJoinCallback, kOmpJoin>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetOmpAcquireLockCallback, kOmpAcquire>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetOmpReleaseLockCallback, kOmpRelease>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetOmpTaskCreateCallback, kOmpTaskCreate>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetOmpTaskSwitchCallback, kOmpTaskSwitch>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetOmpTaskCompleteCallback, kOmpTaskComplete>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadForkCallback, kFork>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadJoinCallback, kJoin>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadTeamBeginCallback, kTeamBegin>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadTeamEndCallback, kTeamEnd>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadAcquireLockCallback, kAcquire>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadReleaseLockCallback, kRelease>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadTaskCreateCallback, kTaskCreate>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadTaskSwitchCallback, kTaskSwitch>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadTaskCompleteCallback, kTaskComplete>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadCreateCallback, kThreadCreate>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadBeginCallback, kThreadBegin>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadWaitCallback, kThreadWait>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetThreadEndCallback, kThreadEnd>(to);
}

void set_windows(OTF2_GlobalEvtReaderCallbacks* to) {
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaWinCreateCallback, kWinCreate>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaWinDestroyCallback, kWinDestroy>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaGroupSyncCallback, kGroupSync>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaRequestLockCallback, kRmaRequestLock>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaAcquireLockCallback, kRmaAcquireLock>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaTryLockCallback, kRmaTryLock>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaReleaseLockCallback, kRmaReleaseLock>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaSyncCallback, kRmaSync>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaWaitChangeCallback, kRmaWaitChange>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaOpTestCallback, kRmaTest>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteRemoteCallback, kRmaRemote>(to);
}

void set_file_instants(OTF2_GlobalEvtReaderCallbacks* to) {
  set<OTF2_GlobalEvtReaderCallbacks_SetIoCreateHandleCallback, kIoCreate>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoDestroyHandleCallback, kIoDestroy>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoDuplicateHandleCallback, kIoDuplicate>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoSeekCallback, kIoSeek>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoChangeStatusFlagsCallback, kIoStatus>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoDeleteFileCallback, kIoDelete>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoOperationTestCallback, kIoTest>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoOperationIssuedCallback, kIoIssued>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoAcquireLockCallback, kIoAcquire>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoReleaseLockCallback, kIoRelease>(to);
  set<OTF2_GlobalEvtReaderCallbacks_SetIoTryLockCallback, kIoTry>(to);
}

}  // namespace

void set_instants(OTF2_GlobalEvtReaderCallbacks* callbacks) {
  set_requests(callbacks);
  set_threads(callbacks);
  set_windows(callbacks);
  set_file_instants(callbacks);
}

}  // namespace weft::formats::otf2
