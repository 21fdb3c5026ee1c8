#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"
#include "fakes/http/identity_signature.h"

namespace fakes {
namespace {

namespace http = boost::beast::http;

class Imds : public ::testing::Test {
 protected:
  // A metadata service's instance with a role and user data.
  void launch(bool v2_required = false) {
    id_ = t.instance({{"IamInstanceProfile.Name", "job"},
                      {"UserData", "IyEvYmluL2Jhc2gK"},
                      {"MetadataOptions.HttpTokens", v2_required ? "required" : "optional"}});
    handler_ = imds(t.backend, {id_});
  }
  Response send(http::verb method, const std::string& path, const Fields& headers = {}) {
    Request request{method, path, 11};
    for (const auto& [name, value] : headers) request.set(name, value);
    return handler_(request).response;
  }
  Response get(const std::string& path, const Fields& headers = {}) {
    return send(http::verb::get, path, headers);
  }
  std::string text(const std::string& path) { return get("/latest/meta-data/" + path).body(); }
  std::string token(const char* ttl = "60") {
    return send(http::verb::put, "/latest/api/token",
                {{"X-aws-ec2-metadata-token-ttl-seconds", ttl}})
        .body();
  }

  TestBackend t;
  std::string id_;
  Handler handler_;
};

TEST_F(Imds, NamesTheSecurityGroupsAsTheyAreNow) {
  launch();
  EXPECT_EQ(text("security-groups"), "default");
  const std::string its = "network/interfaces/macs/" + text("mac") + "/security-group";
  EXPECT_TRUE(text(its + "-ids").starts_with("sg-"));
  t.cloud.set_security_groups({id_}, {text(its + "-ids"), "sg-0123456789abcdef0"});
  EXPECT_EQ(text(its + "s"), "default\nsg-0123456789abcdef0");
  EXPECT_EQ(text("security-groups"), text(its + "s"));
}

TEST_F(Imds, ReportsTheInstancesIdentity) {
  launch();
  EXPECT_EQ(text("instance-id"), id_);
  EXPECT_EQ(text("instance-type"), "m4.xlarge");
  EXPECT_EQ(text("ami-id"), "ami-0123456789abcdef0");
  EXPECT_EQ(text("placement/availability-zone"), "us-west-2b");
  EXPECT_EQ(text("placement/availability-zone-id"), "usw2-az2");
  EXPECT_EQ(text("placement/region"), "us-west-2");
  EXPECT_EQ(text("instance-life-cycle"), "on-demand");
  EXPECT_EQ(text("local-ipv4"), t.cloud.instance({id_}).private_ip);
  EXPECT_EQ(text("ami-launch-index"), "0");
  EXPECT_EQ(text("reservation-id"), "r-" + id_.substr(2));
  EXPECT_EQ(get("/2021-07-15/meta-data/instance-id").body(), id_);
  EXPECT_EQ(get("/latest/user-data").body(), "#!/bin/bash\n");
  EXPECT_EQ(get("/latest/user-data")[http::field::content_type], "application/octet-stream");
}

TEST_F(Imds, ReportsThePlacementGroup) {
  t.cloud.network().placement_groups.create("parts", "partition", 2);
  id_ = t.instance({{"Placement.GroupName", "parts"}});
  handler_ = imds(t.backend, {id_});
  EXPECT_EQ(text("placement/group-name"), "parts");
  EXPECT_EQ(text("placement/partition-number"), "1");
  EXPECT_EQ(text("placement/"),
            "availability-zone\navailability-zone-id\ngroup-name\npartition-number\nregion");
}

TEST_F(Imds, ReportsThePublicAddressInADefaultSubnet) {
  launch();
  const std::string own = t.cloud.instance({id_}).private_ip;
  const std::string address = text("public-ipv4"), name = text("public-hostname");
  EXPECT_EQ(address, "198.18" + own.substr(6)) << own;
  EXPECT_TRUE(name.starts_with("ec2-198-18-")) << name;
  EXPECT_TRUE(name.ends_with(".us-west-2.compute.amazonaws.com")) << name;
  const std::string its = "network/interfaces/macs/" + text("mac") + "/public-";
  EXPECT_EQ(text(its + "ipv4s"), address);
  EXPECT_EQ(text(its + "hostname"), name);

  const auto shown =
      t.ec2("DescribeInstances", {{"Filter.1.Name", "ip-address"}, {"Filter.1.Value.1", address}});
  const std::string item = "reservationSet/item/instancesSet/item/";
  EXPECT_EQ(shown.at(item + "ipAddress"), address);
  EXPECT_EQ(shown.at(item + "dnsName"), name);
  t.ec2("TerminateInstances", {{"InstanceId.1", id_}});
  t.run(1min);
  EXPECT_EQ(t.ec2("DescribeInstances", {{"InstanceId.1", id_}}).at(item + "dnsName"), "");
}

TEST_F(Imds, ListsFoldersWithAndWithoutSlash) {
  launch();
  EXPECT_EQ(get("/latest/").body(), "dynamic/\nmeta-data/\nuser-data");
  EXPECT_EQ(get("/2024-04-11/").body(), "dynamic/\nmeta-data/\nuser-data");
  EXPECT_EQ(text("placement/"), "availability-zone\navailability-zone-id\nregion");
  EXPECT_EQ(text("placement"), text("placement/"));
  EXPECT_EQ(text("placement/availability-zone/"), "us-west-2b");
  EXPECT_EQ(text("iam/"), "info\nsecurity-credentials/");
  EXPECT_EQ(text("iam/security-credentials/"), "job");
  const auto index = text("");
  EXPECT_NE(index.find("\nplacement/\n"), std::string::npos);
  EXPECT_EQ(index.find("spot"), std::string::npos) << "there only inside a notice";
}

constexpr const char* kNotFound =
    R"(<?xml version="1.0" encoding="iso-8859-1"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
	"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
 <head>
  <title>404 - Not Found</title>
 </head>
 <body>
  <h1>404 - Not Found</h1>
 </body>
</html>
)";

TEST_F(Imds, ReportsNoMaintenanceAndNoHibernation) {
  launch();
  EXPECT_EQ(text("events/"), "maintenance/");
  EXPECT_EQ(text("events/maintenance/scheduled"), "[]");
  EXPECT_EQ(text("events/maintenance/history"), "[]");
  EXPECT_EQ(text("hibernation/configured"), "false");
  EXPECT_EQ(text("system"), "xen");
  EXPECT_EQ(get("/latest/dynamic/").body(), "fws/\ninstance-identity/");
  EXPECT_EQ(get("/latest/dynamic/fws/instance-monitoring").body(), "disabled");
}

TEST_F(Imds, WhatIsNotThereIs404WithAwssPage) {
  launch();
  for (const char* path :
       {"/latest/meta-data/nope", "/1999-01-01/meta-data/instance-id", "/latest/meta-data/spot",
        "/latest/meta-data/spot/instance-action", "/latest/meta-data/spot/termination-time",
        "/latest/meta-data/events/recommendations/rebalance", "/latest/meta-data/instance-idx",
        "/latest/meta-data/autoscaling/target-lifecycle-state", "/latest/meta-data/tags/instance",
        "/latest/meta-data/instance-id/x", "/latest/meta-data/iam/security-credentials/other"}) {
    EXPECT_EQ(get(path).result(), http::status::not_found) << path;
    EXPECT_EQ(get(path).body(), kNotFound) << path;
  }
}

TEST_F(Imds, ATokenOpensTheDoorUntilItExpires) {
  launch(true);
  EXPECT_EQ(get("/latest/meta-data/instance-id").result(), http::status::unauthorized);
  const std::string fresh = token("60");
  const Fields with_token{{"X-aws-ec2-metadata-token", fresh}};
  EXPECT_EQ(get("/latest/meta-data/instance-id", with_token).body(), id_);
  t.run(59s);
  EXPECT_EQ(get("/latest/meta-data/instance-id", with_token).result(), http::status::ok);
  t.run(1s);
  EXPECT_EQ(get("/latest/meta-data/instance-id", with_token).result(), http::status::unauthorized);
}

// aws-node-termination-handler renews its token by this header.
TEST_F(Imds, EachAnswerHasTheTokensRemainingValidity) {
  launch(true);
  const Fields headers{{"X-aws-ec2-metadata-token", token("60")}};
  t.run(20s);
  for (const char* path : {"instance-id", "spot/instance-action", "nope", ""}) {
    const Response response = get(std::string("/latest/meta-data/") + path, headers);
    EXPECT_EQ(response["X-aws-ec2-metadata-token-ttl-seconds"], "40") << path;
  }
  EXPECT_EQ(get("/latest/meta-data/").count("X-aws-ec2-metadata-token-ttl-seconds"), 0u);
}

TEST_F(Imds, AnswersHaveTheirTimes) {
  launch();
  const Response response = get("/latest/meta-data/instance-id");
  EXPECT_EQ(response[http::field::date], "Tue, 05 Nov 2019 10:02:00 GMT");
  EXPECT_EQ(response[http::field::last_modified], "Tue, 05 Nov 2019 10:00:00 GMT");
  EXPECT_EQ(get("/latest/meta-data/nope")[http::field::date], "Tue, 05 Nov 2019 10:02:00 GMT");
  EXPECT_EQ(get("/latest/meta-data/iam/security-credentials/job")[http::field::last_modified],
            "Tue, 05 Nov 2019 10:00:00 GMT");
}

TEST_F(Imds, ABadTokenIsRefusedEvenWhereNoneIsNeeded) {
  launch();
  EXPECT_EQ(get("/latest/meta-data/instance-id", {{"X-aws-ec2-metadata-token", "x"}}).result(),
            http::status::unauthorized);
}

TEST_F(Imds, ATokenRequestNeedsAGoodTtl) {
  launch();
  for (const char* ttl : {"", "0", "-1", "21601", "x", "60x", "99999999999999"}) {
    EXPECT_EQ(
        send(http::verb::put, "/latest/api/token", {{"X-aws-ec2-metadata-token-ttl-seconds", ttl}})
            .result(),
        http::status::bad_request)
        << ttl;
  }
  EXPECT_EQ(send(http::verb::put, "/latest/api/token").result(), http::status::bad_request);
  const auto good = send(http::verb::put, "/latest/api/token",
                         {{"X-aws-ec2-metadata-token-ttl-seconds", "21600"}});
  EXPECT_EQ(good.result(), http::status::ok);
  EXPECT_EQ(good["X-aws-ec2-metadata-token-ttl-seconds"], "21600");
  EXPECT_NE(token(), token());
  EXPECT_EQ(send(http::verb::put, "/latest/api/token",
                 {{"X-aws-ec2-metadata-token-ttl-seconds", "60"}, {"X-Forwarded-For", "10.0.0.1"}})
                .result(),
            http::status::forbidden);
}

TEST_F(Imds, OtherMethodsAreNotAllowed) {
  launch();
  EXPECT_EQ(send(http::verb::post, "/latest/meta-data/instance-id").result(),
            http::status::method_not_allowed);
  EXPECT_EQ(get("/latest/api/token").result(), http::status::method_not_allowed);
}

TEST_F(Imds, DisabledItAnswersNothing) {
  launch();
  t.backend.imds_enabled = false;
  EXPECT_EQ(get("/latest/meta-data/instance-id").result(), http::status::forbidden);
}

TEST_F(Imds, DisabledForOneInstanceItAnswersNothing) {
  launch();
  sim::cloud::LaunchSpec options;
  options.imds_disabled = true;
  for (const auto& [id, instance] : t.cloud.instances()) t.cloud.set_metadata_options(id, options);
  EXPECT_EQ(get("/latest/meta-data/instance-id").result(), http::status::forbidden);
}

TEST_F(Imds, ANoticeIsVisibleFromItsTimeOn) {
  const auto id = t.cloud.request_spot_instances(
      {.image_id = "ami-1", .instance_type = "p3.2xlarge", .availability_zone = "us-west-2b"}, 1,
      "one-time");
  t.run(2min);
  const auto instance = t.cloud.spot_requests().at(id[0]).instance;
  handler_ = imds(t.backend, instance);
  EXPECT_EQ(text("instance-life-cycle"), "spot");
  EXPECT_EQ(get("/latest/meta-data/spot/instance-action").result(), http::status::not_found);

  t.cloud.recommend_rebalance(instance);
  EXPECT_EQ(text("events/recommendations/rebalance"), R"({"noticeTime": "2019-11-05T10:02:00Z"})");
  t.cloud.interrupt(instance, sim::cloud::Cloud::Notice::kGiven, "no-capacity");
  EXPECT_EQ(text("spot/instance-action"),
            R"({"action": "terminate", "time": "2019-11-05T10:04:00Z"})");
  for (const char* path : {"events/recommendations/rebalance", "spot/instance-action"})
    EXPECT_EQ(get(std::string("/latest/meta-data/") + path)[http::field::last_modified],
              "Tue, 05 Nov 2019 10:02:00 GMT");
  EXPECT_EQ(text("spot/termination-time"), "2019-11-05T10:04:00Z");
  EXPECT_EQ(text("spot/"), "instance-action\ntermination-time");
}

TEST_F(Imds, ANoticeNamesWhatHappensToAnInstanceThatDoesNotTerminate) {
  handler_ = imds(t.backend, t.stopping_instance(false));
  const auto stopping = t.cloud.spot_requests().begin()->second.instance;
  t.cloud.interrupt(stopping, sim::cloud::Notice::kGiven, "no-capacity");
  EXPECT_EQ(text("spot/instance-action"), R"({"action": "stop", "time": "2019-11-05T10:04:00Z"})");
  EXPECT_EQ(get("/latest/meta-data/spot/termination-time").result(), http::status::not_found);
  EXPECT_EQ(text("spot/"), "instance-action");

  TestBackend other({}, prices_of_two_types());
  const auto hibernating = other.stopping_instance(true);
  handler_ = imds(other.backend, hibernating);
  other.cloud.interrupt(hibernating, sim::cloud::Notice::kGiven, "no-capacity");
  EXPECT_EQ(text("spot/instance-action"),
            R"({"action": "hibernate", "time": "2019-11-05T10:02:00Z"})")
      << "it begins at once";
}

// EC2 user guide, "View scheduled events that affect your Amazon EC2 instances".
TEST_F(Imds, ShowsScheduledEventsAndThoseThatAreOver) {
  launch();
  sim::cloud::MaintenanceEvent event{.code = sim::cloud::MaintenanceCode::kSystemReboot,
                                     .description = "scheduled reboot"};
  event.not_before = t.simulation.now() + 1h;
  event.not_after = event.not_before + 17min;
  t.cloud.schedule_maintenance({id_}, event);
  event.code = sim::cloud::MaintenanceCode::kInstanceReboot;
  event.not_after.reset();
  t.cloud.schedule_maintenance({id_}, event);

  const std::string path = "events/maintenance/";
  const auto& events = t.cloud.instance({id_}).maintenance;
  EXPECT_EQ(text(path + "history"), "[]");
  EXPECT_EQ(sim::Json::parse(text(path + "scheduled")),
            sim::Json::array({{{"NotBefore", "5 Nov 2019 11:02:00 GMT"},
                               {"Code", "system-reboot"},
                               {"Description", "scheduled reboot"},
                               {"EventId", events.at(0).id},
                               {"NotAfter", "5 Nov 2019 11:19:00 GMT"},
                               {"State", "active"}},
                              {{"NotBefore", "5 Nov 2019 11:02:00 GMT"},
                               {"Code", "instance-reboot"},
                               {"Description", "scheduled reboot"},
                               {"EventId", events.at(1).id},
                               {"State", "active"}}}));
  t.cloud.reboot_instances({{id_}});
  EXPECT_EQ(sim::Json::parse(text(path + "scheduled")).size(), 1U);
  const auto history = sim::Json::parse(text(path + "history"));
  ASSERT_EQ(history.size(), 1U);
  EXPECT_EQ(history[0]["Description"], "[Completed] scheduled reboot");
  EXPECT_EQ(history[0]["State"], "completed");
}

TEST_F(Imds, CredentialsAreRenewedBeforeTheyEnd) {
  launch();
  const auto read = [&] { return sim::Json::parse(text("iam/security-credentials/job")); };
  const auto first = read();
  EXPECT_EQ(first["Code"], "Success");
  EXPECT_EQ(first["Type"], "AWS-HMAC");
  EXPECT_TRUE(first["AccessKeyId"].get<std::string>().starts_with("ASIA"));
  EXPECT_EQ(first["Expiration"], "2019-11-05T16:00:00Z");
  t.run(4h);
  EXPECT_EQ(read(), first);
  t.run(1h);
  EXPECT_NE(read()["AccessKeyId"], first["AccessKeyId"]);
  EXPECT_EQ(sim::Json::parse(text("iam/info"))["InstanceProfileArn"],
            "arn:aws:iam::123456789012:instance-profile/job");
}

TEST_F(Imds, TheIdentityDocumentNamesItsInstance) {
  launch();
  const auto document = sim::Json::parse(get("/latest/dynamic/instance-identity/document").body());
  EXPECT_EQ(document["instanceId"], id_);
  EXPECT_EQ(document["region"], "us-west-2");
  EXPECT_EQ(document["accountId"], "123456789012");
}

TEST_F(Imds, TheIdentityDocumentIsSigned) {
  launch();
  const std::string folder = "/latest/dynamic/instance-identity/";
  EXPECT_EQ(get(folder).body(), "document\npkcs7\nrsa2048\nsignature");
  const std::string document = get(folder + "document").body();
  EXPECT_EQ(get(folder + "pkcs7").body(), identity_pkcs7(document));
  EXPECT_EQ(get(folder + "rsa2048").body(), identity_pkcs7(document));
  EXPECT_EQ(get(folder + "signature").body(), identity_signature(document));
}

TEST_F(Imds, ShowsTheWholeNetworkInterface) {
  launch();
  const std::string its = "network/interfaces/macs/" + text("mac") + "/";
  EXPECT_EQ(text(its),
            "device-number\ninterface-id\nipv4-associations/\nlocal-hostname\nlocal-ipv4s\nmac\n"
            "owner-id\npublic-hostname\npublic-ipv4s\nsecurity-group-ids\nsecurity-groups\n"
            "subnet-id\nsubnet-ipv4-cidr-block\nvpc-id\nvpc-ipv4-cidr-block\n"
            "vpc-ipv4-cidr-blocks");
  EXPECT_EQ(text(its + "interface-id"), "eni-" + id_.substr(2));
  EXPECT_EQ(text(its + "ipv4-associations"), text("public-ipv4"));
  EXPECT_EQ(text(its + "ipv4-associations/" + text("public-ipv4")), text("local-ipv4"));
  EXPECT_EQ(text(its + "local-hostname"), text("local-hostname"));
  EXPECT_EQ(text(its + "owner-id"), "123456789012");
  EXPECT_EQ(text(its + "subnet-ipv4-cidr-block"), "172.31.16.0/20") << "of us-west-2b";
  EXPECT_EQ(text(its + "vpc-ipv4-cidr-block"), "172.31.0.0/16");
  EXPECT_EQ(text(its + "vpc-ipv4-cidr-blocks"), "172.31.0.0/16");
}

TEST_F(Imds, ShowsTagsOnlyWhereTheLaunchAllowsIt) {
  const Fields tags{{"TagSpecification.1.ResourceType", "instance"},
                    {"TagSpecification.1.Tag.1.Key", "Name"},
                    {"TagSpecification.1.Tag.1.Value", "trainer 1"}};
  id_ = t.instance(tags);
  handler_ = imds(t.backend, {id_});
  EXPECT_EQ(text("").find("tags"), std::string::npos);
  EXPECT_EQ(get("/latest/meta-data/tags/instance/Name").result(), http::status::not_found);

  Fields shown = tags;
  shown.emplace_back("MetadataOptions.InstanceMetadataTags", "enabled");
  id_ = t.instance(shown);
  handler_ = imds(t.backend, {id_});
  EXPECT_EQ(text("tags/"), "instance/");
  EXPECT_EQ(text("tags/instance/Name"), "trainer 1");
  t.ec2("CreateTags", {{"ResourceId.1", id_}, {"Tag.1.Key", "step"}, {"Tag.1.Value", "7"}});
  EXPECT_EQ(text("tags/instance"), "Name\nstep");
  t.ec2("DeleteTags", {{"ResourceId.1", id_}, {"Tag.1.Key", "Name"}});
  EXPECT_EQ(text("tags/instance"), "step");
}

TEST_F(Imds, TagsThatMetadataShowsHaveNamesOfPaths) {
  launch();
  for (const char* key : {"a b", "a/b", ".", "..", "_index"}) {
    const Fields tag{{"ResourceId.1", id_}, {"Tag.1.Key", key}, {"Tag.1.Value", ""}};
    EXPECT_EQ(t.ec2("CreateTags", tag).code(), "") << "metadata does not show its tags";
  }
  id_ = t.instance({{"MetadataOptions.InstanceMetadataTags", "enabled"}});
  for (const char* key : {"a b", "a/b", ".", "..", "_index"}) {
    const Fields tag{{"ResourceId.1", id_}, {"Tag.1.Key", key}, {"Tag.1.Value", ""}};
    EXPECT_EQ(t.ec2("CreateTags", tag).code(), "InvalidParameterValue") << key;
  }
  const Fields good{{"ResourceId.1", id_}, {"Tag.1.Key", "a-b+c=d.e,f_g:h@i"}, {"Tag.1.Value", ""}};
  EXPECT_EQ(t.ec2("CreateTags", good).code(), "");
}

TEST_F(Imds, EachRequestIsALineInTheLog) {
  launch();
  get("/latest/meta-data/\xff odd");
  EXPECT_EQ(t.events.back().kind, "imds.request");
  EXPECT_EQ(t.events.back().fields.dump(),
            R"({"instance_id":")" + id_ +
                R"(","method":"GET","path":"/latest/meta-data/%FF%20odd","status":404})");
}

}  // namespace
}  // namespace fakes
