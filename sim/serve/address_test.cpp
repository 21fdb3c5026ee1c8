#include "sim/serve/address.h"

#include <gtest/gtest.h>

#include <boost/beast/http/field.hpp>
#include <map>
#include <string>

namespace sim::serve {
namespace {

// "control", "aws", "page", "metrics", or "metadata of INSTANCE at PATH".
std::string addressee(const std::string& target,
                      const std::map<std::string, std::string>& headers) {
  fakes::Request request;
  request.method(boost::beast::http::verb::get);
  request.target(target);
  for (const auto& [name, value] : headers) request.set(name, value);
  const Address address = address_of(request);
  if (address.to == Addressee::kControl) return "control";
  if (address.to == Addressee::kAws) return "aws";
  if (address.to == Addressee::kPage) return "page";
  if (address.to == Addressee::kMetrics) return "metrics";
  return "metadata of " + address.instance + address.private_ip + " at " + address.target;
}

TEST(AddressOf, IsFoundFromPathHostAndSignature) {
  const std::map<std::string, std::string> plain{{"Host", "127.0.0.1:5000"}},
      own{{"Host", "i-0abc.localhost:5000"}}, loopback{{"Host", "127.31.16.4:5000"}},
      no_address{{"Host", "127.31.x"}}, bucket_host{{"Host", "s3.us-west-2.amazonaws.com:5000"}},
      is_signed{{"Host", "127.0.0.1:5000"}, {"Authorization", "AWS4-HMAC-SHA256 …"}};
  struct Case {
    const char* target;
    const std::map<std::string, std::string>& headers;
    const char* expected;
  };
  const Case cases[] = {
      {"/", plain, "aws"},
      {"/", is_signed, "aws"},
      {"/?Action=X", plain, "aws"},
      {"", plain, "aws"},
      {"*", plain, "aws"},
      {"/bucket/key", plain, "aws"},
      {"/_spotsim/ui", plain, "page"},
      {"/_spotsim/ui/x", plain, "control"},
      {"/metrics", plain, "metrics"},
      {"/metrics", is_signed, "aws"},
      {"/metrics", bucket_host, "aws"},
      {"/metrics/key", plain, "aws"},
      {"/metrics", own, "metadata of i-0abc at /metrics"},
      {"/_spotsim/clock", plain, "control"},
      {"/_spotsim/", own, "control"},
      {"/_spotsim", plain, "aws"},
      {"/moto-api/reset", is_signed, "control"},
      {"/_spotsim/imds/i-0abc/latest/api/token", plain, "metadata of i-0abc at /latest/api/token"},
      {"/_spotsim/imds/i-0abc", plain, "metadata of i-0abc at /"},
      {"/_spotsim/imds/i-0abc?x", plain, "metadata of i-0abc at /?x"},
      {"/latest/meta-data/", own, "metadata of i-0abc at /latest/meta-data/"},
      {"/", own, "metadata of i-0abc at /"},
      {"/latest/meta-data/", loopback, "metadata of 172.31.16.4 at /latest/meta-data/"},
      {"/", loopback, "metadata of 172.31.16.4 at /"},
      {"/_spotsim/clock", loopback, "control"},
      {"/", no_address, "aws"},
      {"/latest/meta-data/", plain, "metadata of  at /latest/meta-data/"},
      {"/latest", plain, "metadata of  at /latest"},
      {"/2021-07-15/user-data", plain, "metadata of  at /2021-07-15/user-data"},
      {"/latest/meta-data/", is_signed, "aws"},
      {"/latest/key?X-Amz-Credential=a", plain, "aws"},
      {"/2015-03-31-functions/", plain, "aws"},
  };
  for (const Case& c : cases) EXPECT_EQ(addressee(c.target, c.headers), c.expected) << c.target;
}

}  // namespace
}  // namespace sim::serve
