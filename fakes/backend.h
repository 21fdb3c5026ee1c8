// The state behind the fakes of AWS's services, and the functions that answer requests with it. A
// run and `spotsim serve` each own a Backend. Each service has its handlers in a folder of its own
// (service.h); aws() routes HTTP requests to them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/form.h"
#include "api/written_list.h"
#include "fakes/ecr/registry.h"
#include "fakes/http/http.h"
#include "fakes/http/server.h"
#include "fakes/interference.h"
#include "fakes/ssm/parameter_store.h"
#include "sim/autoscaling/groups.h"
#include "sim/cloud/cloud.h"
#include "sim/elastigroup/elastigroups.h"
#include "sim/events/event_log.h"
#include "sim/iam/account.h"
#include "sim/kernel/random.h"
#include "sim/logs/store.h"
#include "sim/monitoring/cpu_model.h"
#include "sim/objects/store.h"
#include "sim/sagemaker/training_jobs.h"

namespace sim::messaging {
class HttpEndpoints;
}

namespace fakes {

namespace cloudformation {
struct Account;
}
namespace s3 {
struct BucketSettings;
}
namespace fis {
struct Experiments;
}
namespace cloudwatch {
struct Monitoring;
}
struct Messaging;

// The use of a client token. A repeated request gets the answer of the first one.
struct TokenUse {
  api::Parameters parameters;
  std::shared_ptr<const void> response;
};

struct Backend {
  sim::cloud::Cloud& cloud;
  sim::Simulation& simulation;
  sim::EventLog& log;
  const sim::Streams& streams;
  sim::cloud::Latencies latencies;
  bool imds_enabled = true;
  Interference* interference = nullptr;                     // null: none
  sim::messaging::HttpEndpoints* http_endpoints = nullptr;  // SNS posts to them; null: none
  // Results by client token, such as "RunInstances/token". Tokens belong to the account, not to the
  // caller (EC2 API reference, "Ensuring idempotency").
  std::map<std::string, TokenUse> client_tokens = {};
  std::map<std::string_view, api::ElementTexts> element_texts = {};  // by the operation's name
  // S3's buckets. Backends of several regions share them.
  std::shared_ptr<sim::objects::Store> store =
      std::make_shared<sim::objects::Store>(simulation, log, streams);
  sim::objects::Store& objects = *store;
  // By bucket. A bucket whose settings were never requested is missing.
  std::map<std::string, std::shared_ptr<s3::BucketSettings>> bucket_settings = {};
  sim::logs::Store logs{simulation};
  sim::autoscaling::Groups groups{simulation, log, streams, cloud};
  sim::sagemaker::TrainingJobs training{simulation, log, cloud, objects, logs};
  std::map<std::string, std::map<std::string, std::string>> training_tags = {};  // by ARN
  ssm::ParameterStore parameters = {};  // Systems Manager's
  ecr::Registry registry = {};
  // State of the AWS account. Clouds of several regions share it.
  std::shared_ptr<sim::iam::Account> iam =
      std::make_shared<sim::iam::Account>(simulation, streams, cloud.config().account_id);
  sim::elastigroup::Elastigroups elastigroups{simulation, log, streams, cloud};
  std::shared_ptr<cloudformation::Account> stacks = {};     // null before its first call
  std::shared_ptr<Messaging> messaging = {};                // null before its first call
  std::shared_ptr<fis::Experiments> experiments = {};       // null before its first call
  std::shared_ptr<cloudwatch::Monitoring> monitoring = {};  // null before its first call
  // The work of instances, for their CPUUtilization. Empty: nothing runs on them.
  sim::monitoring::FindWork find_work = {};
  sim::monitoring::CpuKnobs cpu = {};
  std::vector<std::string> skipped_resource_types = {};  // types that CloudFormation skips
  // The backends of all regions, beginning with the first one's (regions.h). Empty: only this one.
  std::vector<Backend*> regions = {};
  // Finds the backend of another region of the account, which has a clock of its own; null: there
  // is none. Copies come from there. Empty: the account has no such regions.
  std::function<Backend*(std::string_view region)> elsewhere = {};
  // Bytes that instances and S3 sent to other regions, by the receiving region.
  std::map<std::string, std::uint64_t> sent_to_regions = {};
};

// Whether an operation on a stack is in progress.
bool stacks_in_progress(const Backend& backend);

// The instance metadata service as `instance` sees it at 169.254.169.254:80 (IMDSv1 and v2).
Handler imds(Backend& backend, sim::cloud::InstanceId instance);

// The callers that an endpoint accepts.
enum class Access {
  kSigned,  // callers that name a key, for the region
  // Also callers without a key or of another region; the Host header then decides the service
  // ("ec2.us-west-2.amazonaws.com"), and is EC2 where that names none.
  kAnyone,
  kInProcess  // as kSigned, but no signature is ever verified: `caller` decides who calls
};

// Answers AWS's regional endpoints on one port, and Elastigroup's API, which has its own Host
// header (spotinst/spotinst.h). The SigV4 credential scope, which all AWS SDKs send, decides the
// service. `caller` is the signer's name in the log: an instance ID or "operator".
Handler aws(Backend& backend, std::string caller, Access access = Access::kSigned);
// Settings for a server with aws(): it accepts objects and parts of objects of any length, like S3.
LongUploads long_uploads(const sim::cloud::Latencies& latencies);
// Adds the charges of all services except EC2 to the cloud's bill.
void bill_services(Backend& backend);

}  // namespace fakes
