// A kind of guest, as a run uses it: the cloud's Host, the operator's machine, and the main loop.
// The kinds are FiberHost (models) and ProcessHost (real programs).
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "sim/cloud/host.h"
#include "sim/guest/file_cut.h"
#include "sim/guest/guest_fault.h"

// Forward declaration: code that parses scenarios knows guests, but no library for HTTP.
namespace fakes {
struct Backend;
}

namespace sim::guest {

// The functions by which faults act on guests. By default a kind of guest supports no fault.
class FaultTarget {
 public:
  virtual ~FaultTarget() = default;

  // Requests a power cut: calls `cut`, once, when a file of the instance has reached the given
  // number of bytes. Call it before the instance boots, or after watch_writes(). Returns false if
  // this kind of guest has no files.
  virtual bool cut_power_at(const cloud::InstanceId&, FileCut) { return false; }
  // Zeroes the first block of a volume that is attached to no instance. Other volumes are not
  // changed.
  virtual void zero_first_block(const cloud::VolumeId&) {}
  // Called before any instance boots, if a power cut during a write may be requested later.
  virtual void watch_writes() {}

  // Whether this kind of guest supports the fault, for any instance.
  virtual bool can(GuestFault::What) const { return false; }
  // Applies a supported fault. It has no effect if the instance lacks its target: the machine, the
  // trainer, or the file.
  virtual void inflict(const cloud::InstanceId&, const GuestFault&) {}

  // Called when the answers of the instance's metadata service have changed. Guests that skip polls
  // as long as nothing changes use it.
  virtual void metadata_changed(const cloud::InstanceId&) {}
  // The same for the answers of EC2's Describe calls.
  virtual void descriptions_changed() {}
};

// The interface of a kind of guest. sim/run makes one host for each run.
class GuestHost : public cloud::Host, public FaultTarget {
 public:
  // Passes the adapters to the host. Called once, before anything boots: the adapters need the
  // cloud, and the cloud needs the host.
  virtual void connect(fakes::Backend& backend) = 0;

  // Runs a shell script (bash) as the operator, outside of any instance, in `folder` (read-only
  // files of the scenario). The environment has endpoint and credentials. `exited` gets the
  // script's exit status.
  virtual void run_operator(const std::string& script, const std::filesystem::path& folder,
                            std::function<void(int status)> exited) = 0;

  // Runs the world until `done` returns true. Returns false if no further event can happen.
  virtual bool run(const std::function<bool()>& done) = 0;
};

}  // namespace sim::guest
