// The `urls` block.
#include <gtest/gtest.h>

#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

using Urls = ScenarioFile;

TEST_F(Urls, MapFilesFoldersSizesStatusesAndRedirects) {
  const Scenario s = read(
      good("urls:\n"
           "  https://Example.org/data: job\n"
           "  https://example.org/trace: trace.csv\n"
           "  https://example.org/set.tar: {size: 1000000000000, latency: 2s, bandwidth: 1000}\n"
           "  http://example.org/gone/: {status: 410}\n"
           "  https://example.org/old: {redirect: https://example.org/trace}\n"));
  EXPECT_EQ(s.urls.size(), 5U);
  EXPECT_EQ(s.urls.at("https://example.org/data/").path, folder_ / "job");
  EXPECT_EQ(s.urls.at("https://example.org/trace").path, folder_ / "trace.csv");
  const auto& set = s.urls.at("https://example.org/set.tar");
  EXPECT_EQ(set.size, 1'000'000'000'000U);
  EXPECT_EQ(set.latency, 2s);
  EXPECT_EQ(set.bytes_per_second, 1000);
  EXPECT_EQ(s.urls.at("http://example.org/gone/").status, 410U);
  EXPECT_EQ(s.urls.at("https://example.org/old").redirect, "https://example.org/trace");
  EXPECT_TRUE(s.inputs.contains("trace.csv"));
}

TEST_F(Urls, AreRefusedWithLineAndExpectation) {
  const auto said = [this](const std::string& entry) {
    return errors(good("urls:\n  " + entry + "\n"));
  };
  EXPECT_EQ(said("ftp://x.org/a: job"),
            "s.yaml:7:18: urls.ftp://x.org/a: found no URL, expected one such as "
            "https://example.org/data/, without port");
  EXPECT_EQ(
      said("https://x.org/a: none.txt"),
      "s.yaml:7:20: urls.https://x.org/a: found \"none.txt\", expected a file or folder, but there "
      "is no none.txt");
  EXPECT_EQ(said("https://x.org/a: {latency: 1s}"),
            "s.yaml:7:20: urls.https://x.org/a: found none of path, size, status, redirect, "
            "expected one");
  EXPECT_EQ(
      said("https://x.org/a: {path: job, size: 3}"),
      "s.yaml:7:20: urls.https://x.org/a: found 2 of path, size, status, redirect, expected one");
  EXPECT_EQ(said("https://x.org/a: {redirect: there}"),
            "s.yaml:7:31: urls.https://x.org/a.redirect: found \"there\", expected a URL such as "
            "https://example.org/there");
  EXPECT_TRUE(contains(said("https://x.org/a: {status: 100}"), "a.status: found"));
  EXPECT_TRUE(contains(said("https://x.org/a: {size: 1, bandwidth: 0}"), "bandwidth: found"));
  EXPECT_TRUE(contains(said("https://x.org/a: {size: 1, speed: 5}"), "speed"));
  EXPECT_TRUE(contains(said("https://x.org: job\n  https://x.org/: job"),
                       "found a second https://x.org/, expected each URL once"));
  EXPECT_TRUE(contains(errors(good("urls: [a]\n")), "expected a mapping from URL"));
}

}  // namespace
}  // namespace sim::scenario
