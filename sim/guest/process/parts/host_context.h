// The objects that all parts of a process host share. The context knows no machine, so no part can
// reach another part through it.
#pragma once

#include "base/files/umask.h"
#include "fakes/backend.h"
#include "fakes/http/server.h"
#include "fakes/regions.h"
#include "sim/events/event_log.h"
#include "sim/guest/process/files/run_folder.h"
#include "sim/guest/process/process_host.h"
#include "sim/guest/time/supervisor.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

struct HostContext {
  // Moves the process into namespaces of its own, at levels that have some (RunFolder).
  HostContext(Simulation& simulation_, EventLog& log_, const Streams& streams_,
              fakes::Server& server_, Supervisor& supervisor_, GuestConfig config_)
      : simulation(simulation_),
        log(log_),
        server(server_),
        supervisor(supervisor_),
        config(std::move(config_)),
        folder(config.level),
        streams(streams_) {}

  // Whether each guest has namespaces of its own.
  bool isolated() const { return has_namespaces(config.level); }
  // The cloud of the region with this instance or volume.
  cloud::Cloud& cloud_of(const cloud::InstanceId& id) const {
    return fakes::region_with(*backend, id).cloud;
  }
  cloud::Cloud& cloud_of(const cloud::VolumeId& id) const {
    return fakes::region_with(*backend, id).cloud;
  }
  // The fault by which packets between two instances are lost now; an empty `to` is the internet.
  // Empty: they arrive.
  std::string fault_between(const cloud::InstanceId& from, const cloud::InstanceId& to) const {
    auto* const interference = fakes::region_with(*backend, from).interference;
    return interference ? interference->obstacle(from, to) : "";
  }
  // The region of an instance; the first one for the operator, who has no ID.
  const std::string& region_of(const cloud::InstanceId& or_empty) const {
    if (backend == nullptr) return config.region;
    return fakes::region_with(*backend, or_empty).cloud.config().region;
  }

  Simulation& simulation;
  EventLog& log;
  fakes::Server& server;
  Supervisor& supervisor;
  const GuestConfig config;
  fakes::Backend* backend = nullptr;  // null until connect()
  const base::Umask umask{022};       // for files that are made here and that guests see
  const RunFolder folder;
  const Streams streams;
};

}  // namespace sim::guest
