#include <gtest/gtest.h>

#include "sim/cli/import/account_comparison.h"

namespace sim::cli {
namespace {

const std::filesystem::path kFile = "records.json";

AccountRecords read(void (*reader)(const Record&, AccountRecords&), const char* text) {
  AccountRecords account;
  const Json json = Json::parse(text);
  reader(Record(json, kFile), account);
  return account;
}

std::string refusal(void (*reader)(const Record&, AccountRecords&), const char* text) {
  try {
    read(reader, text);
  } catch (const RecordError& error) {
    return error.what();
  }
  return "";
}

Time at(const char* text) { return *parse_time(text); }

TEST(ImportAws, InstantsAreTextsSecondsOrMilliseconds) {
  const Json json = {{"text", "2019-11-05T10:00:00.500Z"},
                     {"seconds", 1572948000.5},
                     {"milliseconds", 1572948000500}};
  const Record record(json, kFile);
  for (const char* const name : {"text", "seconds", "milliseconds"})
    EXPECT_EQ(record.time(name), at("2019-11-05T10:00:00.5Z")) << name;
}

TEST(ImportAws, AnErrorNamesFileFieldFoundAndExpected) {
  EXPECT_EQ(refusal(read_cloud_trail_event,
                    R"({"eventName": "BidEvictedEvent", "eventTime": "2019-11-05T10:00:00Z",
                        "serviceEventDetails": {"instanceIdSet": [7]}})"),
            "records.json: serviceEventDetails.instanceIdSet[0]: found 7, expected an instance's "
            "ID");
  EXPECT_EQ(refusal(read_training_job, R"({"ResourceConfig": {"InstanceType": "ml.p3.2xlarge"}})"),
            "records.json: TrainingJobName: found none, expected a job's name");
  EXPECT_EQ(refusal(read_reservations, R"({"Reservations": 1})"),
            "records.json: Reservations: found 1, expected a list");
}

TEST(ImportAws, TheEarliestStatementOfAMomentCounts) {
  AccountRecords account;
  RecordedInstance& instance = account.instance("i-1");
  account.note(instance.ended, at("2019-11-05T10:02:00Z"));
  account.note(instance.ended, at("2019-11-05T10:01:00Z"));
  account.note(instance.ended, at("2019-11-05T10:03:00Z"));
  EXPECT_EQ(instance.ended, at("2019-11-05T10:01:00Z"));
  EXPECT_EQ(account.last, at("2019-11-05T10:03:00Z"));
}

TEST(ImportAws, ASpotRequestsStatusStatesWhoEndedTheInstance) {
  const auto account = read(read_spot_requests, R"({"SpotInstanceRequests": [
    {"InstanceId": "i-1", "Status": {"Code": "instance-terminated-no-capacity",
                                     "UpdateTime": "2019-11-05T10:02:00Z"}},
    {"InstanceId": "i-2", "Status": {"Code": "instance-terminated-by-user",
                                     "UpdateTime": "2019-11-05T10:03:00Z"}},
    {"State": "open"}]})");
  EXPECT_TRUE(account.instances.at("i-1").interrupted);
  EXPECT_FALSE(account.instances.at("i-2").interrupted);
  EXPECT_EQ(account.instances.at("i-2").ended, at("2019-11-05T10:03:00Z"));
  EXPECT_EQ(account.unused.at("spot request without an instance"), 1);
}

AccountRecords one_spot_instance() {
  AccountRecords account;
  RecordedInstance& instance = account.instance("i-1");
  instance.pool = {"p3.2xlarge", "us-west-2b"};
  instance.spot = true;
  account.note(instance.launched, at("2019-11-05T10:00:30Z"));
  account.note(instance.ended, at("2019-11-05T12:00:30Z"));
  account.prices.pools[instance.pool] = {{at("2019-11-05T00:00:00Z"), *market::parse_usd("1")},
                                         {at("2019-11-05T11:00:30Z"), *market::parse_usd("2")}};
  return account;
}

TEST(ImportAws, TheScenarioLaunchesAndEndsWhatWasRecorded) {
  const AccountReplay replay = plan_replay(one_spot_instance());
  EXPECT_EQ(replay.start, at("2019-11-05T09:59:00Z"));
  EXPECT_EQ(replay.prices.pools.begin()->second.back().at, replay.limit);
  const std::string scenario = replay_files(replay).front().text;
  for (const char* const line :
       {"start: 2019-11-05T09:59:00Z\n", "region: us-west-2\n",
        "    launch 1572948030000 i-1 p3.2xlarge us-west-2b --instance-market-options "
        "MarketType=spot\n",
        "    end 1572955230000 i-1\n"})
    EXPECT_NE(scenario.find(line), std::string::npos) << line << scenario;
}

TEST(ImportAws, AnInterruptionIsAFaultWithItsRecordedNotice) {
  AccountRecords account = one_spot_instance();
  account.instance("i-1").interrupted = true;
  account.note(account.instance("i-1").noticed, at("2019-11-05T11:59:30Z"));
  const std::string scenario = replay_files(plan_replay(account)).front().text;
  EXPECT_NE(scenario.find("  - {at: 2h30s, kind: interrupt, instance: 1, notice: 1m}\n"),
            std::string::npos)
      << scenario;
  EXPECT_EQ(scenario.find("    end "), std::string::npos);
}

TEST(ImportAws, ARecordedCostFollowsThePriceInForce) {
  AccountRecords account = one_spot_instance();
  const AccountReplay replay = plan_replay(account);
  EXPECT_EQ(format_usd(recorded_cost(replay.instances.front(), replay)), "3.0000");
  RecordedInstance early = replay.instances.front();
  early.interrupted = true;
  early.ended = *early.launched + 59min;
  EXPECT_EQ(recorded_cost(early, replay), market::Usd{}) << "the first hour is free";
}

TEST(ImportAws, WhatCannotBeReplayedIsNamed) {
  AccountRecords account = one_spot_instance();
  account.note(account.instance("i-2").ended, at("2019-11-05T11:00:00Z"));
  account.note(account.instance("i-$(reboot)").launched, at("2019-11-05T11:00:00Z"));
  const AccountReplay replay = plan_replay(account);
  EXPECT_EQ(replay.left_out,
            (std::vector<std::string>{
                "i-$(reboot): found an ID that is not an instance's",
                "i-2: no record states when it was launched (describe-instances)"}));
  account.prices = {};
  EXPECT_THROW(plan_replay(account), RecordError);
}

}  // namespace
}  // namespace sim::cli
