#include "sim/serve/web_guard.h"

#include <tuple>

#include "sim/serve/testbed_for_test.h"

namespace sim::serve {
namespace {

TEST(WebGuard, KnowsItsOwnHosts) {
  const std::vector<std::string> allowed{"spotsim", ".test.example"};
  for (const char* host :
       {"localhost", "LOCALHOST:5000", "localhost.", "127.0.0.1:5000", "127.31.16.4", "[::1]:5000",
        "10.0.0.7", "i-0abc.localhost:5000", "data.s3.us-west-2.amazonaws.com",
        "ec2.us-west-2.amazonaws.com:443", "spotsim:5000", "test.example", "a.test.example"})
    EXPECT_TRUE(is_own_host(host, allowed)) << host;
  for (const char* host : {"evil.example", "localhost.evil.example", "amazonaws.com.evil.example",
                           "i-0abc.evil.example", "127.0.0.1.evil.example", "xamazonaws.com",
                           "spotsim.example", "xtest.example", "[", ""})
    EXPECT_FALSE(is_own_host(host, allowed)) << host;
}

struct Guarded : Tested {
  Guarded() : Tested("manual") {}
  unsigned status(const std::string& method, const std::string& target,
                  const std::map<std::string, std::string>& headers) {
    const auto response = send(method, target, R"({"by": "1m"})", headers);
    return response.result_int();
  }
};

const std::map<std::string, std::string> kControl{{kControlHeader, "1"}};

std::map<std::string, std::string> control_and(const char* name, const char* value) {
  auto headers = kControl;
  headers[name] = value;
  return headers;
}

TEST(WebGuard, TheControlApiRequiresAHeaderThatPagesCannotSend) {
  Guarded t;
  EXPECT_EQ(t.status("POST", "/_spotsim/clock", {}), 403u);
  EXPECT_EQ(t.status("GET", "/_spotsim/log", {}), 403u);
  EXPECT_EQ(t.status("POST", "/_spotsim/reset", {}), 403u);
  EXPECT_EQ(t.testbed->served().now(), kBegin) << "and nothing happens";
  EXPECT_EQ(t.status("POST", "/_spotsim/clock", kControl), 200u);
}

TEST(WebGuard, AReboundNameIsRefusedEverywhere) {
  Guarded t;
  const std::string id = t.launch();
  for (const std::string& target :
       {std::string("/_spotsim/clock"), std::string("/"), std::string("/moto-api/reset"),
        "/_spotsim/imds/" + id + "/latest/meta-data/", std::string("/latest/meta-data/")})
    EXPECT_EQ(t.status("POST", target, control_and("Host", "evil.example:5000")), 403u) << target;
  EXPECT_EQ(t.state_of(id), "pending");
}

TEST(WebGuard, ASecondHeaderDoesNotHideTheFirst) {
  for (const auto& [name, first, second] :
       {std::tuple("Host", "evil.example", "localhost"),
        std::tuple("Origin", "https://evil.example", "http://localhost"),
        std::tuple("Sec-Fetch-Site", "cross-site", "none")}) {
    fakes::Request request;
    request.insert(name, first);
    request.insert(name, second);
    EXPECT_TRUE(refuse_web_page(request, Addressee::kAws, {})) << name;
  }
}

TEST(WebGuard, APageOfAnotherSiteIsRefused) {
  Guarded t;
  for (const auto& [name, value] :
       {std::pair("Origin", "https://evil.example"), std::pair("Origin", "null"),
        // Anyone can have a page at such a host.
        std::pair("Origin", "http://203.0.113.5"), std::pair("Origin", "http://[2001:db8::5]"),
        std::pair("Origin", "http://evil.s3.amazonaws.com"),
        std::pair("Sec-Fetch-Site", "cross-site")}) {
    EXPECT_EQ(t.status("POST", "/_spotsim/clock", control_and(name, value)), 403u) << value;
    EXPECT_EQ(t.status("POST", "/moto-api/reset", {{name, value}}), 403u) << value;
    EXPECT_EQ(t.status("POST", "/", {{name, value}}), 403u) << value;
  }
  EXPECT_EQ(t.status("POST", "/_spotsim/clock", control_and("Origin", "http://localhost:5000")),
            200u);
  const std::map<std::string, std::string> network{
      {kControlHeader, "1"}, {"Host", "10.0.0.7:5000"}, {"Origin", "http://10.0.0.7:3000"}};
  EXPECT_EQ(t.status("POST", "/_spotsim/clock", network), 200u);
}

TEST(WebGuard, MotosResetNeedsNoHeaderExceptFromABrowser) {
  Guarded t;
  t.launch();
  for (const auto& [name, value] :
       {std::pair("Origin", "http://localhost:3000"), std::pair("Sec-Fetch-Site", "same-site"),
        std::pair("Sec-Fetch-Site", "same-origin"), std::pair("Sec-Fetch-Site", "none")}) {
    EXPECT_EQ(t.status("POST", "/moto-api/reset", {{name, value}}), 403u) << value;
    EXPECT_EQ(t.testbed->served().cloud().instances().size(), 1u) << "and nothing happens";
  }
  EXPECT_EQ(t.status("POST", "/moto-api/reset", {}), 200u) << "as moto's tests have it";
  EXPECT_EQ(t.testbed->served().cloud().instances().size(), 0u);
  EXPECT_EQ(t.status("POST", "/moto-api/reset", control_and("Origin", "http://localhost:3000")),
            200u);
}

TEST(WebGuard, ReportsARemedy) {
  Guarded t;
  EXPECT_EQ(t.send("GET", "/", "", {{"Host", "spotsim:5000"}}).body(),
            "{\"error\":\"Host: found spotsim:5000, expected localhost, an IP address or a name "
            "below amazonaws.com (spotsim serve --allow-host spotsim allows this one)\"}\n");
  t.options.allowed_hosts = {"spotsim"};
  EXPECT_EQ(t.status("GET", "/_spotsim/clock", control_and("Host", "spotsim:5000")), 200u);
}

}  // namespace
}  // namespace sim::serve
