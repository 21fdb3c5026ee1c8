#include "sim/guest/fiber/modelled_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "sim/events/event.h"

namespace sim::guest {
namespace {

// spottrain's exit codes (trainer/loop/train.h).
constexpr int kFinished = 0, kFailed = 1, kBadInput = 2, kStopped = 75, kDiverged = 76,
              kKilled = 128 + SIGTERM;
constexpr Duration kOneRequest = 1s;  // (trainer/loop/stop.h)

std::string checkpoint_name(std::int64_t step) {
  return fmt::format("step-{:010}.safetensors", step);
}

}  // namespace

template <class E>
void ModelledTrainer::write(E event) {
  event.time = setup_.simulation.now();
  event.instance_id = setup_.machine;
  setup_.log.append(event);
}

ModelledTrainer::ModelledTrainer(Setup setup, const TrainerModel& model, Duration step_time,
                                 Hooks hooks)
    : setup_(std::move(setup)), model_(model), step_time_(step_time), hooks_(std::move(hooks)) {
  tiers_.reserve(model_.tiers.size());
  for (std::size_t i = 0; i < model_.tiers.size(); ++i) {
    const CheckpointTier& tier = model_.tiers[i];
    tiers_.push_back(
        {tier, *setup_.checkpoints[i], policies::CheckpointPolicies(model_.policy_of(tier))});
  }
  saver_.emplace(setup_.simulation, model_);
  if (setup_.crashes_after)
    crash_ = setup_.simulation.after(*setup_.crashes_after, [this] { crash(); });
  fiber_.emplace(setup_.simulation, [this] { run(); });
}

ModelledTrainer::~ModelledTrainer() {
  if (crash_) setup_.simulation.cancel(*crash_);
}

void ModelledTrainer::signal(int signal) {
  if (status_) return;
  if (signal != SIGTERM && signal != SIGKILL) return;
  const bool hangs = !fiber_;
  if (hangs && signal == SIGTERM) return;
  const Time now = setup_.simulation.now();
  if (!told_to_stop_at_) told_to_stop_at_ = now;
  if (signal == SIGTERM && now - *told_to_stop_at_ < kOneRequest) return;
  fiber_.reset();
  end(signal == SIGKILL ? spotrun::ExitStatus{.signal = SIGKILL}
                        : spotrun::ExitStatus{.code = kKilled});
}

void ModelledTrainer::hang() {
  if (status_) return;
  if (crash_) setup_.simulation.cancel(*std::exchange(crash_, {}));
  fiber_.reset();
  saver_.reset();
}

void ModelledTrainer::crash() {
  crash_.reset();
  write(events::TrainerCrash{.step = step_});
  fiber_.reset();
  end({.code = kFailed});
}

void ModelledTrainer::end(spotrun::ExitStatus status) {
  if (crash_) setup_.simulation.cancel(*std::exchange(crash_, {}));
  saver_.reset();
  status_ = status;
  hooks_.exited();
}

void ModelledTrainer::run() { end({.code = train()}); }

int ModelledTrainer::train() {
  if (const VolumeModel* const volume = setup_.volume) {
    if (model_.data_bytes > 0 && !volume->content.data) return kBadInput;
    if (volume->reads_fail()) return kFailed;
  }
  restore();
  while (step_ < model_.steps) {
    step();
    if (numbers_lost_) return diverged();
    if (quiet()) continue;
    tell_saves();
    const bool told = told_to_stop_at_.has_value();
    const auto wishes = wanted(told);
    if (!wishes.empty()) checkpoint(wishes);
    if (step_ >= model_.steps) break;
    if (told) return stop();
    if (!wishes.empty() && durable_step() != step_)
      write(events::TrainerCheckpointSnapshot{.step = step_});
    quiet_until_ = next_wish();
  }
  return finish();
}

bool ModelledTrainer::quiet() const {
  const Time now = setup_.simulation.now();
  return now < quiet_until_ && !told_to_stop_at_ && !has_news();
}

bool ModelledTrainer::has_news() const {
  return setup_.spot && setup_.spot->has_news(setup_.simulation.now());
}

Time ModelledTrainer::next_wish() const {
  Time first = Time::max();
  for (const Tier& tier : tiers_) {
    if (tier.safe.step != tier.asked_for.step) return Time::min();
    first = std::min(first, tier.quiet_until);
  }
  return first;
}

int ModelledTrainer::stop() {
  await_saves();
  write(events::TrainerStop{.step = step_, .reason = "SIGTERM"});
  return kStopped;
}

// This state is not saved. A checkpoint that is being written has an earlier state.
int ModelledTrainer::diverged() {
  await_saves();
  write(events::TrainerDiverged{.step = step_, .why = "the loss is not a finite number"});
  return kDiverged;
}

// Saves the end in the nearest place that outlives the instance.
int ModelledTrainer::finish() {
  await_saves();
  const auto last =
      std::ranges::find_if(tiers_, [](const Tier& tier) { return tier.model.outlives_instance(); });
  if (last->asked_for.step != step_)
    checkpoint({{&*last, {.policy = "finished", .size = policies::Save::full}}});
  await_saves();
  if (last->asked_for.step != step_) return kFailed;  // the write failed
  write(events::TrainerFinished{.step = step_});
  return kFinished;
}

void ModelledTrainer::reject_damaged(Tier& tier) {
  auto& kept = tier.place.checkpoints();
  const auto verifies = [&](const KeptCheckpoint& one) {
    return !one.damaged && std::ranges::none_of(kept, [&](const KeptCheckpoint& base) {
      return base.step == one.base && base.damaged;
    });
  };
  while (!kept.empty() && !verifies(kept.back())) {
    const std::string file = checkpoint_name(kept.back().step);
    write(events::TrainerCheckpointRejected{.checkpoint = file,
                                            .why = "it is not what its manifest says"});
    kept.pop_back();
  }
}

void ModelledTrainer::restore() {
  Tier* from = nullptr;
  for (Tier& tier : tiers_) {
    reject_damaged(tier);
    const auto& kept = tier.place.checkpoints();
    if (kept.empty() || (from && kept.back().step <= step_)) continue;
    from = &tier;
    step_ = kept.back().step;
  }
  const auto spend = [this](Duration time) { fiber_->pause_until(setup_.simulation.now() + time); };
  VolumeModel* const volume = setup_.volume;
  if (volume && !std::exchange(volume->data_cached, true)) spend(volume->read(model_.data_bytes));
  if (from) spend(from->place.read_checkpoints(from->place.sizes_to_restore()));
  began_ = setup_.simulation.now();
  for (Tier& tier : tiers_) {
    const KeptCheckpoint* const kept = tier.place.newest();
    const bool older = kept && kept->step < step_;
    tier.safe = tier.asked_for =
        older ? Save{kept->step, kept->at} : Save{kept ? step_ : 0, began_};
  }
  const std::string file = from ? checkpoint_name(step_) : "";
  events::TrainerStart line{.step = step_,
                            .total_steps = model_.steps,
                            .checkpoint = file,
                            .step_seconds = seconds(step_time_),
                            .steps_per_epoch = model_.steps_per_epoch,
                            .folder = setup_.folder};
  if (volume) line.disk = volume->id.value;
  if (from && !one_tier()) line.tier = name(from->model.to);
  write(line);
}

void ModelledTrainer::step() {
  fiber_->pause_until(setup_.simulation.now() + step_time_);
  ++step_;
  write(events::TrainerStep{.step = step_});
}

bool ModelledTrainer::persisting(const Tier& tier) const {
  return saver_->writes_to(tier.place) || tier.place.busy();
}

policies::CheckpointState ModelledTrainer::state_of(const Tier& tier, bool stop) const {
  const Time now = setup_.simulation.now();
  policies::CheckpointState state{.step = step_,
                                  .steps_per_epoch = model_.steps_per_epoch,
                                  .now = now.time_since_epoch(),
                                  .last_checkpoint_step = tier.asked_for.step,
                                  .last_checkpoint_time = tier.asked_for.at.time_since_epoch(),
                                  .persisting = persisting(tier),
                                  .notice = stop,
                                  .step_time = step_time_,
                                  .restart_cost = began_ - setup_.launched,
                                  .remaining_work = (model_.steps - step_) * step_time_,
                                  .since_launch = now - setup_.launched};
  if (tier.measured) {
    state.checkpoint_cost = tier.measured->stall;
    state.persist_time = tier.measured->persist;
    state.checkpoint_bytes = static_cast<std::uint64_t>(model_.checkpoint_bytes);
    state.write_speed =
        static_cast<double>(model_.checkpoint_bytes) / seconds(tier.measured->persist);
  }
  return state;
}

Duration ModelledTrainer::forecast(const Tier& tier) const {
  const Duration write = tier.place.expected_write(model_.checkpoint_bytes);
  if (model_.save_mode == SaveMode::kSync) return write;
  return copy_time(model_, model_.checkpoint_bytes) +
         (tier.model.outlives_instance() ? write : Duration{});
}

std::vector<ModelledTrainer::Wish> ModelledTrainer::wanted(bool stop) {
  const Time now = setup_.simulation.now();
  const bool news = stop || has_news();
  std::vector<Wish> wishes;
  for (Tier& tier : tiers_) {
    if (!news && now < tier.quiet_until) continue;
    if (auto wish = wish_of(tier, stop)) wishes.push_back(std::move(*wish));
  }
  return wishes;
}

std::optional<ModelledTrainer::Wish> ModelledTrainer::wish_of(Tier& tier, bool stop) {
  const Time now = setup_.simulation.now();
  policies::CheckpointState state = state_of(tier, stop);
  if (setup_.spot) setup_.spot->look(now, state);
  if (state.next_interruption) state.next_save = forecast(tier);
  auto save = tier.policies.decide(state);
  const Duration quiet = save ? Duration{} : tier.policies.quiet(state);
  tier.quiet_until = quiet < Time::max() - now ? now + quiet : Time::max();
  const bool refused = tier.place.one_at_a_time() && state.persisting;
  if (!save || tier.asked_for.step == step_ || refused) return {};
  return Wish{&tier, std::move(*save)};
}

KeptCheckpoint ModelledTrainer::next_checkpoint(const Wish& wish) const {
  KeptCheckpoint next{.step = step_, .bytes = model_.checkpoint_bytes, .base = step_};
  const KeptCheckpoint* const base = wish.tier->place.newest_full();
  if (wish.save.size == policies::Save::full || !model_.incremental_bytes || !base) return next;
  next.bytes = *model_.incremental_bytes;
  next.base = base->step;
  return next;
}

void ModelledTrainer::tell_begin(const std::vector<Wish>& wishes) {
  events::TrainerCheckpointBegin line{.step = step_, .reason = wishes.front().save.policy};
  Json tiers;
  if (!one_tier()) {
    for (const Wish& wish : wishes) tiers.push_back(name(wish.tier->model.to));
    line.tiers = tiers;
  }
  write(line);
}

void ModelledTrainer::checkpoint(const std::vector<Wish>& wishes) {
  tell_begin(wishes);
  await_saves();
  const Time begin = setup_.simulation.now();
  std::vector<CheckpointWrite> writes;
  for (const Wish& wish : wishes)
    writes.push_back({&wish.tier->place, wish.tier->model.to, next_checkpoint(wish)});
  saver_->save(writes, *fiber_);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Tier& tier = *wishes[i].tier;
    tier.asked_for = {step_, setup_.simulation.now()};
    tier.begun = begin;
    tier.stall = writes[i].stall;
  }
  tell_saves();
}

