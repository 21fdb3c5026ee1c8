// Which service a request is for.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

TEST(Aws, TheSignatureDeterminesTheService) {
  TestBackend t;
  const std::string body = "Action=DescribeVolumes&Version=2016-11-15";
  const auto status = [&](const char* authorization) {
    return t.send(TestBackend::post(body, authorization));
  };
  EXPECT_EQ(status(kSignature).status(), 200);
  EXPECT_EQ(status(nullptr).status(), 403);
  EXPECT_EQ(status(nullptr).at("Error/Code"), "MissingAuthenticationToken");
  EXPECT_EQ(status("Bearer x").at("Error/Code"), "IncompleteSignature");
  EXPECT_EQ(status("AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/ec2, SignedHeaders=host, "
                   "Signature=0")
                .at("Error/Code"),
            "IncompleteSignature");
  const auto region = status(
      "AWS4-HMAC-SHA256 Credential=A/20191105/eu-west-1/ec2/aws4_request, "
      "SignedHeaders=host, Signature=0");
  EXPECT_EQ(region.status(), 401);
  EXPECT_EQ(region.code(), "AuthFailure");
  const auto other = status(
      "AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/kinesis/aws4_request, "
      "SignedHeaders=host, Signature=0");
  EXPECT_EQ(other.at("Error/Code"), "NotImplemented");
  EXPECT_EQ(other.at("Error/Message"), "The service 'kinesis' is not part of this simulated AWS.");
  EXPECT_EQ(t.events.back().fields["result"], "NotImplemented");
  EXPECT_EQ(t.events.back().fields["service"], "kinesis");
  EXPECT_EQ(t.events.back().fields["action"], "DescribeVolumes");
}

TEST(Aws, AServiceThatIsNotThereAnswersInItsProtocol) {
  TestBackend t;
  const auto ask = [&](const std::string& service, const char* target, const Fields& headers) {
    Request request{boost::beast::http::verb::get, target, 11};
    request.set("Authorization", "AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/" + service +
                                     "/aws4_request, SignedHeaders=host, Signature=0");
    for (const auto& [name, value] : headers) request.set(name, value);
    return t.api(request).response;
  };
  const std::string json =
      R"({"__type":"NotImplemented","message":"The service 'NAME' is not part of this )"
      R"(simulated AWS."})";
  const auto of = [&](const std::string& name) {
    std::string text = json;
    return text.replace(text.find("NAME"), 4, name);
  };
  const auto lambda = ask("lambda", "/2015-03-31/functions", {});
  EXPECT_EQ(lambda.result_int(), 501u);
  EXPECT_EQ(lambda["content-type"], "application/json");
  EXPECT_EQ(lambda.body(), of("lambda"));
  EXPECT_EQ(ask("dynamodb", "/", {{"X-Amz-Target", "DynamoDB_20120810.ListTables"}}).body(),
            of("dynamodb"));
  const auto metrics = ask("monitoring", "/service/GraniteServiceVersion20100801/operation/X",
                           {{"smithy-protocol", "rpc-v2-cbor"}});
  EXPECT_EQ(metrics["smithy-protocol"], "rpc-v2-cbor");
  EXPECT_EQ(nlohmann::json::from_cbor(metrics.body()).at("__type"), "NotImplemented")
      << "CloudWatch is there, but not in this protocol";
  for (const char* xml : {"route53", "cloudfront"})
    EXPECT_TRUE(ask(xml, "/2013-04-01/hostedzone", {}).body().starts_with("<?xml")) << xml;
  EXPECT_TRUE(ask("iam", "/?Action=ListRoles&Version=2010-05-08", {}).body().starts_with("<?xml"));
}

TEST(Aws, ASignedUrlWorksToo) {
  TestBackend t;
  Request request{
      boost::beast::http::verb::get,
      "/?Action=DescribeVolumes&Version=2016-11-15&X-Amz-Algorithm=AWS4-HMAC-SHA256&"
      "X-Amz-Credential=A%2F20191105%2Fus-west-2%2Fec2%2Faws4_request&X-Amz-Signature=0",
      11};
  EXPECT_EQ(t.send(request).status(), 200);
  const std::string signed_form =
      "Action=DescribeVolumes&Version=2016-11-15&X-Amz-Algorithm=AWS4-HMAC-SHA256&"
      "X-Amz-Credential=A%2F20191105%2Fus-west-2%2Fec2%2Faws4_request&X-Amz-Signature=0";
  EXPECT_EQ(t.send(TestBackend::post(signed_form, nullptr)).status(), 200);
}

}  // namespace
}  // namespace fakes
