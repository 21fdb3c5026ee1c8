// Tests only: one fault that strikes the fakes' small region.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sim/faults/world_for_test.h"

namespace sim::faults {

using cloud::InstanceState;
using market::Pool;

inline const Pool kA{"p3.2xlarge", "us-west-2a"}, kB{"p3.2xlarge", "us-west-2b"};

struct Kinds : testing::Test {
  void strike(const std::string& kind, const Texts& arguments = {}) {
    w.play({fault(AtTime{30s}, kind, arguments)});
    w.pass(31s);
    ASSERT_EQ(w.strikes(), 1U);
  }
  double price(const Pool& pool) {
    return w.cloud.market().spot_price(pool, w.simulation.now())->dollars();
  }
  int capacity(const Pool& pool) { return w.cloud.market().capacity(pool); }
  FaultWorld w;
};

}  // namespace sim::faults
