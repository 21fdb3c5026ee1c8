#include "sim/run/run.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/files/file_descriptor.h"
#include "fakes/backend.h"
#include "fakes/fis/fault_injector.h"
#include "policies/checkpoint/policy.h"
#include "sim/cloud/cloud.h"
#include "sim/cloud/log_writer.h"
#include "sim/events/event.h"
#include "sim/faults/engine.h"
#include "sim/kernel/check.h"
#include "sim/monitoring/cpu_model.h"
#include "sim/result/expectations.h"
#include "sim/result/result_of_log.h"
#include "sim/result/working_time.h"
#include "sim/run/account.h"
#include "sim/run/further_regions.h"
#include "sim/run/guests.h"
#include "sim/run/interruption_forecast.h"
#include "sim/run/planned_strikes.h"
#include "sim/run/run_start.h"
#include "sim/run/schedule.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  throw RunError("cannot write " + path.string() + ": " + std::generic_category().message(error) +
                 " (--out names another folder)");
}

// Records a run and writes its log file, if the run has one.
class Record {
 public:
  Record(EventLog& log, const fs::path& folder, const result::InvariantRules& rules)
      : file_(folder.empty() ? folder : folder / "events.jsonl"), result_(rules) {
    if (!file_.empty()) out_.open(file_, std::ios::binary);
    if (!out_) fail_to_write(file_, errno);
    result_.listen(log.listeners());
    if (!out_.is_open()) return;
    log.listeners().on_all(
        [this](const events::AnyEvent&, std::string_view line) { out_ << line << '\n'; });
  }
  void close() {
    if (!out_.is_open()) return;
    out_.close();
    if (!out_) fail_to_write(file_, errno);
  }
  // The result without verdicts on expectations.
  result::Result result() { return result_.result(); }
  const result::Outcome& outcome() const { return result_.outcome(); }
  const result::History& history() const { return result_.history(); }

 private:
  fs::path file_;
  std::ofstream out_;
  result::ResultOfLog result_;
};

result::InvariantRules rules_of(const scenario::Scenario& scenario, const RunOptions& options) {
  result::InvariantRules rules = scenario.invariants;
  rules.must_complete |= options.must_complete;
  return rules;
}

void append_end(EventLog& log, Time now, const result::Outcome& outcome, result::Outcome::End end) {
  const std::string verdict = outcome.verdict(end);
  const auto found = outcome.cause(end);
  const Json cause = found ? result::to_json(*found) : Json(),
             evidence = result::to_json(outcome.evidence());
  events::RunEnd line{.time = now, .outcome = verdict, .evidence = evidence};
  if (found) line.cause = cause;
  log.append(line);
}

// The facts about the job that faults use until the job reports them itself.
faults::JobFacts job_facts_of(const scenario::Scenario& scenario) {
  return {.trainer = scenario.guest.trainer,
          .files = scenario.progress ? scenario.progress->checkpoint_files : "",
          .folder = {},
          .checkpoint = {}};
}

// The world of one run. Members are constructed in the order of their dependencies, and destroyed
// in reverse order.
class OneRun {
 public:
  OneRun(const scenario::Scenario& scenario, const RunOptions& options, const Guests& guests)
      : scenario_(scenario),
        options_(options),
        simulation_(scenario.start),
        streams_(options.seed),
        log_(options.text),
        record_(log_, options.output, rules_of(scenario, options)),
        host_(guests.make(opened(guests.description), log_, streams_, options,
                          [this](const cloud::InstanceId& id) { return forecast_.next(id); })),
        market_(simulation_, log_, {std::shared_ptr<const scenario::Scenario>(), &scenario.prices},
                {scenario.cloud.region, scenario.instance_types, scenario.start}),
        cloud_(simulation_, streams_, market_, *host_, scenario.cloud),
        log_writer_(simulation_, log_),
        forecast_(scenario, cloud_),
        fakes_{cloud_, simulation_, log_, streams_, scenario.latencies},
        further_regions_(scenario, log_, *host_, fakes_) {
    // The observers are called in this order.
    cloud_.observe(log_writer_);
    fakes_.training.set_knobs(scenario.sagemaker);
    fakes_.elastigroups.set_knobs(scenario.elastigroup);
    fakes_.skipped_resource_types = scenario.skipped_resource_types;
    fakes_.cpu = scenario.cpu;
    fakes_.find_work = [this](const cloud::InstanceId& id, Time from, Time to) {
      return work_of(id, from, to);
    };
    further_regions_.share_work(fakes_);
    fakes::bill_services(fakes_);
    open_account(scenario, *fakes_.iam, ClientsClock::kSimulated);
    host_->connect(fakes_);
    static const faults::Plan kNoMore;
    const faults::Plan& more = options.faults ? *options.faults : kNoMore;
    fakes::fis::set_fault_injector(fakes_,
                                   [this]() -> fakes::fis::FaultInjector& { return engine(); });
    if (!scenario.faults.empty() || !more.empty() || !scenario.interruptions.empty()) engine();
    follow(scenario.faults, 0, guests.description.kind);
    follow(more, scenario.faults.size(), guests.description.kind);
    schedule_capacity(scenario, simulation_, log_, cloud_);
    follow(scenario.interruptions, 0, guests.description.kind);
    further_regions_.follow_plans(scenario, *host_, job_facts_of(scenario), further_faults_);
    if (options.listen)
      options.listen(log_.listeners(), record_.history(),
                     [this] { return cloud_.cost_so_far() + further_regions_.cost_so_far(); });
  }

