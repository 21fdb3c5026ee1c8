// A kind of guest: the cloud's Host, the operator's machine, and the running of the world.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "sim/cloud/host.h"
#include "sim/guest/file_cut.h"
#include "sim/guest/guest_fault.h"

// What parses scenarios knows guests, and no library for HTTP.
namespace fakes {
struct Backend;
}

namespace sim::guest {

// What faults do to guests. By default guests cannot have any.
class FaultTarget {
 public:
  virtual ~FaultTarget() = default;

  // To be told before the instance boots, or where writes are watched: calls `cut`, once, when a
  // file of it has reached so many bytes. False: this kind of guest has no files.
  virtual bool cut_power_at(const cloud::InstanceId&, FileCut) { return false; }
  // Of a volume that no instance has; nothing happens to another.
  virtual void zero_first_block(const cloud::VolumeId&) {}
  // Before any instance boots: any of them may have its power cut in a write.
  virtual void watch_writes() {}

  // Whether it can do a fault to an instance, whichever.
  virtual bool can(GuestFault::What) const { return false; }
  // Does one that it can. Nothing happens where the instance has not what is struck: no machine,
  // no trainer, no such file.
  virtual void inflict(const cloud::InstanceId&, const GuestFault&) {}

  // What the metadata service would answer this instance is not what it was: for guests that do
  // not ask as long as nothing changes.
  virtual void metadata_changed(const cloud::InstanceId&) {}
  // Likewise of what EC2 would describe.
  virtual void descriptions_changed() {}
};

class GuestHost : public cloud::Host, public FaultTarget {
 public:
  // The adapters exist only after the cloud, which needs the host: told once, before anything
  // boots.
  virtual void connect(fakes::Backend& backend) = 0;

  // Runs a shell script (bash) as the operator: outside any instance, with endpoint and credentials
  // in the environment, in `folder` (read-only files of the scenario). `exited` gets its exit
  // status.
  virtual void run_operator(const std::string& script, const std::filesystem::path& folder,
                            std::function<void(int status)> exited) = 0;

  // Runs the world until `done` or until nothing can happen any more (false).
  virtual bool run(const std::function<bool()>& done) = 0;
};

}  // namespace sim::guest
