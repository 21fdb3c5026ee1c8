#include "sim/sagemaker/checkpoint_sync.h"

#include <span>
#include <utility>

#include "sim/events/event.h"
#include "sim/sagemaker/transfer.h"

namespace sim::sagemaker {

CheckpointSync::CheckpointSync(Simulation& simulation, EventLog& log, objects::Store& store,
                               Knobs knobs, std::unique_ptr<CheckpointFolder> folder, S3Folder to,
                               std::string instance)
    : simulation_(simulation),
      log_(log),
      store_(store),
      knobs_(knobs),
      folder_(std::move(folder)),
      to_(std::move(to)),
      instance_(std::move(instance)) {
  folder_->look();
}

CheckpointSync::~CheckpointSync() { *alive_ = false; }

void CheckpointSync::start() {
  simulation_.after(knobs_.every, [this, alive = alive_] {
    if (!*alive) return;
    if (simulation_.now() >= done_at_) pass();
    start();
  });
}

void CheckpointSync::pass() {
  const Time looked = simulation_.now();
  CheckpointFolder::News news = folder_->look();
  deleted_.insert(news.deleted.begin(), news.deleted.end());
  const auto times = times_of(news.changed, deleted_.size());
  if (times.empty()) return;
  for (std::size_t i = 0; i < news.changed.size(); ++i) {
    const Change& change = news.changed[i];
    on_the_way_.insert(change.name);
    simulation_.at(looked + times[i], [this, alive = alive_, change] {
      if (*alive) put(change);
    });
  }
  done_at_ = looked + times.back();
  simulation_.at(done_at_, [this, alive = alive_, looked, files = news.changed.size()] {
    if (!*alive) return;
    remove_deleted();
    if (files > 0) tell_synced(looked, files);
  });
}

Duration CheckpointSync::finish() {
  *std::exchange(alive_, std::make_shared<bool>(true)) = false;
  // Unfinished uploads start again, together with new files.
  for (const std::string& name : on_the_way_) folder_->forget(name);
  const CheckpointFolder::News news = folder_->look();
  deleted_.insert(news.deleted.begin(), news.deleted.end());
  for (const Change& change : news.changed) {
    deleted_.erase(change.name);  // it exists again
    put(change);
  }
  const auto times = times_of(news.changed, deleted_.size());
  remove_deleted();
  tell_synced(simulation_.now(), news.changed.size());
  return times.empty() ? Duration{} : times.back();
}

void CheckpointSync::put(const Change& change) {
  on_the_way_.erase(change.name);
  if (!store_.buckets().contains(to_.bucket)) return;
  put_file(store_, to_, change.name, objects::Body(change.bytes));
}

void CheckpointSync::remove_deleted() {
  for (const std::string& name : std::exchange(deleted_, {}))
    if (store_.buckets().contains(to_.bucket)) store_.remove(to_.bucket, to_.key(name));
}

void CheckpointSync::tell_synced(Time looked, std::size_t files) {
  if (!store_.buckets().contains(to_.bucket)) return;
  log_.append(events::SagemakerSynced{.time = simulation_.now(),
                                      .instance_id = instance_,
                                      .looked = iso_nanoseconds(looked),
                                      .uri = "s3://" + to_.bucket + "/" + to_.prefix,
                                      .files = static_cast<std::int64_t>(files)});
}

std::vector<Duration> CheckpointSync::times_of(const std::vector<Change>& uploads,
                                               std::size_t deletions) const {
  std::vector<std::uint64_t> sizes;
  for (const Change& change : uploads) sizes.push_back(change.bytes->size());
  sizes.resize(sizes.size() + deletions);  // which have no bytes
  return arrivals(sizes, knobs_.transfer);
}

void put_file(objects::Store& store, const S3Folder& to, const std::string& name,
              objects::Body body) {
  objects::Digest md5(objects::Algorithm::kMd5);
  objects::each_summed(body, [&](std::span<const char> part) { md5.update(part); });
  objects::Object object;
  object.etag = objects::to_hex(md5.finish());
  object.body = std::move(body);
  store.count_write(to.bucket);
  store.put(to.bucket, to.key(name), std::move(object));
}

}  // namespace sim::sagemaker
