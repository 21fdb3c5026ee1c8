#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

TEST(Tags, GoOnEveryKindOfResource) {
  CloudWorld w;
  const SpotRequestId request = w.spot();
  const VolumeId volume = w.volume();
  const SnapshotId snapshot = w.cloud.create_snapshot(volume, "", {});
  const FleetId fleet = w.cloud.request_spot_fleet(w.fleet_request());
  const InstanceId instance = w.request(request).instance;
  w.cloud.create_tags({instance.value, volume.value, snapshot.value, request.value, fleet.value},
                      {{"Name", "job"}});
  EXPECT_EQ(w.cloud.instance(instance).tags.at("Name"), "job");
  EXPECT_EQ(w.cloud.volume(volume).tags.at("Name"), "job");
  EXPECT_EQ(w.cloud.snapshot(snapshot).tags.at("Name"), "job");
  EXPECT_EQ(w.request(request).tags.at("Name"), "job");
  EXPECT_EQ(w.cloud.fleet(fleet).tags.at("Name"), "job");
  EXPECT_EQ(w.of_kind("tags.created").size(), 5u);
}

TEST(Tags, AreReplacedAndDeletedByKey) {
  CloudWorld w;
  const VolumeId id = w.cloud.create_volume({"us-west-2a", 1, "gp2", {}, {{"a", "1"}, {"b", "2"}}});
  w.cloud.create_tags({id.value}, {{"a", "3"}});
  w.cloud.delete_tags({id.value}, {"b", "never"});
  EXPECT_EQ(w.cloud.volume(id).tags, (Tags{{"a", "3"}}));
  EXPECT_EQ(w.of_kind("tags.created").at(0).fields.at("tags"), (Json{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(w.of_kind("tags.deleted").at(0).fields.at("tags"), Json::array({"b"}));
}

TEST(Tags, AreFoundByKeyAndValue) {
  CloudWorld w;
  const std::string a = w.cloud.create_volume({"us-west-2a", 1, "gp2", {}, {{"k", "1"}}}).value;
  const std::string b = w.cloud.create_volume({"us-west-2a", 1, "gp2", {}, {{"k", "1"}}}).value;
  EXPECT_EQ(w.cloud.tagged("k", "1"), (std::set{a, b}));
  w.cloud.create_tags({a}, {{"k", "2"}});
  EXPECT_EQ(w.cloud.tagged("k", "1"), (std::set{b}));
  EXPECT_EQ(w.cloud.tagged("k", "2"), (std::set{a}));
  w.cloud.create_tags({a}, {{"k", "2"}});  // the same again
  EXPECT_EQ(w.cloud.tagged("k", "2"), (std::set{a}));
  w.cloud.delete_tags({a, b}, {"k"});
  EXPECT_TRUE(w.cloud.tagged("k", "1").empty());
  EXPECT_TRUE(w.cloud.tagged("k", "2").empty());
}

TEST(Tags, OfAwssOwnAreReserved) {
  CloudWorld w;
  const VolumeId id = w.volume();
  EXPECT_EQ(w.refusal([&] {
    w.cloud.create_tags({id.value}, {{"aws:x", "1"}});
  }),
            "InvalidParameterValue");
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_tags({id.value}, {"aws:x"}); }),
            "InvalidParameterValue");
}

TEST(Tags, AreAtMostFiftyAResource) {
  CloudWorld w;
  const VolumeId id = w.volume();
  Tags fifty;
  for (int i = 0; i < 50; ++i) fifty[std::to_string(i)] = "";
  w.cloud.create_tags({id.value}, fifty);
  EXPECT_EQ(w.refusal([&] {
    w.cloud.create_tags({id.value}, {{"one more", ""}});
  }),
            "TagLimitExceeded");
  EXPECT_EQ(w.refusal([&] { w.cloud.create_tags({id.value}, {{"0", "again"}}); }), "");
}

TEST(Tags, AreSetOnAllResourcesOrNone) {
  CloudWorld w;
  const VolumeId id = w.volume();
  EXPECT_EQ(w.refusal([&] {
    w.cloud.create_tags({id.value, "vol-0"}, {{"a", "1"}});
  }),
            "InvalidVolume.NotFound");
  EXPECT_EQ(w.refusal([&] { w.cloud.create_tags({id.value, "what"}, {{"a", "1"}}); }), "InvalidID");
  EXPECT_TRUE(w.cloud.volume(id).tags.empty());
}

}  // namespace
}  // namespace sim::cloud
