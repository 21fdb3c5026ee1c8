// Builds a History from the events of a log. A run attaches one builder to its log, and `spotsim
// result` feeds it the lines of a file. Listeners that are added later can rely on a history that
// includes their event.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/events/listeners.h"
#include "sim/result/checkpoint_follower.h"
#include "sim/result/history.h"

namespace sim::result {

// Listens to a log from its first line on.
class HistoryBuilder {
 public:
  HistoryBuilder() = default;
  HistoryBuilder(const HistoryBuilder&) = delete;
  HistoryBuilder& operator=(const HistoryBuilder&) = delete;

  // The builder must outlive the log's listeners. A charge without price or instant throws
  // std::runtime_error.
  void listen(events::Listeners& log);
  const History& history() const { return history_; }

 private:
  void run_start(const events::RunStart& event);
  void run_end(const events::RunEnd& event);
  void instance_state(const events::InstanceState& event);
  void reboot(const events::GuestReboot& event);
  void exit(const events::GuestExit& event);
  void volume_state(const events::VolumeState& event);
  void attachment_state(const events::AttachmentState& event);
  void snapshot_state(const events::SnapshotState& event);
  void phase(const events::OrchestratorPhase& event);
  void tags_created(const events::TagsCreated& event);
  void tags_deleted(const events::TagsDeleted& event);
  void charge(const events::Charge& event);
  void bill(const ChargeLine& charge);
  void training_job(const events::SagemakerEnd& event);
  void stack_status(const events::StackStatus& event);
  void stack_resource(const events::StackResource& event);
  void call(const events::ApiCall& event);
  void iam_denied(const events::IamDenied& event);
  template <class E>
  void enter(History::Resource& resource, const E& event);
  // Keeps the time of the first event of this kind, for an event with an instance_id.
  template <class E>
  void mark_first(events::Listeners& log, std::optional<Time> History::Instance::*mark);
  template <class... Events>
  void listen_to_trainers(events::Listeners& log);
  template <class E>
  void trainer(const E& event);
  // True if the instance's user data runs: after a restart, if a trainer has reported since.
  bool runs_user_data(const History::Instance& instance) const;

  // Null if the history has no instance of this ID.
  History::Instance* instance(std::string_view id);
  // Index of the text in History::reasons. There are few texts, and many lines have the same one.
  std::uint32_t reason(std::string_view text);

  History history_;
  std::set<std::string, std::less<>> instant_fleets_;
  CheckpointFollower checkpoints_{history_};
  std::size_t trainers_lines_ = 0;
  std::size_t last_ = 0;  // index of the instance of the last event
};

}  // namespace sim::result
