// These tests use the real git on folders.
#include "orchestrator/instance/code.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/files/folder_for_test.h"
#include "orchestrator/failure.h"
#include "orchestrator/fake_ec2_for_test.h"
#include "orchestrator/production/linux_machine.h"

namespace spotrun {
namespace {

namespace fs = std::filesystem;

struct FetchCode : ::testing::Test {
  FetchCode() {
    fs::create_directory(folder + "/volume");
    job.volume.mount_point = folder + "/volume";
    make_repository("remote");
    commit("remote", "first");
    job.code = CodeConfig{folder + "/remote", ""};
  }

  void git(const std::string& repository, const std::vector<std::string>& arguments) {
    std::vector<std::string> argv{"git",         "-C", folder + "/" + repository, "-c",
                                  "user.name=t", "-c", "user.email=t@example.org"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    ASSERT_EQ(machine.run({.argv = argv}).code, 0);
  }
  void make_repository(const std::string& name) {
    fs::create_directory(folder + "/" + name);
    git(name, {"init", "--quiet", "--initial-branch=main"});
  }
  void commit(const std::string& repository, const std::string& content) {
    std::ofstream(folder + "/" + repository + "/train.sh") << content;
    git(repository, {"add", "train.sh"});
    git(repository, {"commit", "--quiet", "--message", content});
  }
  std::string fetched() {
    EXPECT_EQ(fetch_code(context, job), folder + "/volume/code");
    std::ifstream file(folder + "/volume/code/train.sh");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  base::FolderForTest own;
  const std::string folder = own.string();
  StopSignals signals;
  LinuxMachine machine{signals, ""};
  testing::FakeClock clock;
  testing::FakeEc2 fake{clock};
  testing::FakeProcess process{clock, fake};
  InstanceContext context{process.context, machine, process.imds};
  Job job = testing::test_job();
};

TEST_F(FetchCode, TheFirstInstanceClonesAndTheNextGetsNewCommits) {
  EXPECT_EQ(fetched(), "first");
  commit("remote", "second");
  EXPECT_EQ(fetched(), "second");
}

TEST_F(FetchCode, ABranchATagAndACommitAreRevisions) {
  git("remote", {"tag", "v1"});
  git("remote", {"checkout", "--quiet", "-b", "work"});
  commit("remote", "on a branch");
  git("remote", {"checkout", "--quiet", "main"});
  for (const auto& [revision, content] : std::map<std::string, std::string>{
           {"v1", "first"}, {"work", "on a branch"}, {"main", "first"}}) {
    job.code->revision = revision;
    EXPECT_EQ(fetched(), content) << revision;
  }
  git("remote", {"checkout", "--quiet", "work"});
  commit("remote", "further");
  job.code->revision = "work";
  EXPECT_EQ(fetched(), "further");
}

TEST_F(FetchCode, AnotherRepositoryTakesTheClonesPlace) {
  EXPECT_EQ(fetched(), "first");
  make_repository("other");
  commit("other", "of another history");
  job.code->repository = folder + "/other";
  EXPECT_EQ(fetched(), "of another history");
}

TEST_F(FetchCode, WhatAnInterruptedInstanceLeftIsMadeGood) {
  EXPECT_EQ(fetched(), "first");
  std::ofstream(folder + "/volume/code/train.sh") << "half a fi";
  EXPECT_EQ(fetched(), "first");
  std::ofstream(folder + "/volume/code/.git/index.lock").close();
  EXPECT_EQ(fetched(), "first");
  fs::remove(folder + "/volume/code/.git/HEAD");
  EXPECT_EQ(fetched(), "first");
}

TEST_F(FetchCode, ARevisionThatIsNotThereIsAFailureAfterThreeTries) {
  job.code->revision = "no-such";
  try {
    fetch_code(context, job);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, ExitCode::kMachine);
    EXPECT_NE(std::string(failure.what()).find("no-such"), std::string::npos);
  }
}

struct UnreachableCode : FetchCode {
  // Makes the repository unreachable from now on, for the given time.
  void lose_repository(Duration length) {
    fs::rename(folder + "/remote", folder + "/away");
    clock.on_sleep = [this, until = clock.time + length] {
      if (clock.time >= until && fs::exists(folder + "/away"))
        fs::rename(folder + "/away", folder + "/remote");
    };
  }
};

TEST_F(UnreachableCode, ARepositoryThatIsOutOfReachForAQuarterOfAnHourIsWaitedFor) {
  lose_repository(std::chrono::minutes{15});
  EXPECT_EQ(fetched(), "first");
  EXPECT_LT(clock.sleeps.size(), 20u);
}

TEST_F(UnreachableCode, TheCodeOfAnEarlierInstanceIsUsedAfterTenMinutes) {
  EXPECT_EQ(fetched(), "first");
  const Time begin = clock.time;
  lose_repository(std::chrono::hours{5});
  EXPECT_EQ(fetched(), "first");
  EXPECT_GE(clock.time - begin, kOldCodePatience);
  EXPECT_LE(clock.time - begin, kOldCodePatience + std::chrono::minutes{1});
}

TEST_F(UnreachableCode, ARepositoryThatComesBackInTimeGivesItsNewestCode) {
  EXPECT_EQ(fetched(), "first");
  commit("remote", "second");
  lose_repository(std::chrono::minutes{5});
  EXPECT_EQ(fetched(), "second");
}

TEST_F(UnreachableCode, WithoutAnyCodeTheJobFailsAfterTwoHours) {
  lose_repository(std::chrono::hours{5});
  const Time begin = clock.time;
  EXPECT_THROW(fetch_code(context, job), Failure);
  EXPECT_GE(clock.time - begin, kCodePatience);
  EXPECT_LE(clock.time - begin, kCodePatience + std::chrono::minutes{1});
}

}  // namespace
}  // namespace spotrun
