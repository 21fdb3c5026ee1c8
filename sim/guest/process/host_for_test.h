// For tests: a cloud with real process guests, and functions that run such a world in another
// process.
#pragma once

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/cloud/log_writer.h"
#include "sim/events/event.h"
#include "sim/events/lines_for_test.h"
#include "sim/guest/process/process_host.h"

namespace sim::guest::test {

struct HostWorld {
  explicit HostWorld(Level level, bool lockstep = false,
                     std::map<std::string, std::filesystem::path> repositories = {},
                     WriteBackKnobs write_back = {}, std::map<std::string, Image> images = {},
                     fakes::WebContents urls = {}, cloud::Durations durations = {},
                     std::vector<std::string> keep = {}, std::uint64_t seed = 1)
      : output(make_folder()),
        streams(seed),
        server(simulation),
        host(simulation, log, streams, server,
             {.level = level,
              .lockstep = lockstep,
              .region = "us-west-2",
              .output = output,
              .repositories = std::move(repositories),
              .images = std::move(images),
              .urls = std::move(urls),
              .durations = durations,
              .write_back = write_back,
              .keep = std::move(keep),
              .say = [this](const std::string& text) { said += text + "\n"; }}),
        market(simulation, log, prices(simulation.now())),
        cloud(simulation, streams, market, host,
              {.availability_zones = {"us-west-2a", "us-west-2b"}}),
        backend{cloud, simulation, log, streams} {
    cloud.observe(log_writer);
    host.connect(backend);
    hear_lines(log, [this](const Event& event, std::string_view text) {
      events.push_back(event);
      lines += std::string(text) + "\n";
    });
  }
  ~HostWorld() {
    std::error_code ignored;
    std::filesystem::remove_all(output, ignored);
  }

  static std::filesystem::path make_folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "spotsim-test-XXXXXX";
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    return pattern;
  }

  static market::PriceHistory prices(Time from) {
    market::PriceHistory history;
    history.pools[{"p3.2xlarge", "us-west-2a"}] = {{from, market::parse_usd("0.918").value()}};
    return history;
  }

  // Launches a spot instance. Returns when its request is fulfilled.
  cloud::InstanceId launch(const std::string& script) {
    return launch_with("#!/bin/bash\n" + script);
  }
  cloud::InstanceId launch_with(const std::string& user_data) {
    const auto request = cloud.request_spot_instances({.image_id = "ami-1",
                                                       .instance_type = "p3.2xlarge",
                                                       .availability_zone = "us-west-2a",
                                                       .user_data = user_data},
                                                      1, "one-time")[0];
    const auto& instance = cloud.spot_requests().at(request).instance;
    host.run([&] { return !instance.empty(); });
    return instance;
  }
  cloud::VolumeId new_volume(const cloud::SnapshotId& from = {}) {
    return cloud.create_volume({"us-west-2a", 1, "gp2", from, {}});
  }
  // Waits for that many events of the kind. Returns false if they never come.
  bool wait(const std::string& kind, std::size_t times = 1) {
    return host.run([&] { return count(kind) >= times; });
  }
  std::size_t count(const std::string& kind) const {
    std::size_t n = 0;
    for (const auto& event : events) n += event.kind == kind;
    return n;
  }
  bool wait(const cloud::InstanceId& id, cloud::InstanceState state) {
    return host.run([&] { return cloud.instance(id).state == state; });
  }
  bool wait(const cloud::VolumeId& id, cloud::VolumeState state) {
    return host.run([&] { return cloud.volume(id).state == state; });
  }
  // The output of the machine's programs. cloud-init's own lines and reports of failures are
  // omitted.
  std::string console(const std::string& machine) const {
    std::string out, line;
    std::istringstream in(whole_console(machine));
    while (std::getline(in, line)) {
      if (line.find("[WARNING]: Failed ") != line.npos) continue;
      if (line.find("[WARNING]: Running module ") != line.npos) continue;
      const auto own = line.find("Cloud-init v. ");
      out += line.substr(0, own);  // before it, what ended without a line end
      if (own == line.npos && !in.eof()) out += "\n";
    }
    return out;
  }
  std::string whole_console(const std::string& machine) const {
    std::ifstream in(output / "console" / (machine + ".log"));
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
  }

  std::filesystem::path output;
  Simulation simulation{parse_time("2019-11-05T10:00:00Z").value()};
  EventLog log;
  Streams streams;
  std::vector<Event> events;
  std::string lines;
  std::string said;
  fakes::Server server;
  ProcessHost host;
  market::Market market;
  cloud::Cloud cloud;
  cloud::LogWriter log_writer{simulation, log};
  fakes::Backend backend;
};

// Runs `test` in a child. Returns true if it had no failure.
inline bool passes_in_child(const std::function<void()>& test) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      test();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

// The same as an ordinary user, if this process is root.
inline bool passes_as_user(const std::function<void()>& test) {
  return passes_in_child([&test] {
    if (geteuid() == 0 && (setgroups(0, nullptr) || setgid(65534) || setuid(65534)))
      throw std::runtime_error("cannot become another user");
    prctl(PR_SET_DUMPABLE, 1);
    test();
  });
}

// The reason why an ordinary user cannot have the level on this machine. Empty if one can.
inline std::string obstacle_as_user(Level level) {
  int told[2];
  if (pipe2(told, O_CLOEXEC) != 0) return "no pipe";
  passes_as_user([&] {
    const std::string why = obstacle(level);
    static_cast<void>(!write(told[1], why.data(), why.size()));
  });
  close(told[1]);
  std::string why(4096, '\0');
  const ssize_t n = read(told[0], why.data(), why.size());
  close(told[0]);
  why.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return why;
}

}  // namespace sim::guest::test
