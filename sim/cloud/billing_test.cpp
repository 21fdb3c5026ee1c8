#include "sim/cloud/billing.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

const Pool kMarketA{"m4.large", "us-west-2a"}, kMarketB{"m4.large", "us-west-2b"};

// Charges of a spot instance in a market of these prices.
std::vector<LineItem> spot_charges(const Steps& prices, Duration from, Duration to,
                                   Ended ended = Ended::kByCustomer) {
  Simulation simulation{kStart};
  EventLog log;
  market::PriceHistory history;
  history.pools[kMarketA] = points(prices);
  const market::Market market{simulation, log, history};
  Instance instance;
  instance.lifecycle = Lifecycle::kSpot;
  instance.spec = {.instance_type = "m4.large", .availability_zone = "us-west-2a"};
  instance.running_at = kStart + from;
  return instance_charges(instance, kStart + to, ended, market);
}

Usd total(const std::vector<LineItem>& items) {
  return std::accumulate(items.begin(), items.end(), Usd{},
                         [](Usd sum, const LineItem& item) { return sum + item.cost; });
}

// The cases of clusterman's simulation_aws_price_computations.feature, per second.
TEST(Billing, AConstantPriceIsPaidByTheHour) {
  EXPECT_EQ(total(spot_charges({{0s, "1"}}, 0s, 2h)), usd("2"));
}

TEST(Billing, APriceRiseSplitsTheLine) {
  const auto items = spot_charges({{0s, "1"}, {30min, "2"}}, 0s, 2h);
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].quantity, 1800);
  EXPECT_EQ(items[0].cost, usd("0.5"));
  EXPECT_EQ(items[1].from, kStart + 30min);
  EXPECT_EQ(items[1].cost, usd("3"));
  EXPECT_EQ(total(items), usd("3.5"));
}

TEST(Billing, TwoMarketsWhereOneInstanceIsTerminated) {
  // $1 for 30 min and $2 for 90; $0.50 from 32 to 75 min and $0.75 to 90: 3.5 + 0.358333333 +
  // 0.1875.
  const Usd a = total(spot_charges({{0s, "1"}, {30min, "2"}}, 0s, 2h));
  const Usd b = total(spot_charges({{0s, "0.5"}, {75min, "0.75"}}, 32min, 90min));
  EXPECT_EQ(a + b, usd("4.045833333"));  // clusterman rounds it to 4.05
}

TEST(Billing, AChangeAtAnEdgeMakesNoEmptyLine) {
  const auto items = spot_charges({{0s, "1"}, {10min, "2"}, {20min, "4"}}, 10min, 20min);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].unit_price, usd("2"));
}

TEST(Billing, ARepeatedPriceIsOneLine) {
  const auto items = spot_charges({{0s, "1"}, {10min, "1"}, {20min, "2"}}, 5min, 30min);
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].quantity, 900);
  EXPECT_EQ(items[0].cost, usd("0.25"));
}

TEST(Billing, AMinuteIsTheLeast) {
  const auto items = spot_charges({{0s, "0.36"}}, 0s, 7s);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].quantity, 60);
  EXPECT_EQ(items[0].to, kStart + 7s);
  EXPECT_EQ(items[0].cost, usd("0.006"));
  EXPECT_EQ(items[0].note, "60 s minimum");
  EXPECT_EQ(total(spot_charges({{0s, "0.36"}}, 0s, 0s)), usd("0.006"));
  EXPECT_EQ(total(spot_charges({{0s, "0.36"}}, 0s, 61s)), usd("0.0061"));
}

TEST(Billing, TheMinutesRestIsPaidAtTheLastPrice) {
  EXPECT_EQ(total(spot_charges({{0s, "0.36"}, {10s, "0.72"}}, 0s, 20s)), usd("0.011"));
}

TEST(Billing, AnHourThatEc2CutsShortIsFree) {
  const auto items = spot_charges({{0s, "1"}, {30min, "2"}}, 0s, 59min + 59s, Ended::kByEc2);
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(total(items), Usd{});
  EXPECT_EQ(items[0].note, "waived: interrupted in the first hour");
  EXPECT_EQ(items[1].quantity, 1799);
  EXPECT_EQ(total(spot_charges({{0s, "1"}}, 0s, 5s, Ended::kByEc2)), Usd{});
}

TEST(Billing, AfterTheFirstHourAnInterruptedInstanceIsPaidInFull) {
  EXPECT_EQ(total(spot_charges({{0s, "1"}}, 0s, 1h, Ended::kByEc2)), usd("1"));
  EXPECT_EQ(total(spot_charges({{0s, "1"}}, 0s, 90min, Ended::kByEc2)), usd("1.5"));
}

TEST(Billing, GbMonthsAreExact) {
  constexpr std::int64_t kGib = std::int64_t{1} << 30;
  EXPECT_EQ(gb_month_charge(usd("0.10"), 100 * kGib, kBillingMonth), usd("10"));
  EXPECT_EQ(gb_month_charge(usd("0.10"), 100 * kGib, 1h), usd("0.013698630"));
  EXPECT_EQ(gb_month_charge(usd("0.05"), kGib / 2 + 1, kBillingMonth), usd("0.025"));
  EXPECT_EQ(gb_month_charge(usd("1"), 16384 * kGib, kBillingMonth * 24), usd("393216"));
  EXPECT_EQ(gb_month_charge(usd("0.05"), 0, 1h), Usd{});
}

