// aws-cli and curl on a modelled machine: their requests go to the fakes' handlers, as they would
// send them.
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
  // All outlive it. `aws` answers what `machine` sends, for the region.
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

  // From inside the program's fiber. The exit status: 0; 254 where AWS refuses; 255 where it
  // does not answer, and where a wait ends otherwise than it should; 1 of a list without objects.
  int run(const AwsCommand& command);
  // 22 where the API refuses, as with --fail; 28 where it does not answer.
  int run(const CurlCommand& command);

 private:
  struct Answer {
    int status = 0;  // 0: none came in time
    std::string body;
    bool ok() const { return status != 0 && status < 300; }
    // What a client tries again (AWS SDKs reference guide, "Retry behavior", mode legacy).
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
  // Tries again what passes.
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
