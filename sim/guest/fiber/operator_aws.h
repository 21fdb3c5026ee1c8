// Carries out aws-cli and curl on a modelled machine: it passes their requests to the fakes'
// handlers.
#pragma once

#include <string>

#include "fakes/http/http.h"
#include "sim/guest/fiber/aws_command.h"
#include "sim/guest/fiber/curl_command.h"
#include "sim/guest/fiber/program.h"
#include "sim/guest/fiber/seams.h"
#include "sim/kernel/random.h"

namespace sim::guest {

class OperatorAws {
 public:
  // All references must outlive it. `aws` answers requests of `machine` for the region.
  OperatorAws(Simulation& simulation, Program& program, Stream& random, const fakes::Handler& aws,
              std::string region, std::int64_t upload_bytes_per_second, const Console& console,
              std::string machine)
      : simulation_(simulation),
        program_(program),
        random_(random),
        aws_(aws),
        region_(std::move(region)),
        upload_bytes_per_second_(upload_bytes_per_second),
        console_(console),
        machine_(std::move(machine)) {}

  // Runs inside the program's fiber. Exit status: 0; 254 if AWS refuses; 255 if AWS does not
  // answer, or if a wait ends with a failure; 1 for a list without objects.
  int run(const AwsCommand& command);
  // Exit status 22 if the API refuses, as with --fail; 28 if it does not answer.
  int run(const CurlCommand& command);

 private:
  struct Answer {
    int status = 0;  // 0: no answer in time
    std::string body;
    bool ok() const { return status != 0 && status < 300; }
    // True for errors that clients retry (AWS SDKs reference guide, "Retry behavior", mode legacy).
    bool passes() const;
  };
  int carry_out(const MakeBucket& command);
  int carry_out(const UploadFolder& command);
  int carry_out(const ListObjects& command);
  int carry_out(const CallService& command);
  int carry_out(const DescribeTrainingJob& command);
  int carry_out(const AwaitTrainingJob& command);
  Answer describe(const std::string& training_job);
  Answer call(const CallService& command);
  fakes::Request s3(boost::beast::http::verb method, const std::string& target) const;
  void sign(fakes::Request& request, const char* service) const;
  // Sends the request, and retries such errors.
  Answer send(const fakes::Request& request);
  Answer received(fakes::Reply reply);
  int told(const Answer& answer);

  Simulation& simulation_;
  Program& program_;
  Stream& random_;
  const fakes::Handler& aws_;
  const std::string region_;
  const std::int64_t upload_bytes_per_second_;
  const Console& console_;
  const std::string machine_;
};

}  // namespace sim::guest
