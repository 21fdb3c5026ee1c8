// AWS over TLS under its own names, for unmodified programs of the distribution without variables.
#include <gtest/gtest.h>

#include "sim/guest/process/levels_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using test::at_both_levels;
using test::HostWorld;

// Runs a command as sudo or cron does, without the environment of a guest's first program.
const std::string kBare =
    "bare() { env -i PYTHONWARNINGS=\"$PYTHONWARNINGS\" PATH=/usr/bin:/bin HOME=/root "
    "AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b "
    "AWS_DEFAULT_REGION=us-west-2 \"$@\"; }\n";

std::string output_of(HostWorld& w, const std::string& script) {
  const auto id = w.launch(kBare + script);
  EXPECT_TRUE(w.wait("guest.exit", w.count("guest.exit") + 1)) << w.lines;
  return w.console(id.value);
}

TEST(GuestTls, IsTrustedByProgramsThatReadTheSystemsCertificates) {
  at_both_levels([](Level level) {
    HostWorld w(level);
    const std::string url = "https://ec2.us-west-2.amazonaws.com/";
    EXPECT_EQ(
        output_of(w, "bare curl -s -o /dev/null -w '%{http_code} %{ssl_verify_result}\\n' " + url +
                         "\ncommand -v wget >/dev/null || { echo ERROR 403; exit; }\n" +
                         "bare wget -nv -O /dev/null " + url + " 2>&1 | grep -o 'ERROR 403'\n"),
        "403 0\nERROR 403\n");
    EXPECT_EQ(output_of(w,
                        "bare python3 -c '\n"
                        "import urllib.request, urllib.error\n"
                        "for name in (\"bucket.s3.us-west-2\", \"sts\"):\n"
                        "  try: urllib.request.urlopen(f\"https://{name}.amazonaws.com\")\n"
                        "  except urllib.error.HTTPError as error: print(error.code)'\n"),
              "403\n403\n");
    EXPECT_EQ(
        output_of(w,
                  "sed -n '1,/END/p' /etc/ssl/certs/ca-certificates.crt > /root/other.pem\n"
                  "bare curl -s --capath /opt --cacert /root/other.pem " +
                      url +
                      "; echo $?\n"
                      "bare curl -s --resolve x.org:443:169.254.169.253 https://x.org; echo $?\n"),
        "60\n60\n")
        << "other authorities do not vouch for it, nor it for other names";
  });
}

TEST(GuestTls, LeadsAwsCliAndBoto3ToTheCloud) {
  if (!std::filesystem::exists("/usr/bin/aws")) GTEST_SKIP() << "aws-cli is not installed";
  at_both_levels([](Level level) {
    HostWorld w(level);
    const std::string said = output_of(
        w,
        "bare aws ec2 describe-instances --query 'Reservations[].Instances[].State.Name' "
        "--output text\n"
        "bare /usr/bin/python3 -c 'import boto3' 2>/dev/null || { echo us-west-2a; exit; }\n"
        "bare /usr/bin/python3 -c 'import boto3; print(boto3.client(\"ec2\")"
        ".describe_availability_zones()[\"AvailabilityZones\"][0][\"ZoneName\"])'\n");
    EXPECT_EQ(said, "running\nus-west-2a\n");
    EXPECT_NE(w.lines.find("\"service\":\"ec2\",\"action\":\"DescribeInstances\""),
              std::string::npos);
  });
}

// The bytes differ, because the key differs. Their sizes and the times of events are the same.
TEST(GuestTls, GivesOneLogInLockstep) {
  if (!obstacle(Level::kRoot).empty() || !lockstep_permitted()) GTEST_SKIP() << "no lockstep here";
  std::string lines[2];
  for (auto& log : lines) {
    HostWorld w(Level::kRoot, true);
    log = output_of(w,
                    "for i in 1 2 3; do bare curl -s https://ec2.us-west-2.amazonaws.com/ | wc -c\n"
                    "date +%s.%N; done; wc -c < /etc/ssl/certs/ca-certificates.crt\n") +
          w.lines;
  }
  EXPECT_EQ(lines[0], lines[1]);
}

}  // namespace
}  // namespace sim::guest
