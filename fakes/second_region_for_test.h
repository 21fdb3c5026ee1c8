// For tests: us-east-1 beside the region of a TestBackend, on its clock and in its log.
#pragma once

#include "fakes/backend_for_test.h"

namespace fakes {

// Its zone us-east-1a has p3.2xlarge for 0.95.
struct SecondRegion {
  explicit SecondRegion(TestBackend& first)
      : log(first.log, "us-east-1"),
        market(first.simulation, log, prices(), {"us-east-1"}),
        cloud(first.simulation, streams, market, first.host,
              {.region = "us-east-1", .availability_zones = {"us-east-1a"}}),
        writer(first.simulation, log),
        backend{.cloud = cloud,
                .simulation = first.simulation,
                .log = log,
                .streams = streams,
                .latencies = {},
                .store = first.backend.store,
                .iam = first.backend.iam} {
    cloud.observe(writer);
    first.backend.regions = backend.regions = {&first.backend, &backend};
  }

  static sim::market::PriceHistory prices() {
    sim::market::PriceHistory history;
    history.pools[{"p3.2xlarge", "us-east-1a"}] = {
        {kStart, sim::market::parse_usd("0.95").value()}};
    return history;
  }

  sim::EventLog log;
  sim::Streams streams{8};
  sim::market::Market market;
  sim::cloud::Cloud cloud;
  sim::cloud::LogWriter writer;
  Backend backend;
};

}  // namespace fakes
