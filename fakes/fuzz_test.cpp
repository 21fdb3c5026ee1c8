// Whatever a client sends, it is answered 4xx or its connection is closed, and the cloud lives on.
#include "api/fuzz/fuzz.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "fakes/backend_for_test.h"
#include "fakes/http/loopback_server_for_test.h"

namespace fakes {
namespace {

// Then a new cloud, so that old resources do not slow the test.
constexpr int kInputsPerCloud = 200;

// A cloud with most kinds of resources, in which events happen between the inputs.
struct FuzzedCloud : TestBackend {
  const std::string instance_id = instance(), volume_id = volume();
  const sim::vpc::Network& network = cloud.network();
  const sim::vpc::Vpc* const vpc = network.vpcs.default_vpc();
  const sim::vpc::Subnet* const subnet = network.subnets.default_of("us-west-2c");
  const sim::vpc::RouteTable* const table = &network.route_tables.table.all().begin()->second;
};

std::vector<std::string> fuzzed_forms(const FuzzedCloud& t) {
  const std::string begin = "Version=2016-11-15&Action=";
  return {begin + "DescribeInstances&Filter.1.Name=tag%3Aa&Filter.1.Value.1=b*&MaxResults=5",
          begin + "DescribeVolumes&VolumeId.1=" + t.volume_id,
          begin +
              "RunInstances&ImageId=ami-0123456789abcdef0&InstanceType=p3.2xlarge&MinCount=1&"
              "MaxCount=2&InstanceMarketOptions.MarketType=spot&UserData=IyEvYmluL2Jhc2gK&"
              "InstanceMarketOptions.SpotOptions.MaxPrice=1.5&Placement.AvailabilityZone="
              "us-west-2a",
          begin +
              "CreateVolume&AvailabilityZone=us-west-2b&Size=8&TagSpecification.1.ResourceType="
              "volume&TagSpecification.1.Tag.1.Key=a&TagSpecification.1.Tag.1.Value=%C3%BC",
          begin + "AttachVolume&Device=%2Fdev%2Fsdf&VolumeId=" + t.volume_id +
              "&InstanceId=" + t.instance_id,
          begin + "CreateSnapshot&VolumeId=" + t.volume_id,
          begin + "CreateVpc&CidrBlock=10.0.0.0%2F16",
          begin + "CreateSubnet&CidrBlock=172.31.240.0%2F24&AvailabilityZone=us-west-2a&VpcId=" +
              t.vpc->id,
          begin +
              "AuthorizeSecurityGroupIngress&GroupName=default&IpPermissions.1.IpProtocol=tcp&"
              "IpPermissions.1.FromPort=22&IpPermissions.1.ToPort=22&IpPermissions.1.IpRanges.1."
              "CidrIp=10.0.0.0%2F8",
          begin + "CreateRoute&DestinationCidrBlock=10.0.0.0%2F8&InstanceId=" + t.instance_id +
              "&RouteTableId=" + t.table->id,
          begin + "RunInstances&ImageId=ami-1&MinCount=1&MaxCount=1&PrivateIpAddress=172.31.0.9",
          begin + "DeleteSubnet&SubnetId=" + t.subnet->id,
          begin +
              "ImportKeyPair&KeyName=k&PublicKeyMaterial=c3NoLWVkMjU1MTkgQUFBQUMzTnphQzFsWkRJMU5U"
              "RTVBQUFBSUQ=",
          begin + "TerminateInstances&InstanceId.1=" + t.instance_id,
          begin +
              "RequestSpotFleet&SpotFleetRequestConfig.IamFleetRole=r&SpotFleetRequestConfig."
              "TargetCapacity=2&SpotFleetRequestConfig.LaunchSpecifications.1.ImageId=ami-"
              "0123456789abcdef0&SpotFleetRequestConfig.LaunchSpecifications.1.InstanceType="
              "p3.2xlarge&SpotFleetRequestConfig.ValidUntil=2019-11-05T10:20:00Z",
          begin +
              "RequestSpotInstances&InstanceCount=2&LaunchSpecification.ImageId=ami-"
              "0123456789abcdef0&LaunchSpecification.InstanceType=p3.2xlarge&Type=persistent",
          begin +
              "CreateFleet&Type=instant&LaunchTemplateConfigs.1.LaunchTemplateSpecification."
              "LaunchTemplateName=abc&LaunchTemplateConfigs.1.LaunchTemplateSpecification.Version="
              "1&LaunchTemplateConfigs.1.Overrides.1.AvailabilityZone=us-west-2b&"
              "TargetCapacitySpecification.TotalTargetCapacity=2",
          begin +
              "CreateLaunchTemplate&LaunchTemplateName=abc&LaunchTemplateData.ImageId=ami-"
              "0123456789abcdef0&LaunchTemplateData.InstanceType=p3.2xlarge",
          begin + "DescribeSpotPriceHistory&StartTime=2019-11-05T10%3A00%3A00Z&MaxResults=1",
          begin + "CreateTags&ResourceId.1=" + t.volume_id + "&Tag.1.Key=k&Tag.1.Value=v"};
}

// Lack of capacity is 500 in EC2, and another service 501 here.
bool may_answer(unsigned status, std::string_view body) {
  return (status >= 100 && status < 500) ||
         (status == 500 && body.find("<Code>InsufficientInstanceCapacity<") != body.npos) ||
         (status == 501 && body.find("NotImplemented") != body.npos);
}

// What clients can make of a handler: its requests with damaged seeds as targets and bodies.
TEST(FakesFuzz, Ec2AnswersAnyFormWithWhatEc2Has) {
  std::mt19937 random(1);
  std::unique_ptr<FuzzedCloud> t;
  std::vector<std::string> seeds;
  int done = 0, refused = 0;
  for (int round = 0; round < api::fuzz_rounds(); ++round) {
    if (round % kInputsPerCloud == 0) {
      t = std::make_unique<FuzzedCloud>();
      seeds = fuzzed_forms(*t);
    }
    const std::string form = api::damaged(seeds[random() % seeds.size()], random);
    const Answer answer = t->send(TestBackend::post(form));
    ASSERT_TRUE(may_answer(answer.response.result_int(), answer.body())) << form << "\n"
                                                                         << answer.body();
    ASSERT_TRUE(answer.xml.document_element()) << form << "\n" << answer.body();
    ++(answer.status() == 200 ? done : refused);
    if (round % 10 == 0) t->run(1min);
  }
  EXPECT_GT(done, api::fuzz_rounds() / 10);
  EXPECT_GT(refused, api::fuzz_rounds() / 4);
}

// All that comes until the server closes.
std::string talk(Loopback& loopback, int port, const std::string& text) {
  const base::FileDescriptor client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  base::checked(connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address),
                "connecting");
  EXPECT_EQ(send(client.get(), text.data(), text.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(text.size()));
  shutdown(client.get(), SHUT_WR);
  loopback.settle();
  std::string answers;
  char buffer[16384];
  for (ssize_t n = 0; (n = recv(client.get(), buffer, sizeof buffer, MSG_DONTWAIT)) > 0;)
    answers.append(buffer, static_cast<std::size_t>(n));
  return answers;
}

std::string http_text(const std::string& form) {
  return "POST / HTTP/1.1\r\nHost: ec2.us-west-2.amazonaws.com\r\nAuthorization: " +
         std::string(kSignature) + "\r\nContent-Type: application/x-www-form-urlencoded\r\n" +
         "Content-Length: " + std::to_string(form.size()) + "\r\n\r\n" + form;
}

// For the metadata service, half of the seeds are its own requests.
std::vector<std::string> http_seeds(const FuzzedCloud& t, bool metadata_service) {
  const std::string metadata = " HTTP/1.1\r\nHost: 169.254.169.254\r\n";
  std::vector<std::string> seeds = {
      "GET /latest/meta-data/instance-id" + metadata + "\r\n",
      "PUT /latest/api/token" + metadata + "X-aws-ec2-metadata-token-ttl-seconds: 60\r\n\r\n",
      "GET /latest/meta-data/spot/instance-action" + metadata + "Connection: close\r\n\r\n",
      "POST / HTTP/1.1\r\nTransfer-Encoding: "
      "chunked\r\n\r\n5\r\nActio\r\n4;a=b\r\nn=De\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc"};
  auto forms = fuzzed_forms(t);
  if (metadata_service) forms.resize(seeds.size());
  for (const auto& form : forms) seeds.push_back(http_text(form));
  return seeds;
}

// The statuses of consecutive answers.
std::vector<std::pair<unsigned, std::string>> answers_in(std::string text) {
  std::vector<std::pair<unsigned, std::string>> found;
  constexpr std::string_view kBegin = "HTTP/1.1 ";
  while (text.starts_with(kBegin)) {
    const std::size_t end = std::min(text.find(kBegin, kBegin.size()), text.size());
    found.emplace_back(static_cast<unsigned>(std::atoi(text.c_str() + kBegin.size())),
                       text.substr(0, end));
    text.erase(0, end);
  }
  return found;
}

void fuzz_sockets(bool metadata) {
  std::mt19937 random(2);
  std::unique_ptr<FuzzedCloud> t;
  std::unique_ptr<Loopback> loopback;
  std::vector<std::string> seeds;
  int port = 0, good = 0, refused = 0, closed = 0;
  const int rounds = api::fuzz_rounds() / 2;
  for (int round = 0; round < rounds; ++round) {
    if (round % kInputsPerCloud == 0) {
      loopback.reset();
      t = std::make_unique<FuzzedCloud>();
      loopback = std::make_unique<Loopback>(t->simulation);
      port = loopback->listen(metadata ? imds(t->backend, {t->instance_id}) : t->api);
      seeds = http_seeds(*t, metadata);
    }
    const std::string sent = api::damaged(seeds[random() % seeds.size()], random);
    const auto answers = answers_in(talk(*loopback, port, sent));
    ASSERT_EQ(loopback->server.connections(), 0U) << sent;
    if (answers.empty()) ++closed;
    for (const auto& [status, text] : answers) {
      ASSERT_TRUE(may_answer(status, text)) << sent << "\n" << text;
      ++(status < 400 ? good : refused);
    }
  }
  EXPECT_GT(good, rounds / 20);
  EXPECT_GT(refused, rounds / 20);
  EXPECT_GT(closed, rounds / 20);  // what ends before its end
}

TEST(FakesFuzz, ServerOfEc2AnswersAnyBytesOrCloses) { fuzz_sockets(false); }
TEST(FakesFuzz, ServerOfMetadataAnswersAnyBytesOrCloses) { fuzz_sockets(true); }

}  // namespace
}  // namespace fakes
