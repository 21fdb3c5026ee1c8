#include "sim/kernel/fiber.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sim {
namespace {

struct FiberTest : testing::Test {
  void run() {
    while (simulation.step()) {
    }
  }
  void note(const std::string& what) {
    story.push_back(std::to_string(simulation.now().time_since_epoch().count()) + " " + what);
  }
  static Time at(std::int64_t ns) { return Time{Duration{ns}}; }

  Simulation simulation{Time{}};
  std::vector<std::string> story;
};

TEST_F(FiberTest, SleepersInterleaveInVirtualTime) {
  std::unique_ptr<Fiber> a, b;
  a = std::make_unique<Fiber>(simulation, [&] {
    note("a");
    a->pause_until(at(10));
    note("a");
  });
  b = std::make_unique<Fiber>(simulation, [&] {
    note("b");
    b->pause_until(at(5));
    note("b");
    b->pause_until(at(10));
    note("b");
  });
  EXPECT_TRUE(story.empty());  // the body is an event
  run();
  EXPECT_EQ(story, (std::vector<std::string>{"0 a", "0 b", "5 b", "10 a", "10 b"}));
  EXPECT_TRUE(a->done() && b->done());
}

TEST_F(FiberTest, AWaitEndsAtItsTimeOrWhenItIsWoken) {
  std::unique_ptr<Fiber> waiter;
  waiter = std::make_unique<Fiber>(simulation, [&] {
    note(waiter->wait_until(at(10)) ? "woken" : "time");
    note(waiter->wait_until(at(20)) ? "woken" : "time");
    waiter->pause_until(at(30));
    note("slept");
    waiter->wait();
    note("woken");
  });
  for (const int t : {15, 25, 40}) simulation.at(at(t), [&] { waiter->wake(); });
  run();
  EXPECT_EQ(story, (std::vector<std::string>{"10 time", "15 woken", "30 slept", "40 woken"}));
}

TEST_F(FiberTest, WaitsInWhichNothingElseHappensAreNoEvents) {
  std::unique_ptr<Fiber> fiber;
  fiber = std::make_unique<Fiber>(simulation, [&] {
    for (int i = 1; i <= 4; ++i) {
      fiber->pause_until(at(10 * i));
      note("a");
    }
    EXPECT_FALSE(fiber->wait_until(at(60)));
    note("a");
  });
  simulation.at(at(20), [&] { note("b"); });  // as long as the second wait, and asked for before it
  simulation.run_until(at(35));
  EXPECT_EQ(story, (std::vector<std::string>{"10 a", "20 b", "20 a", "30 a"}));
  EXPECT_EQ(simulation.executed(), 3u);  // the body's beginning, b, the end of the second wait
  EXPECT_EQ(simulation.now(), at(35));
  run();
  EXPECT_EQ(story.back(), "60 a");
  EXPECT_EQ(simulation.executed(), 4u);
}

TEST_F(FiberTest, WakingTwiceResumesOnce) {
  std::unique_ptr<Fiber> waiter;
  waiter = std::make_unique<Fiber>(simulation, [&] {
    waiter->wait();
    note("first");
    note(waiter->wait_until(at(9)) ? "woken" : "time");
  });
  simulation.at(at(3), [&] {
    waiter->wake();
    waiter->wake();
  });
  run();
  EXPECT_EQ(story, (std::vector<std::string>{"3 first", "9 time"}));
}

TEST_F(FiberTest, TheEndOfAFiberUnwindsItsBody) {
  struct Guard {
    std::vector<std::string>& story;
    ~Guard() { story.push_back("unwound"); }
  };
  std::unique_ptr<Fiber> fiber;
  fiber = std::make_unique<Fiber>(simulation, [&] {
    const Guard guard{story};
    try {
      fiber->pause_until(at(100));
    } catch (const std::exception&) {
      story.push_back("caught");
    }
    story.push_back("went on");
  });
  simulation.run_until(at(50));
  fiber.reset();
  EXPECT_EQ(story, std::vector<std::string>{"unwound"});
  EXPECT_FALSE(simulation.step());  // its alarm went with it
  fiber = std::make_unique<Fiber>(simulation, [&] { story.push_back("never"); });
  fiber.reset();  // before it began
  EXPECT_EQ(story.size(), 1u);
}

TEST_F(FiberTest, WhatABodyThrowsComesOutOfTheStepThatRanIt) {
  std::unique_ptr<Fiber> fiber;
  fiber = std::make_unique<Fiber>(simulation, [&] {
    fiber->pause_until(at(5));
    throw std::runtime_error("no");
  });
  simulation.at(at(3), [] {});
  EXPECT_TRUE(simulation.step());
  EXPECT_TRUE(simulation.step());
  EXPECT_THROW(simulation.step(), std::runtime_error);
  EXPECT_TRUE(fiber->done());
}

// The thread has one chain of handled exceptions: without a swap at each switch the first fiber to
// leave its handler ends the other one's exception.
TEST_F(FiberTest, HandlersOfDifferentFibersDoNotMix) {
  std::array<std::unique_ptr<Fiber>, 2> fibers;
  for (std::size_t i = 0; i < fibers.size(); ++i) {
    fibers[i] = std::make_unique<Fiber>(simulation, [this, &fibers, i] {
      try {
        throw std::runtime_error("of fiber " + std::to_string(i));
      } catch (const std::runtime_error& error) {
        fibers[i]->pause_until(at(10 + static_cast<std::int64_t>(i)));
        note(error.what());
        try {
          throw;
        } catch (const std::runtime_error& again) {
          note(again.what());
        }
      }
      EXPECT_EQ(std::current_exception(), nullptr);
    });
  }
  run();
  EXPECT_EQ(story, (std::vector<std::string>{"10 of fiber 0", "10 of fiber 0", "11 of fiber 1",
                                             "11 of fiber 1"}));
}

TEST_F(FiberTest, ThousandsLiveAtOnceAndStacksAreUsedAgain) {
  int ended = 0;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<Fiber>> fibers(2000);
    for (auto& fiber : fibers) {
      fiber = std::make_unique<Fiber>(simulation, [&] {
        fiber->pause_until(simulation.now() + Duration{7});
        ++ended;
      });
    }
    run();
  }
  EXPECT_EQ(ended, 6000);
}

}  // namespace
}  // namespace sim
