// What a scenario has at URLs, as clients see it.
#include "fakes/web/web.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "base/files/folder_for_test.h"
#include "fakes/http/loopback_server_for_test.h"
#include "fakes/web/byte_range.h"
#include "sim/events/event.h"
#include "sim/events/lines_for_test.h"

namespace fakes {
namespace {

namespace http = boost::beast::http;
using namespace std::chrono_literals;

const sim::Time kSince = sim::Time{1'572'948'000s};  // 2019-11-05T10:00:00Z

TEST(Url, IsHttpOrHttpsOfANamedHost) {
  const auto url = parse_url("HTTPS://Example.org/A?b");
  ASSERT_TRUE(url);
  EXPECT_EQ(to_string(*url), "https://example.org/A?b");
  EXPECT_EQ(to_string(*parse_url("http://example.org")), "http://example.org/");
  for (const char* text : {"ftp://example.org/", "https://10.0.0.1/", "https://example.org:8443/",
                           "https://u@example.org/", "https:///a", "example.org", "",
                           "https://example.org/#a", "https://a..b/"})
    EXPECT_FALSE(parse_url(text)) << text;
}

TEST(ByteRange, IsReadAsRfc9110HasIt) {
  using Kind = ByteRange::Kind;
  const auto shows = [](std::string_view header) {
    const ByteRange range = read_byte_range(header, 100);
    if (range.kind == Kind::kWhole) return std::string("whole");
    if (range.kind == Kind::kUnsatisfiable) return std::string("none");
    return std::to_string(range.first) + "+" + std::to_string(range.count);
  };
  EXPECT_EQ(shows("bytes=0-9"), "0+10");
  EXPECT_EQ(shows("bytes=90-"), "90+10");
  EXPECT_EQ(shows("bytes=90-1000"), "90+10");
  EXPECT_EQ(shows("bytes=-7"), "93+7");
  EXPECT_EQ(shows("bytes=-700"), "0+100");
  EXPECT_EQ(shows("bytes=100-"), "none");
  EXPECT_EQ(shows("bytes=-0"), "none");
  EXPECT_EQ(shows("bytes=99999999999999999999-"), "none");
  for (const char* header : {"", "bytes=", "bytes=-", "bytes=9-3", "bytes=0-1,5-6", "lines=0-1",
                             "bytes=a-b", "bytes= 0-1"})
    EXPECT_EQ(shows(header), "whole") << header;
}

class WebSite : public testing::Test {
 protected:
  WebSite() {
    std::filesystem::create_directory(folder / "sub");
    write("setup.py", "print('hello')\n");
    write("sub/a b.txt", "spaced\n");
  }
  void write(const char* name, const char* text) const { std::ofstream(folder / name) << text; }

  Web web() const {
    return {{{"https://x.org/setup.py", {.path = folder / "setup.py"}},
             {"https://x.org/data/", {.path = folder}},
             {"https://x.org/data/big", {.size = 1'000'000'000'000}},
             {"https://x.org/gone/", {.status = 410}},
             {"https://x.org/old", {.redirect = "https://x.org/setup.py"}},
             {"http://plain.org/", {.path = folder / "setup.py"}}},
            kSince};
  }
  // "status bytes", or nothing.
  static std::string asked(const Web& web, const std::string& url, Request request = {}) {
    if (request.method_string().empty() || request.method() == http::verb::unknown)
      request.method(http::verb::get);
    const auto reply = web.answer(*parse_url(url), request);
    if (!reply) return "nothing";
    return std::to_string(reply->response.result_int()) + " " +
           std::to_string(reply->body ? reply->body->size : 0);
  }
  static Request with(http::field field, const std::string& value) {
    Request request{http::verb::get, "/", 11};
    request.set(field, value);
    return request;
  }

  base::FolderForTest folder;
};

TEST_F(WebSite, HasFilesFoldersSizesStatusesAndRedirects) {
  const Web site = web();
  EXPECT_EQ(asked(site, "https://x.org/setup.py"), "200 15");
  EXPECT_EQ(asked(site, "https://x.org/setup.py?raw=1"), "200 15");
  EXPECT_EQ(asked(site, "https://x.org/data/sub/a%20b.txt"), "200 7");
  EXPECT_EQ(asked(site, "https://x.org/data/big"), "200 1000000000000");
  EXPECT_EQ(asked(site, "https://x.org/data/none"), "404 0");
  EXPECT_EQ(asked(site, "https://x.org/data/"), "404 0");
  EXPECT_EQ(asked(site, "https://x.org/gone/with/the/wind"), "410 0");
  EXPECT_EQ(asked(site, "https://x.org/old"), "302 0");
  EXPECT_EQ(asked(site, "http://plain.org/"), "200 15");
  EXPECT_EQ(asked(site, "http://x.org/setup.py"), "301 0") << "to https";
  for (const char* url : {"https://x.org/", "https://x.org/setup.py/more", "https://y.org/",
                          "https://plain.org/", "http://plain.org/other",
                          "https://x.org/data/../setup.py", "https://x.org/data/%2e%2e/passwd",
                          "https://x.org/data//etc/passwd", "https://x.org/data/%00"})
    EXPECT_EQ(asked(site, url), "nothing") << url;
  EXPECT_EQ(asked(site, "https://x.org/setup.py", Request{http::verb::post, "/", 11}), "405 0");
  EXPECT_EQ(site.hosts(), (std::set<std::string, std::less<>>{"plain.org", "x.org"}));
}

TEST_F(WebSite, AnswersRangesAndConditions) {
  const Web site = web();
  const std::string url = "https://x.org/setup.py";
  EXPECT_EQ(asked(site, url, with(http::field::range, "bytes=3-6")), "206 4");
  EXPECT_EQ(asked(site, url, with(http::field::range, "bytes=15-")), "416 0");
  for (const char* range : {"bytes=3-6", "bytes=15-"}) {
    Request head = with(http::field::range, range);
    head.method(http::verb::head);
    EXPECT_EQ(asked(site, url, head), "200 15") << "a range is asked for by GET only";
  }
  const auto first = site.answer(*parse_url(url), Request{http::verb::get, "/", 11});
  const std::string tag(first->response[http::field::etag]);
  EXPECT_EQ(first->response[http::field::last_modified], "Tue, 05 Nov 2019 10:00:00 GMT");
  EXPECT_EQ(asked(site, url, with(http::field::if_none_match, tag)), "304 0");
  EXPECT_EQ(asked(site, url, with(http::field::if_none_match, "\"x\"")), "200 15");
  const auto since = [](const char* time) { return with(http::field::if_modified_since, time); };
  EXPECT_EQ(asked(site, url, since("Tue, 05 Nov 2019 10:00:00 GMT")), "304 0");
  EXPECT_EQ(asked(site, url, since("Tue, 05 Nov 2019 09:59:59 GMT")), "200 15");
  EXPECT_EQ(asked(site, url, since("yesterday")), "200 15");
  Request resumed = with(http::field::range, "bytes=3-6");
  resumed.set(http::field::if_range, "\"x\"");
  EXPECT_EQ(asked(site, url, resumed), "200 15");
  resumed.set(http::field::if_range, tag);
  EXPECT_EQ(asked(site, url, resumed), "206 4");
  write("setup.py", "print('other')\n");
  EXPECT_NE(
      web().answer(*parse_url(url), Request{http::verb::get, "/", 11})->response[http::field::etag],
      tag)
      << "another content";
}

// Over a socket, in parts: 25 MB at 10 MB/s, 1 s late.
TEST_F(WebSite, TakesVirtualTimeForABody) {
  if (access("/usr/bin/curl", X_OK) != 0) GTEST_SKIP() << "/usr/bin/curl is not installed";
  sim::Simulation simulation(kSince);
  sim::EventLog log;
  std::string lines;
  sim::hear_lines(log, [&](const sim::Event&, std::string_view text) { lines += text; });
  Loopback loopback(simulation);
  const auto site = std::make_shared<Web>(
      WebContents{{"http://x.org/zeros",
                   {.size = 25'000'000, .latency = 1s, .bytes_per_second = 10'000'000}},
                  {"http://x.org/setup.py", {.path = folder / "setup.py"}}},
      kSince);
  const int port = loopback.listen(web_and_aws(
      site, {"i-1", false}, simulation, log, [](const std::string&) { return false; },
      [](const Request&) { return Reply{}; }));
  const auto run = [&](const std::string& options) {
    int status = 0;
    return loopback.run(
        {"/bin/sh", "-c",
         "curl -s -H 'Host: x.org' " + options + " http://127.0.0.1:" + std::to_string(port)},
        status);
  };
  EXPECT_EQ(run("--path-as-is -o /dev/null -w '%{size_download} %{http_code}' --request-target "
                "/zeros"),
            "25000000 200");
  EXPECT_EQ(simulation.now() - kSince, 3500ms);
  EXPECT_NE(run("-I --request-target /zeros").find("Content-Length: 25000000\r\n"),
            std::string::npos);
  EXPECT_EQ(simulation.now() - kSince, 4500ms);
  EXPECT_EQ(run("--request-target /setup.py -r 6-"), "'hello')\n") << "and keeps the connection";
  EXPECT_EQ(run("--request-target /none"), "404: Not Found\n");
  const std::string unchanged =
      run("-i --request-target /setup.py -H 'If-Modified-Since: Tue, 05 Nov 2019 10:00:00 GMT'");
  EXPECT_TRUE(unchanged.starts_with("HTTP/1.1 304 Not Modified\r\n")) << unchanged;
  EXPECT_EQ(unchanged.find("Content-Length"), std::string::npos) << "it is not of a 304's body";
  EXPECT_NE(
      lines.find("\"event\":\"guest.download\",\"machine\":\"i-1\",\"method\":\"GET\",\"url\":"
                 "\"http://x.org/zeros\",\"status\":200,\"bytes\":25000000}"),
      std::string::npos)
      << lines;
  EXPECT_NE(lines.find("\"method\":\"HEAD\",\"url\":\"http://x.org/zeros\",\"status\":200,"
                       "\"bytes\":0}"),
            std::string::npos);
}

}  // namespace
}  // namespace fakes
