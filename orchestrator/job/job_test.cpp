#include "orchestrator/job/job.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/files/folder_for_test.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/user_data.h"

namespace spotrun {
namespace {

nlohmann::json valid() {
  return nlohmann::json::parse(R"({"name": "n", "region": "us-west-2",
    "volume": {"tag": "DL-data", "size_gib": 100, "availability_zone": "us-west-2b"},
    "prepare": {"instance_type": "m4.xlarge", "image_id": "ami-1", "command": "x"},
    "code": {"repository": "https://git.example/code.git", "revision": "main"},
    "train": {"command": "train"}, "profiles": {"p3.2xlarge": {"step_time": "4.5s"}},
    "notice_poll": "2.5s"})");
}

// The error for this document, or "" if it is valid.
std::string refusal(const nlohmann::json& document) {
  try {
    parse_job(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore), "job.json");
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, ExitCode::kBadInput);
    return failure.what();
  }
}

TEST(JobFile, IsReadWithItsDefaults) {
  const Job job = parse_job(valid().dump(), "job.json");
  EXPECT_EQ(volume_tag(job), "Name=DL-data");
  EXPECT_EQ(job.volume.device, "/dev/sdf");
  EXPECT_EQ(job.volume.filesystem, "xfs");
  EXPECT_EQ(job.volume.mount_point, "/dltraining");
  EXPECT_EQ(job.train.max_restarts, 0);
  EXPECT_EQ(job.step_time.at("p3.2xlarge"), "4.5s");
  EXPECT_EQ(job.notice_poll, Duration{2'500});
}

TEST(JobFile, CheckpointsInABucketTakeTheVolumesPlace) {
  auto document = valid();
  document["checkpoints"] = "s3://data/job";
  EXPECT_EQ(refusal(document),
            "job.json: /volume: found it together with /checkpoints, expected none: a job with its "
            "checkpoints in S3 has no volume");
  document.erase("volume");
  EXPECT_NE(refusal(document).find("/prepare: found it together with"), std::string::npos);
  document.erase("prepare");
  const Job job = parse_job(document.dump(), "job.json");
  EXPECT_EQ(job.checkpoints, "s3://data/job");
  EXPECT_EQ(job.volume.mount_point, "/dltraining");
  try {
    require_volume(job, "wait");
    ADD_FAILURE();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, ExitCode::kBadInput);
    EXPECT_STREQ(failure.what(),
                 "wait: found a job with its checkpoints in s3://data/job, expected one "
                 "with a volume");
  }
  require_volume(parse_job(valid().dump(), "job.json"), "wait");
  document["train"]["hang_timeout"] = "20m";
  EXPECT_NE(refusal(document).find("/train/hang_timeout: found it together with"),
            std::string::npos);
  for (const char* no_uri : {"/data/job", "s3://", "s3://data//job"}) {
    document["checkpoints"] = no_uri;
    EXPECT_EQ(refusal(document), std::string("job.json: /checkpoints: found \"") + no_uri +
                                     "\", expected s3://BUCKET/PREFIX");
  }
}

TEST(JobFile, ErrorsNameFilePlaceFoundAndExpected) {
  auto wrong_type = valid();
  wrong_type["volume"]["size_gib"] = "100";
  EXPECT_EQ(refusal(wrong_type),
            "job.json: /volume/size_gib: found \"100\", expected a whole number from 1 to 65536");
  auto unknown = valid();
  unknown["train"]["comand"] = "x";
  EXPECT_EQ(refusal(unknown),
            "job.json: /train/comand: found an unknown key, expected one of "
            "command, hang_timeout, max_restarts");
  auto missing = valid();
  missing["train"].erase("command");
  EXPECT_EQ(refusal(missing), "job.json: /train/command: found nothing, expected a shell command");
}

TEST(JobFile, HostileValuesAreRefused) {
  const std::pair<const char*, nlohmann::json> cases[] = {
      {"/volume/size_gib", -1},
      {"/volume/size_gib", 18446744073709551615ull},
      {"/volume/size_gib", 1e300},
      {"/volume/size_gib", nullptr},
      {"/volume/tag", "=x"},
      {"/volume/tag", "*"},
      {"/volume/tag", "aws:x=y"},
      {"/volume/device", "/etc/passwd"},
      {"/volume/device", "/dev/../etc/passwd"},
      {"/volume/mount_point", "/"},
      {"/volume/mount_point", "relative"},
      {"/volume/mount_point", "/a/../.."},
      {"/volume/filesystem", "vfat"},
      {"/volume/availability_zone", "eu-west-1a"},
      {"/volume", nlohmann::json::array()},
      {"/code/repository", "--upload-pack=evil"},
      {"/code/revision", "-x"},
      {"/train/command", ""},
      {"/train/command", std::string("a\0b", 3)},
      {"/train/max_restarts", true},
      {"/profiles/p3.2xlarge/step_time", "4.5"},
      {"/profiles/p3.2xlarge/step_time", 4.5},
      {"/notice_poll", "0s"},
      {"/notice_poll", "1us"},
      {"/prepare/security_group_ids", nlohmann::json::array({1})},
  };
  for (const auto& [pointer, value] : cases) {
    auto document = valid();
    document[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_NE(refusal(document).find(std::string("job.json: ") + pointer), std::string::npos)
        << pointer << " = " << value << ": " << refusal(document);
  }
}

TEST(JobFile, WhatIsNoJsonIsRefused) {
  for (const std::string& text : {std::string(), std::string("{"), std::string("[]"),
                                  std::string("\xff\xfe"), std::string(100'000, '[')}) {
    EXPECT_THROW(parse_job(text, "job.json"), Failure);
  }
}

// The machine's commands for a user data script. Each writes its arguments to a file.
struct UserData : ::testing::Test {
  UserData() { add_command("shutdown", "echo \"$@\" > $TMPDIR/shutdown-called"); }

  void add_command(const std::string& name, const std::string& text) {
    std::ofstream(folder + "/" + name) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(folder + "/" + name, std::filesystem::perms::owner_all);
  }
  // The script's exit status.
  int run(const std::string& script) {
    std::ofstream(folder + "/script") << script;
    // The PATH is not the caller's, which has a spotrun in `spotsim shell`.
    const std::string command = "TMPDIR=" + folder + " PATH=" + folder +
                                ":/usr/local/bin:/usr/bin:/bin bash " + folder + "/script 2> " +
                                folder + "/errors";
    return WEXITSTATUS(std::system(command.c_str()));
  }
  std::string content(const std::string& name) {
    std::ifstream file(folder + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  base::FolderForTest own;
  const std::string folder = own.string();
};

TEST_F(UserData, GivesSpotrunTheJob) {
  auto document = valid();
  document["train"]["command"] = "echo 'a'\nEND_OF_JOB\nrm -rf $HOME";
  add_command("spotrun", "echo $1 $2 > $TMPDIR/called; cp $3 $TMPDIR/job.json");
  EXPECT_EQ(run(user_data(parse_job(document.dump(2), "job.json"), "instance")), 0);
  EXPECT_EQ(content("called"), "instance --job\n");
  EXPECT_EQ(nlohmann::json::parse(content("job.json")), document);
  EXPECT_EQ(content("shutdown-called"), "");
}

TEST_F(UserData, AnInstanceThatCannotWorkOnTheJobDoesNotRunOn) {
  const std::string script = user_data(parse_job(valid().dump(), "job.json"), "instance");
  add_command("spotrun", "exit 5");
  EXPECT_EQ(run(script), 5);
  EXPECT_EQ(content("shutdown-called"), "-h now\n");
  std::filesystem::remove(folder + "/shutdown-called");
  std::filesystem::remove(folder + "/spotrun");  // an image without it
  EXPECT_EQ(run(script), 127);
  EXPECT_EQ(content("shutdown-called"), "-h now\n");
}

TEST_F(UserData, WhenTheMachineGoesDownTheScriptEndsAsSpotrunDoes) {
  add_command("spotrun", "kill -TERM $PPID; exit 75");
  EXPECT_EQ(run(user_data(parse_job(valid().dump(), "job.json"), "instance")), 75);
}

TEST_F(UserData, IsReadBackAndNothingElseIs) {
  const std::string script = user_data(parse_job(valid().dump(), "job.json"), "instance");
  const auto read = read_user_data(script);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->subcommand, "instance");
  EXPECT_EQ(nlohmann::json::parse(read->job), valid());
  for (const char* end : {"exit $code\n", "spotrun ", "END_OF_JOB\n"}) {
    std::string changed = script;
    changed.insert(changed.rfind(end), "touch /tmp/more\n");
    EXPECT_FALSE(read_user_data(changed)) << changed;
  }
  EXPECT_FALSE(read_user_data(script + "true\n"));
  EXPECT_FALSE(read_user_data("#!/bin/bash\ntrue\n"));
  EXPECT_FALSE(read_user_data(""));
}

TEST_F(UserData, LongerThanEc2TakesIsRefused) {
  auto document = valid();
  document["train"]["command"] = std::string(16 * 1024, 'x');
  EXPECT_THROW(user_data(parse_job(document.dump(), "job.json"), "instance"), Failure);
}

}  // namespace
}  // namespace spotrun