  // Runs to the end. A policy program that ends or answers nonsense becomes a RunError that names
  // the scenario's key.
  RunReport play() {
    try {
      return played();
    } catch (const policies::PolicyFailed& error) {
      record_.close();
      throw RunError(failed_policy(error));
    }
  }

 private:
  monitoring::MachineWork work_of(const cloud::InstanceId& id, Time from, Time to) const {
    const result::History::Instance* const known = record_.history().instance(id.value);
    if (known == nullptr) return {};
    return {.training = result::working_time(*known, from, to),
            .computing = host_->computing_time(id, from, to)};
  }

  // The engine of faults, which is made for the first fault.
  faults::Engine& engine() {
    if (!faults_) {
      faults_ = std::make_unique<faults::Engine>(
          simulation_, log_, streams_, cloud_, *host_, job_facts_of(scenario_),
          [this](const cloud::InstanceId& id, Time at, Duration notice) {
            forecast_.foretell(id, at, notice);
          });
      fakes_.interference = faults_.get();
    }
    return *faults_;
  }

  RunReport played() {
    const result::Outcome::End end = until_the_end();
    if (stopped()) {
      record_.close();
      return {.result = {}, .fingerprint = log_.fingerprint(), .lines = log_.lines()};
    }
    cloud_.close_books();
    const market::Usd total = further_regions_.close_books() + cloud_.ledger().total();
    append_end(log_, simulation_.now(), record_.outcome(), end);
    record_.close();
    RunReport report{.result = record_.result(),
                     .fingerprint = log_.fingerprint(),
                     .lines = log_.lines(),
                     .launched = record_.history().instances.size(),
                     .cut_off = cut_off_};
    SIM_CHECK(report.result->money.total == total);
    report.result->plan = strikes();
    report.result->expectations = result::judge(scenario_.expect, *report.result);
    result::excuse(scenario_.expect, *report.result);
    return report;
  }

  // Callers that add faults through `options`, such as explore, count their strikes themselves.
  std::vector<result::PlannedStrike> strikes() const {
    if (options_.faults) return {};
    std::vector<result::PlannedStrike> all;
    if (faults_) all = planned_strikes(scenario_, faults_->tallies(), record_.history());
    for (auto& strike : further_regions_.strikes(scenario_, further_faults_, record_.history()))
      all.push_back(std::move(strike));
    return all;
  }

  // `before`: how many faults of the scenario precede these.
  void follow(const faults::Plan& plan, std::size_t before, const std::string& guests) {
    if (const auto refused = faults::first_refused(plan, *host_))
      throw RunError(scenario_.file.string() + ": faults[" + std::to_string(before + *refused) +
                     "].kind: found " + plan[*refused].kind + ", expected a kind that " + guests +
                     " guests can have (docs/faults.md)");
    if (!plan.empty()) faults_->follow(plan);
  }

  std::string failed_policy(const policies::PolicyFailed& error) const {
    std::string text = scenario_.file.string() + ": " + key_with_program() + ": at " +
                       iso_seconds(simulation_.now()) + ": " + error.what();
    if (!options_.output.empty())
      text += "; there is no result.json; the log until then is " +
              (options_.output / "events.jsonl").string();
    return text;
  }

  // The scenario key with the program that failed. An operator may also name such a program, as a
  // strategy.
  std::string key_with_program() const {
    const auto& tiers = scenario_.trainer->tiers;
    const auto has_program = [&](const guest::CheckpointTier& tier) {
      return scenario_.trainer->policy_of(tier).find("command:") != std::string::npos;
    };
    const auto has_none = [](const guest::CheckpointTier& tier) { return tier.policy.empty(); };
    if (std::ranges::none_of(tiers, has_program)) return "operator.script";
    return std::ranges::all_of(tiers, has_none) ? "trainer.policy" : "trainer.checkpoint.tiers";
  }

