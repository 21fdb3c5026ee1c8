#include "sim/explore/runner.h"

#include <algorithm>

#include "sim/explore/console.h"
#include "sim/guest/fiber/fiber_host.h"

namespace sim::explore {

namespace fs = std::filesystem;

namespace {

// True if a job is expected to survive all of these faults.
bool all_pass(const faults::Plan& plan) {
  return std::ranges::all_of(plan, [](const faults::Fault& fault) {
    const auto* volumes = fault.arguments.find<std::string>("volumes");
    return faults::find_kind(fault.kind)->passes && (!volumes || *volumes == "kept");
  });
}

std::optional<run::Prepared> prepared(const scenario::Scenario& scenario,
                                      std::optional<scenario::GuestKind> guest) {
  if (guest == scenario::GuestKind::kProcess) return {};
  try {
    return run::Prepared(scenario);
  } catch (const run::RunError&) {
    if (guest == scenario::GuestKind::kFiber) throw;
  } catch (const scenario::ScenarioError&) {
    if (guest == scenario::GuestKind::kFiber) throw;
  }
  return {};
}

bool hangs(const faults::Plan& plan) {
  return std::ranges::any_of(plan, [](const faults::Fault& fault) {
    return faults::find_kind(fault.kind)->needs == guest::GuestFault::What::kHang;
  });
}

// True if a broken invariant results from a trainer that hangs. Without a watchdog (the job's
// train.hang_timeout) its instance runs until the limit or an interruption, and the job does not
// answer the notice.
bool is_of_a_hang(const result::Verdict& verdict, const result::Result& result) {
  const bool runs = std::ranges::any_of(result.attempts, [](const result::Attempt& attempt) {
    return attempt.end_reason == "running";
  });
  if (verdict.id == "nothing-runs" || verdict.id == "job-ends")
    return result.outcome != "completed" && runs;
  return verdict.id == "notice-answered";
}

bool stops(const faults::Plan& plan) {
  return std::ranges::any_of(plan, [](const faults::Fault& fault) {
    return faults::find_kind(fault.kind)->target == faults::Target::kStoppableInstance;
  });
}

// True for invariants that a job may break while it waits for an instance that somebody stopped and
// has not started again. Somebody decides when the work continues, so the job may keep its fleets
// and its other instances.
bool is_of_a_stop(const result::Verdict& verdict) {
  return verdict.id == "job-ends" || verdict.id == "nothing-runs";
}

// Reasons why a run may break invariants that other runs may not.
struct Excuse {
  bool hangs = false;         // a trainer
  bool waits = false;         // for the start of a stopped instance
  bool cut_off = false;       // by the search, because it was an EndlessRun
  std::string too_many = {};  // EndlessRun::too_many()
};

// True for claims about the end of a run that the search itself ended.
bool is_of_the_end(const result::Verdict& verdict, const result::Result& result) {
  return verdict.id == "job-ends" || verdict.at == result.start + result.makespan;
}

// True for the verdict that says why the search ended a run with too many instances.
bool ended_by(const result::Verdict& verdict, const Excuse& excuse) {
  return verdict.id == "job-ends" && !excuse.too_many.empty();
}

void add_breaches(const result::Result& result, Excuse excuse,
                  const std::optional<Ignored>& ignored, Tried& tried) {
  tried.outcome = result.outcome;
  for (const result::Verdict& verdict : result.expectations)
    if (!verdict.holds)
      tried.unexpected.push_back(
          {"expectations", "the scenario expects " + verdict.what, verdict.found, {}});
  for (const result::Verdict& verdict : result.invariants) {
    if (verdict.holds || (excuse.hangs && is_of_a_hang(verdict, result)) ||
        (excuse.waits && is_of_a_stop(verdict)) ||
        (excuse.cut_off && is_of_the_end(verdict, result) && !ended_by(verdict, excuse)))
      continue;
    if (verdict.excused()) tried.excused.insert(verdict.id);
    if (ignored ? ignored->contains(verdict.id) : verdict.excused()) continue;
    tried.breaches.push_back({verdict.id, verdict.what,
                              ended_by(verdict, excuse) ? excuse.too_many : verdict.found,
                              verdict.lines});
  }
}

}  // namespace

std::string to_yaml(const PlanText& plan) { return fmt::format("[{}]", fmt::join(plan, ", ")); }

Runner::Runner(scenario::Scenario scenario, std::optional<scenario::GuestKind> guest,
               std::uint64_t seed, std::filesystem::path programs, std::filesystem::path folder,
               const std::atomic<bool>* stop)
    : scenario_(std::move(scenario)),
      prepared_(prepared(scenario_, guest)),
      seed_(seed),
      programs_(std::move(programs)),
      folder_(std::move(folder)),
      stop_(stop) {}

bool Runner::guests_can(guest::GuestFault::What what) const {
  return !fibers() || guest::FiberHost::able(what);
}

fs::path Runner::folder_of(std::size_t place) const {
  return place == 0 ? folder_ : fs::path(fmt::format("{}-{}", folder_.string(), place + 1));
}

void Runner::judge(const Made& made, const faults::Plan& plan, Tried& tried) const {
  const Excuse excuse{.hangs = hangs(plan) || hangs(scenario().faults),
                      .waits = !made.stopped.empty() && (stops(plan) || stops(scenario().faults)),
                      .cut_off = made.report.cut_off,
                      .too_many = made.too_many};
  add_breaches(*made.report.result, excuse, ignored_, tried);
}

faults::Plan Runner::plan_of(const PlanText& text) const {
  faults::Plan plan;
  for (const std::string& fault : text) plan.push_back(scenario::parse_fault(fault, scenario()));
  return plan;
}

Runner::Made Runner::make(const faults::Plan& plan, StrikePoints* points,
                          const fs::path& folder) const {
  Made made;
  std::optional<EndlessRun> endless;
  if (usual_) endless.emplace(*usual_);
  run::RunOptions options{.output = folder,
                          .programs = programs_,
                          .seed = seed_,
                          .guest = scenario::GuestKind::kProcess,
                          .faults = &plan,
                          .must_complete = all_pass(plan) && all_pass(scenario().faults),
                          .stop = stop_};
  options.listen = [this, &made, &endless, points](events::Listeners& log,
                                                   const result::History& history, const auto&) {
    made.print.listen(log);
    log.on<events::InstanceState>([&made](const events::InstanceState& event) {
      if (event.to == "stopping" || event.to == "stopped")
        made.stopped.emplace(event.instance_id);
      else
        made.stopped.erase(std::string(event.instance_id));
    });
    if (points) points->listen(log, history);
    if (!endless) return;
    endless->count_instances(history);
    if (!ignored_ || !ignored_->contains("retries-bounded"))
      endless->listen(log, history, scenario().invariants);
  };
  if (endless) options.enough = [&endless] { return endless->found(); };
  if (prepared_) {
    options.guest = scenario::GuestKind::kFiber;
    options.text = points || !folder.empty() ? LogText::kRendered : LogText::kNone;
  }
  made.report = prepared_ ? prepared_->run(options) : run::run(scenario_, options);
  if (endless && made.report.cut_off) made.too_many = endless->too_many(made.report.launched);
  return made;
}

Tried Runner::run(const PlanText& text, StrikePoints* points, const fs::path& folder) const {
  Tried tried{.plan = text};
  const faults::Plan plan = plan_of(text);
  const fs::path output = fibers() ? fs::path() : folder.empty() ? folder_ : folder;
  try {
    const Made made = make(plan, points, output);
    if (made.report.result) judge(made, plan, tried);
    tried.no_effect = made.report.result && made.print.print() == baseline_;
    if (!fibers() && !tried.breaches.empty())
      tried.console = last_lines(output / "console", {"operator", made.print.newest_instance()});
  } catch (const run::RunError& error) {
    tried.impossible = error.what();
  }
  if (points) tried.struck = points->struck();
  return tried;
}

fs::path Runner::fault_free() const {
  return folder_.empty() ? fs::path() : folder_.parent_path() / kFaultFree;
}

Tried Runner::baseline(StrikePoints& points) {
  Tried tried{.plan = {}};
  const fs::path folder = fault_free();
  const Made made = make({}, &points, folder);
  if (!made.report.result) return tried;
  missing_.clear();
  for (const result::MissingAction& one : made.report.result->missing_actions)
    missing_.push_back(in_words(one, folder));
  judge(made, {}, tried);
  if (!fibers() && !(tried.breaches.empty() && tried.unexpected.empty()))
    tried.console = last_lines(folder / "console", {"operator", made.print.newest_instance()});
  baseline_ = made.print.print();
  usual_ = {made.report.launched, made.report.result->makespan};
  return tried;
}

std::vector<std::string> Runner::console_of(const PlanText& plan) const {
  const Made made = make(plan_of(plan), nullptr, folder_);
  const auto lines = last_lines(folder_ / "console", {"operator", made.print.newest_instance()});
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  return lines;
}

}  // namespace sim::explore
