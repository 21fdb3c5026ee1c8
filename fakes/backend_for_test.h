// For tests: a region with three zones and constant prices, machines that do nothing, and short
// functions that send requests without a socket.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/backend.h"
#include "sim/cloud/cloud.h"
#include "sim/cloud/log_writer.h"
#include "sim/events/event.h"
#include "sim/events/lines_for_test.h"

namespace fakes {

using namespace std::chrono_literals;

// Machines that end ten seconds after the order to stop.
class NullHost : public sim::cloud::Host {
 public:
  explicit NullHost(sim::Simulation& simulation) : simulation_(simulation) {}
  void boot(const sim::cloud::Instance&) override {}
  void shut_down(const sim::cloud::Instance&, sim::cloud::Shutdown,
                 std::function<void()> gone) override {
    simulation_.after(10s, std::move(gone));
  }
  std::string console(const sim::cloud::InstanceId&, std::size_t most) const override {
    return console_text.substr(console_text.size() - std::min(console_text.size(), most));
  }
  void create_disk(const sim::cloud::Volume&) override {}
  void delete_disk(const sim::cloud::VolumeId&) override {}
  std::int64_t snapshot_disk(const sim::cloud::SnapshotId&, const sim::cloud::VolumeId&) override {
    return 1 << 20;
  }
  void delete_snapshot_disk(const sim::cloud::SnapshotId&) override {}
  void plug(const sim::cloud::VolumeId&, const sim::cloud::InstanceId&,
            const std::string&) override {}
  void unplug(const sim::cloud::VolumeId&, const sim::cloud::InstanceId&, bool,
              std::function<void()> released) override {
    simulation_.after(sim::Duration{}, std::move(released));
  }

  std::string console_text;  // the same for all machines

 private:
  sim::Simulation& simulation_;
};

inline const sim::Time kStart = sim::parse_time("2019-11-05T10:00:00Z").value();

// p3.2xlarge costs 0.918 in 2a and 0.9 in 2b, and 1.1 in 2b from an hour on.
inline sim::market::PriceHistory test_prices() {
  const auto usd = [](const char* text) { return sim::market::parse_usd(text).value(); };
  sim::market::PriceHistory history;
  history.pools[{"p3.2xlarge", "us-west-2a"}] = {{kStart, usd("0.918")}};
  history.pools[{"p3.2xlarge", "us-west-2b"}] = {{kStart, usd("0.9")}, {kStart + 1h, usd("1.1")}};
  return history;
}

// The same, and m4.xlarge for 0.1 in 2b, whose instances can hibernate.
inline sim::market::PriceHistory prices_of_two_types() {
  sim::market::PriceHistory history = test_prices();
  history.pools[{"m4.xlarge", "us-west-2b"}] = {{kStart, sim::market::parse_usd("0.1").value()}};
  return history;
}

// The answer to a request, for checks.
struct Answer {
  Response response;
  pugi::xml_document xml;
  int status() const { return static_cast<int>(response.result_int()); }
  const std::string& body() const { return response.body(); }
  // The text at an XPath below the root: "volumeId", "volumeSet/item/status"; "" when there is
  // none.
  std::string at(const std::string& path) const {
    return xml.document_element().select_node(path.c_str()).node().text().get();
  }
  std::vector<std::string> all(const std::string& path) const {
    std::vector<std::string> texts;
    for (const auto& found : xml.document_element().select_nodes(path.c_str())) {
      texts.push_back(found.node().text().get());
    }
    return texts;
  }
  std::string code() const { return at("Errors/Error/Code"); }
  std::string message() const { return at("Errors/Error/Message"); }
};

using Fields = std::vector<std::pair<std::string, std::string>>;

inline std::string url_encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

inline constexpr const char* kSignature =
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/ec2/aws4_request, "
    "SignedHeaders=host;x-amz-date, Signature=00";

struct TestBackend {
  // With images, no others may be launched.
  explicit TestBackend(std::map<std::string, sim::cloud::Image> images = {},
                       sim::market::PriceHistory prices = test_prices())
      : market(simulation, log, std::move(prices)),
        host(simulation),
        cloud(simulation, streams, market, host,
              {.availability_zones = {"us-west-2a", "us-west-2b", "us-west-2c"},
               .images = images,
               .any_image = images.empty()}),
        backend{cloud, simulation, log, streams} {
    cloud.observe(log_writer);
    sim::hear_lines(log, [this](const sim::Event& event, std::string_view text) {
      events.push_back(event);
      lines.emplace_back(text);
    });
    api = aws(backend, "operator");
  }

  void run(sim::Duration d) { simulation.run_until(simulation.now() + d); }

  static Request post(const std::string& body, const char* authorization = kSignature) {
    Request request{boost::beast::http::verb::post, "/", 11};
    request.set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
    if (authorization != nullptr) request.set("Authorization", authorization);
    request.body() = body;
    return request;
  }
  Answer send(const Request& request) const {
    Answer answer;
    answer.response = api(request).response;
    answer.xml.load_string(answer.body().c_str());
    return answer;
  }
  Answer ec2(const std::string& action, const Fields& fields = {}) const {
    std::string body = "Action=" + action + "&Version=2016-11-15";
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    return send(post(body));
  }

  // Make a running instance and an available volume in us-west-2b.
  std::string instance(const Fields& more = {}) {
    Fields fields{{"ImageId", "ami-0123456789abcdef0"},
                  {"InstanceType", "m4.xlarge"},
                  {"MinCount", "1"},
                  {"MaxCount", "1"},
                  {"Placement.AvailabilityZone", "us-west-2b"}};
    fields.insert(fields.end(), more.begin(), more.end());
    const auto id = ec2("RunInstances", fields).at("instancesSet/item/instanceId");
    run(2min);
    return id;
  }
  // Makes a running spot instance of a persistent request. An interruption stops it or, with
  // prices_of_two_types(), hibernates it.
  sim::cloud::InstanceId stopping_instance(bool hibernates) {
    sim::cloud::LaunchSpec spec{.image_id = "ami-1",
                                .instance_type = hibernates ? "m4.xlarge" : "p3.2xlarge",
                                .availability_zone = "us-west-2b"};
    spec.stops_when_interrupted = true;
    spec.hibernation = hibernates;
    if (hibernates)
      spec.block_devices = {
          {.device = "/dev/xvda", .volume = {.size_gib = 30, .type = "gp3", .encrypted = true}}};
    const auto request = cloud.request_spot_instances(spec, 1, "persistent").at(0);
    run(2min);
    return cloud.spot_requests().at(request).instance;
  }
  std::string volume(const Fields& more = {}) {
    Fields fields{{"AvailabilityZone", "us-west-2b"}, {"Size", "100"}};
    fields.insert(fields.end(), more.begin(), more.end());
    const auto id = ec2("CreateVolume", fields).at("volumeId");
    run(1min);
    return id;
  }

  sim::Simulation simulation{kStart};
  sim::EventLog log;
  sim::Streams streams{7};
  sim::market::Market market;
  NullHost host;
  sim::cloud::Cloud cloud;
  sim::cloud::LogWriter log_writer{simulation, log};
  Backend backend;
  Handler api;
  std::vector<sim::Event> events;
  std::vector<std::string> lines;
};

}  // namespace fakes