  // Writes the log's first line before parts are built that may write lines.
  Simulation& opened(const GuestDescription& guest) {
    write_run_start(log_, scenario_, options_.seed, guest);
    return simulation_;
  }
  bool stopped() const { return options_.stop && options_.stop->load(); }
  bool enough() const { return options_.enough && options_.enough(); }

  result::Outcome::End until_the_end() {
    bool operator_done = false, at_limit = false;
    simulation_.at(scenario_.start + scenario_.limit, [&] { at_limit = true; });
    host_->run_operator(scenario_.operator_script, scenario_.operator_folder,
                        [&](int) { operator_done = true; });
    const auto over = [&] {
      return operator_done && !is_active(fakes_) && !further_regions_.anything_active() &&
             !(faults_ && faults_->will_start()) &&
             std::ranges::none_of(further_faults_,
                                  [](const auto& one) { return one && one->will_start(); });
    };
    const bool done = host_->run([&] { return stopped() || at_limit || enough() || over(); });
    if (done && over()) return result::Outcome::End::kAllDown;
    cut_off_ = done && !at_limit && enough();
    return done ? result::Outcome::End::kLimit : result::Outcome::End::kNothingCanHappen;
  }

  const scenario::Scenario& scenario_;
  const RunOptions& options_;
  Simulation simulation_;
  Streams streams_;
  EventLog log_;
  Record record_;
  // Records the effect of faults until the guests have ended.
  std::unique_ptr<faults::Engine> faults_;
  FurtherRegions::Engines further_faults_;
  std::shared_ptr<guest::GuestHost> host_;
  market::Market market_;
  cloud::Cloud cloud_;
  cloud::LogWriter log_writer_;
  InterruptionForecast forecast_;
  fakes::Backend fakes_;
  FurtherRegions further_regions_;
  bool cut_off_ = false;
};

void write_result(const result::Result& result, const fs::path& file) {
  std::ofstream out(file);
  out << result::to_json(result).dump(2) << '\n';
  out.close();
  if (!out) fail_to_write(file, errno);
}

// Makes the folder and locks it for this run. The lock ends with the descriptor, also if the
// process dies.
base::FileDescriptor make_folder(const fs::path& output) {
  std::error_code error;
  fs::create_directories(output, error);
  if (error) fail_to_write(output, error.value());
  base::FileDescriptor lock(open(output.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock) fail_to_write(output, errno);
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw RunError(output.string() +
                   ": found another run that is writing there, expected a folder for this run "
                   "alone (--out names another folder)");
  // Removes the result of an earlier run. Otherwise it would remain beside an incomplete log of
  // this run.
  fs::remove(output / "result.json", error);
  // Removes consoles and kept files of an earlier run, because its machines had other names.
  if (!fs::exists(output / "events.jsonl", error)) return lock;
  for (const char* folder : {"console", "files"}) fs::remove_all(output / folder, error);
  return lock;
}

RunReport run_with(const Guests& guests, const scenario::Scenario& scenario,
                   const RunOptions& options) {
  base::FileDescriptor lock;
  if (!options.output.empty()) lock = make_folder(options.output);
  if (options.say)
    for (const std::string& text : guests.told) options.say(text);
  OneRun made(scenario, options, guests);
  RunReport report = made.play();
  if (report.result && !options.output.empty())
    write_result(*report.result, options.output / "result.json");
  return report;
}

}  // namespace

RunReport run(const scenario::Scenario& scenario, const RunOptions& options) {
  const bool fibers = options.guest.value_or(scenario.guest.kind) == scenario::GuestKind::kFiber;
  const Guests guests = fibers ? fiber_guests(scenario) : process_guests(scenario, options);
  return run_with(guests, scenario, options);
}

Prepared::Prepared(scenario::Scenario scenario)
    : scenario_(std::make_unique<const scenario::Scenario>(std::move(scenario))),
      guests_(std::make_unique<const Guests>(fiber_guests(*scenario_))) {}
Prepared::~Prepared() = default;
Prepared::Prepared(Prepared&&) noexcept = default;
Prepared& Prepared::operator=(Prepared&&) noexcept = default;

RunReport Prepared::run(const RunOptions& options) const {
  return run_with(*guests_, *scenario_, options);
}

}  // namespace sim::run
