#include "sim/guest/fiber/known_jobs.h"

#include <gtest/gtest.h>

#include "orchestrator/failure.h"

namespace sim::guest {
namespace {

const std::string kJobText = R"({
  "name": "known", "region": "us-west-2",
  "volume": {"tag": "Name=data", "size_gib": 100, "availability_zone": "us-west-2b"},
  "train": {"command": "true"}})";

OperatorPlan plan_with(const std::string& text) {
  OperatorPlan plan;
  plan.steps.push_back({.command = spotrun::CommandLine{.command = "submit", .job = "job.json"}});
  plan.files["job.json"] = text;
  return plan;
}

TEST(KnownJobs, AreThoseOfTheFileAndOfTheUserDataMadeOfIt) {
  const KnownJobs jobs(plan_with(kJobText));
  const spotrun::Job parsed = spotrun::parse_job(kJobText, "job.json");
  for (const std::string& text : {kJobText, parsed.document}) {
    const spotrun::Job job = jobs.parse(text, "job.json");
    EXPECT_EQ(job.name, "known");
    EXPECT_EQ(job.volume.tag_value, "data");
    EXPECT_EQ(job.document, parsed.document);
  }
}

TEST(KnownJobs, AnotherTextIsParsed) {
  const KnownJobs jobs(plan_with(kJobText));
  std::string other = kJobText;
  other.replace(other.find("known"), 5, "other");
  EXPECT_EQ(jobs.parse(other, "job.json").name, "other");
}

TEST(KnownJobs, WhatCannotBeParsedFailsWhereItIsRead) {
  const KnownJobs jobs(plan_with("{}"));
  try {
    jobs.parse("{}", "job.json");
    FAIL();
  } catch (const spotrun::Failure& failure) {
    EXPECT_EQ(std::string(failure.what()).find("job.json: "), 0u) << failure.what();
  }
}

}  // namespace
}  // namespace sim::guest
