// Attaches volumes to machines and detaches them.
//
// A volume is in-use from the call that attaches it until it is detached. It is detached once the
// time for that is over and the machine has released it. A volume that the guest keeps mounted is
// "busy". The volumes of a launch, including the root, are attached and detached with their
// instance: this class listens to Instances. The comments in cloud.h say what each action throws.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "sim/cloud/host.h"
#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/instance_listener.h"
#include "sim/cloud/parts/instances.h"
#include "sim/cloud/parts/tagging.h"
#include "sim/cloud/parts/volumes.h"

namespace sim::cloud {

class Attachments : public InstanceListener {
 public:
  // For each instance, the volumes with an attachment to it, in any state.
  using Index = std::map<InstanceId, std::set<VolumeId>>;

  Attachments(Context&, Host&, Tagging&, Volumes&, const Instances&);

  const Index& index() const { return index_; }

  Attachment attach(const VolumeId&, const InstanceId&, const std::string& device);
  // `or_empty` names the instance that the caller expects.
  Attachment detach(const VolumeId&, const InstanceId& or_empty, bool force);
  void set_delete_on_termination(const InstanceId&, const std::string& device, bool removed);

  // The hardware of all volumes in an instance fails. Each is in state error once it is detached.
  void lose_volumes(const InstanceId&);
  // A volume's hardware fails. The volume is in state error now, or once it is detached.
  void fail_volume(const VolumeId&);

  void launched(const Instance&) override;          // makes its volumes (launch_volumes.cpp)
  void running(const Instance&) override;           // attaches them
  void booted(const Instance&) override;            // plugs in volumes that were attached before
  void stopped(const Instance&) override;           // unplugs all volumes, which remain attached
  void starting_machine(const Instance&) override;  // plugs them in again
  void machine_gone(const Instance&) override;      // starts to detach all volumes
  void terminated(const Instance&) override;        // detaches all volumes

 private:
  // The transition in progress of a volume that is or was attached.
  struct Work {
    // Number of attachments so far, to recognise late events of an earlier one.
    std::uint64_t attachments = 0;
    std::optional<EventId> attaching;
    bool plugged = false;   // the machine has the device
    bool released = false;  // the machine has released it
    bool detach_elapsed = false;
    bool lost = false;  // its hardware failed, which is visible once it is detached
  };

  void set_state(Volume&, AttachmentState);
  void check_device_is_free(const InstanceId&, const std::string& device);
  void become_attached(Volume&);
  void start_detaching(Volume&, bool force);
  void detach_if_done(Volume&);
  void finish_detaching(Volume&);
  void make_root(const Instance&);
  void end_root(Volume&);
  void put_in(Volume&, const Instance&, const BlockDevice&);

  Context& context_;
  Host& host_;
  Tagging& tagging_;
  Volumes& volumes_;
  const Instances& instances_;
  std::map<VolumeId, Work> work_;
  Index index_;
};

}  // namespace sim::cloud
