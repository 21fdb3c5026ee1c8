// Node's threads (V8's compiler, its garbage collector, workers) spin and wait for one another. In
// lockstep they end, and virtual time passes beside them. Two runs give the same log, unless the
// log says with guest.spun that a task was judged by its CPU time.
#include <gtest/gtest.h>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using test::HostWorld;

struct NodeProgram {
  const char* name;
  const char* text;
  const char* prints;
};

constexpr NodeProgram kPrograms[] = {
    // V8's marking threads start when the heap has grown past some 10 MB.
    {"Heap",
     "const all = [];"
     "for (let i = 0; i < 1500000; ++i) all.push({i, text: `x${i}`});"
     "console.log(all.length);",
     "1500000\n"},
    {"Json",
     "const text = JSON.stringify(Array.from({length: 200000}, (_, i) => ({i, list: [i, i + 1]})));"
     "console.log(JSON.parse(text).length);",
     "200000\n"},
    {"Workers",
     "const {Worker} = require(`worker_threads`);"
     "const body = `let n = 0; for (let i = 0; i < 1e7; ++i) n += i % 7;`"
     "  + `require(\"worker_threads\").parentPort.postMessage(n);`;"
     "let sum = 0, left = 3;"
     "for (let i = 0; i < 3; ++i)"
     "  new Worker(body, {eval: true}).on(`message`,"
     "    n => { sum += n; if (--left === 0) console.log(sum); });",
     "89999982\n"},
};

struct Ran {
  std::string console, log;
  Duration took{};
  std::size_t spun = 0;
};

Ran run(const NodeProgram& program) {
  HostWorld w(Level::kRoot, true);
  const Time begin = w.simulation.now();
  const auto machine =
      w.launch_with("#!/bin/bash\nsleep 60 &\nnode -e '" + std::string(program.text) + "'\nwait\n");
  EXPECT_TRUE(w.wait("guest.exit")) << w.said;
  return {w.console(machine.value), w.log.fingerprint(), w.simulation.now() - begin,
          w.count("guest.spun")};
}

class NodeTest : public testing::TestWithParam<NodeProgram> {
 protected:
  void SetUp() override {
    if (const auto why = obstacle(Level::kRoot); !why.empty())
      GTEST_SKIP() << "no root sandbox here: " << why;
    if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
    if (access("/usr/bin/node", X_OK) != 0) GTEST_SKIP() << "no /usr/bin/node";
  }
};

TEST_P(NodeTest, EndsAndIsTheSameEachTime) {
  const Ran first = run(GetParam()), second = run(GetParam());
  for (const Ran& ran : {first, second}) {
    EXPECT_EQ(ran.console, GetParam().prints);
    EXPECT_GE(ran.took, 60s);
    EXPECT_LT(ran.took, 10min);
  }
  EXPECT_TRUE(first.log == second.log || first.spun + second.spun > 0);
}

INSTANTIATE_TEST_SUITE_P(Programs, NodeTest, testing::ValuesIn(kPrograms),
                         [](const auto& it) { return it.param.name; });

}  // namespace
}  // namespace sim::guest