TEST(Billing, RunsFromRunningToShuttingDown) {
  CloudWorld w;
  const InstanceId id = w.on_demand("us-west-2b", 20);
  w.run(30min);
  w.cloud.terminate_instances({id});
  w.run(1h);
  ASSERT_EQ(w.cloud.ledger().items().size(), 1u);
  const LineItem& item = w.cloud.ledger().items()[0];
  EXPECT_EQ(item.usage, "BoxUsage:m4.xlarge");
  EXPECT_EQ(item.from, kStart + 20s);
  EXPECT_EQ(item.quantity, 1800);
  EXPECT_EQ(item.cost, usd("0.1"));  // $0.20 an hour
}

TEST(Billing, OfInterruptedInstancesDependsOnTheCauseOfTheirEnd) {
  CloudWorld w;
  const SpotRequestId taken = w.spot(), left = w.spot();
  w.run(10min);
  w.cloud.interrupt(w.request(taken).instance, Cloud::Notice::kGiven, "no-capacity");
  w.cloud.interrupt(w.request(left).instance, Cloud::Notice::kGiven, "no-capacity");
  w.run(1min);
  w.cloud.terminate_instances({w.request(left).instance});
  w.run(1h);
  ASSERT_EQ(w.cloud.ledger().items().size(), 2u);
  for (const LineItem& item : w.cloud.ledger().items())
    EXPECT_EQ(item.cost == Usd{}, item.resource == w.request(taken).instance.value);
}

TEST(Billing, VolumesAndSnapshotsAreChargedWhenDeleted) {
  CloudWorld w;
  w.host.stored_bytes = std::int64_t{10} << 30;
  const VolumeId volume = w.volume("us-west-2b", 73);
  const SnapshotId snapshot = w.cloud.create_snapshot(volume, "", {});
  w.run(10h - 5s);
  w.cloud.delete_volume(volume);
  w.cloud.delete_snapshot(snapshot);
  const auto& items = w.cloud.ledger().items();
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].usage, "EBS:VolumeUsage.gp2");
  EXPECT_DOUBLE_EQ(items[0].quantity, 1);
  EXPECT_EQ(items[0].cost, usd("0.1"));
  EXPECT_EQ(items[1].usage, "EBS:SnapshotUsage");
  EXPECT_EQ(items[1].from, kStart + 5s);
  EXPECT_NEAR(items[1].cost.dollars(), 10 * 0.05 * (36000 - 5) / (730 * 3600), 1e-9);
}

TEST(Billing, ClosingTheBooksChargesWhatStillStandsOnce) {
  CloudWorld w;
  const InstanceId id = w.on_demand("us-west-2b", 20);
  w.cloud.create_volume({"us-west-2b", 73, "gp3", {}, {}});
  w.run(10h);
  const Usd before = w.cloud.cost_so_far();
  EXPECT_EQ(w.cloud.ledger().total(), Usd{});
  w.cloud.close_books();
  EXPECT_EQ(w.cloud.ledger().total(), usd("2.08"));  // 10 h at 0.20, a GB-month at 0.08
  EXPECT_EQ(w.cloud.ledger().total(), before);
  EXPECT_EQ(w.cloud.cost_so_far(), before);
  w.cloud.close_books();
  w.cloud.terminate_instances({id});
  w.run(1h);
  EXPECT_EQ(w.cloud.ledger().items().size(), 2u);
}

TEST(Billing, TrafficBetweenZonesIsPaidBySenderAndReceiver) {
  CloudWorld w;
  const InstanceId a = w.on_demand("us-west-2a", 20), b = w.on_demand("us-west-2b", 20);
  w.run(90s);
  w.cloud.transferred(a, b, std::int64_t{3} << 30);
  const Usd before = w.cloud.cost_so_far();
  w.cloud.transferred(b, a, std::int64_t{1} << 30);
  EXPECT_EQ(w.cloud.cost_so_far(), before + usd("0.02"));
  w.cloud.terminate_instances({a});
  w.run(1h);
  w.cloud.transferred(b, a, 1 << 20);  // the receiver has ended, so it pays nothing
  w.cloud.close_books();
  std::vector<std::string> paid;
  for (const LineItem& item : w.cloud.ledger().items())
    if (item.kind == ChargeKind::kTransfer)
      paid.push_back(item.resource + " " + market::format_usd(item.cost));
  EXPECT_EQ(paid, (std::vector<std::string>{a.value + " 0.0400", b.value + " 0.040009766"}));
}

TEST(Billing, EveryLineOfTheBillIsALineOfTheLog) {
  CloudWorld w;
  const InstanceId id = w.on_demand("us-west-2b", 20);
  w.run(90s);
  w.cloud.terminate_instances({id});
  const auto charges = w.of_kind("charge");
  ASSERT_EQ(charges.size(), 1u);
  const Json& fields = charges[0].fields;
  EXPECT_EQ(fields.at("kind"), "instances");
  EXPECT_EQ(fields.at("resource"), id.value);
  EXPECT_EQ(fields.at("from"), "2019-11-05T10:00:20.000000000Z");
  EXPECT_EQ(fields.at("to"), "2019-11-05T10:01:50.000000000Z");
  EXPECT_EQ(fields.at("quantity"), 90);
  EXPECT_EQ(fields.at("unit"), "seconds");
  EXPECT_EQ(fields.at("unit_price"), "0.2000");
  EXPECT_EQ(fields.at("cost"), "0.0050");
  EXPECT_EQ(fields.at("note"), "");
}

}  // namespace
}  // namespace sim::cloud
