// SageMaker's training jobs: instances on the same market as EC2's, containers on them, data and
// checkpoints in the account's buckets.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/events/event_log.h"
#include "sim/kernel/simulation.h"
#include "sim/logs/store.h"
#include "sim/objects/store.h"
#include "sim/sagemaker/checkpoint_sync.h"
#include "sim/sagemaker/job.h"
#include "sim/sagemaker/knobs.h"

namespace sim::sagemaker {

// All training jobs of the account. fakes/sagemaker checks requests and calls this class. For each
// job it launches instances of the cloud, runs containers on them through the cloud's Host, and
// copies data, checkpoints and the model between buckets and hosts. It restarts a spot job after an
// interruption.
class TrainingJobs : public cloud::Observer {
 public:
  // All arguments outlive it. Containers' output goes to the log group and stream that SageMaker
  // uses: /aws/sagemaker/TrainingJobs, JOB/algo-N-SECONDS.
  TrainingJobs(Simulation&, EventLog&, cloud::Cloud&, objects::Store&, logs::Store&);
  ~TrainingJobs() override;

  void set_knobs(const Knobs& knobs) { knobs_ = knobs; }

  // Throws ApiError: ResourceInUse, and ValidationException for an impossible job.
  const Job& create(JobSpec spec);
  // Throws ValidationException if the job does not exist or has ended.
  void stop(const std::string& name);
  // Throws ValidationException ("Requested resource not found.") if the job does not exist.
  const Job& job(const std::string& name) const;
  std::vector<const Job*> jobs() const;  // in the order of creation
  bool any_active() const;               // whether a job has not ended
  // Called after each change of a job's status or message.
  void on_change(std::function<void(const Job&)> hear) { changed_.push_back(std::move(hear)); }

  // ---- cloud::Observer
  void booted(const cloud::Instance&) override;
  void instance_state(const cloud::Instance&, std::optional<cloud::InstanceState> from) override;

 private:
  struct Host;
  struct Work;

  void later(Work& work, Duration d, void (TrainingJobs::*step)(Work&));
  void change(Work& work, const std::string& status, const std::string& message);
  void launch(Work& work);
  void download(Work& work);
  void pull_image(Work& work);
  void train(Work& work);
  bool start_container(Work& work, Host& host);
  void exited(Work& work, Host& host, int status);
  void stop_containers(Work& work);
  void upload(Work& work);
  Duration upload_folder(Work& work, Host& host, const std::string& folder,
                         const std::string& name);
  void interrupted(Work& work);
  void lost(Work& work);
  void limit(Work& work, const std::string& status, const std::string& message);
  void fail(Work& work, const std::string& reason);
  void end(Work& work);
  void let_go(Work& work);
  void bill(Work& work) const;
  // The price of an ml. instance as a multiple of EC2's.
  double price_factor(const Job& job) const;
  Work* work_of(const cloud::Instance& instance);

  Simulation& simulation_;
  EventLog& log_;
  cloud::Cloud& cloud_;
  objects::Store& store_;
  logs::Store& logs_;
  Knobs knobs_;
  std::map<std::string, std::unique_ptr<Work>> jobs_;  // by name
  std::vector<const Job*> order_;
  std::map<cloud::InstanceId, Work*> of_instance_;
  std::vector<std::function<void(const Job&)>> changed_;
};

}  // namespace sim::sagemaker