void ModelledTrainer::await_saves() {
  saver_->wait(*fiber_);
  tell_saves();
}

void ModelledTrainer::tell_saves() {
  for (Tier& tier : tiers_) {
    for (const ModelledSaver::FailedSave& failed : saver_->take_failures(tier.place)) {
      write(events::TrainerCheckpointFailed{.step = failed.step, .why = failed.why});
      tier.asked_for = tier.safe;
      tier.quiet_until = {};
    }
    if (tier.safe.step == tier.asked_for.step) continue;
    if (tier.place.has_lost(tier.asked_for.step)) {
      write(events::TrainerCheckpointFailed{.step = tier.asked_for.step,
                                            .why = "its snapshot failed"});
      tier.asked_for = tier.safe;
      tier.quiet_until = {};
      continue;
    }
    const KeptCheckpoint* const kept = tier.place.newest();
    if (!kept || kept->step != tier.asked_for.step) continue;
    if (kept->full()) {
      tier.measured = {tier.stall, kept->at - tier.begun};
      tier.quiet_until = {};
    }
    tier.safe = tier.asked_for;
    if (tier.model.outlives_instance()) tell_safe(tier, *kept);
    hooks_.saved();
  }
}

void ModelledTrainer::tell_safe(const Tier& tier, const KeptCheckpoint& kept) {
  const bool elsewhere = !one_tier() || tier.model.to != TierKind::kVolume;
  events::TrainerCheckpointDurable line{.step = kept.step, .bytes = kept.bytes};
  if (!kept.full()) line.base = kept.base;
  if (elsewhere) line.tier = name(tier.model.to);
  write(line);
}

std::int64_t ModelledTrainer::durable_step() const {
  std::int64_t step = -1;
  for (const Tier& tier : tiers_)
    if (tier.model.outlives_instance()) step = std::max(step, tier.safe.step);
  return step;
}

}  // namespace sim::guest
