// Tests only: aws-cli and boto3 as Debian has them, against all services on a real socket.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/files/folder_for_test.h"
#include "fakes/backend_for_test.h"
#include "fakes/http/loopback_server_for_test.h"

namespace fakes {

class ClientPrograms : public testing::Test {
 protected:
  void SetUp() override {
    if (access("/usr/bin/aws", X_OK) != 0) GTEST_SKIP() << "aws-cli is not installed";
    loopback.server.take_long_uploads(long_uploads(t.backend.latencies));
    const int port = loopback.listen(aws(t.backend, "operator"));
    const std::string endpoint = "http://127.0.0.1:" + std::to_string(port);
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
             {"ENDPOINT", endpoint.c_str()},
             {"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
             {"AWS_SECRET_ACCESS_KEY", "secret"},
             {"AWS_DEFAULT_REGION", "us-west-2"},
             {"AWS_CONFIG_FILE", "/dev/null"},
             {"AWS_SHARED_CREDENTIALS_FILE", "/dev/null"},
             {"AWS_EC2_METADATA_DISABLED", "true"}})
      setenv(name, value, 1);
    unsetenv("AWS_PROFILE");
    unsetenv("http_proxy");
  }
  // Runs a shell script in a folder of its own and returns its output. `aws` in it calls the fakes.
  std::string run(const std::string& script, int expected = 0) {
    int status = -1;
    const auto text =
        loopback.run({"/bin/bash", "-c",
                      "set -e; cd '" + folder.path().string() +
                          "'; aws() { /usr/bin/aws --endpoint-url $ENDPOINT \"$@\"; }\n" + script},
                     status);
    EXPECT_EQ(status, expected) << text;
    return text;
  }
  std::string python(const std::string& program) {
    std::ofstream(folder / "program.py") << program;
    return run("/usr/bin/python3 program.py");
  }

  TestBackend t;
  Loopback loopback{t.simulation};
  base::FolderForTest folder;
};

}  // namespace fakes
