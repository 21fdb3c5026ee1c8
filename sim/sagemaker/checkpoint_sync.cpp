#include "sim/sagemaker/checkpoint_sync.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/kernel/event.h"

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
  look();
  on_the_way_.clear();
}

CheckpointSync::~CheckpointSync() { *alive_ = false; }

void CheckpointSync::start() {
  simulation_.after(knobs_.every, [this, alive = alive_] {
    if (!*alive) return;
    const Time looked = simulation_.now();
    const std::vector<Change> changes = look();
    for (const Change& change : changes) {
      const Time begin = std::max(simulation_.now(), free_at_);
      free_at_ = begin + time_for({change});
      simulation_.at(free_at_, [this, alive, change] {
        if (*alive) put(change);
      });
    }
    if (!changes.empty())
      simulation_.at(free_at_, [this, alive, looked, files = changes.size()] {
        if (*alive) tell_synced(looked, files);
      });
    start();
  });
}

Duration CheckpointSync::finish() {
  *std::exchange(alive_, std::make_shared<bool>(true)) = false;
  // What was on its way comes again, with what is new.
  for (const auto& [name, bytes] : std::exchange(on_the_way_, {})) folder_->forget(name);
  const std::vector<Change> changes = look();
  for (const Change& change : changes) put(change);
  tell_synced(simulation_.now(), changes.size());
  return time_for(changes);
}

// What is new since the last look; what has been deleted is deleted in the bucket, too.
std::vector<CheckpointSync::Change> CheckpointSync::look() {
  CheckpointFolder::News news = folder_->look();
  for (const std::string& name : news.deleted) {
    if (store_.buckets().contains(to_.bucket)) store_.remove(to_.bucket, to_.key(name));
    on_the_way_.erase(name);
  }
  for (const Change& change : news.changed) on_the_way_[change.name] = change.bytes;
  return std::move(news.changed);
}

void CheckpointSync::put(const Change& change) {
  const auto newest = on_the_way_.find(change.name);
  if (newest == on_the_way_.end()) return;  // deleted since
  if (newest->second == change.bytes) on_the_way_.erase(newest);
  if (!store_.buckets().contains(to_.bucket)) return;
  put_file(store_, to_, change.name, objects::Body(change.bytes));
}

void CheckpointSync::tell_synced(Time looked, std::size_t files) {
  if (!store_.buckets().contains(to_.bucket)) return;
  log_.append(simulation_.now(), "sagemaker.synced",
              {{"instance_id", instance_},
               {"looked", iso_nanoseconds(looked)},
               {"uri", "s3://" + to_.bucket + "/" + to_.prefix},
               {"files", files}});
}

Duration CheckpointSync::time_for(const std::vector<Change>& changes) const {
  double bytes = 0;
  for (const Change& change : changes) bytes += static_cast<double>(change.bytes->size());
  return from_seconds(bytes / static_cast<double>(knobs_.bytes_per_second));
}

void put_file(objects::Store& store, const S3Folder& to, const std::string& name,
              objects::Body body) {
  objects::Digest md5(objects::Algorithm::kMd5);
  objects::each_summed(body, [&](std::span<const char> part) { md5.update(part); });
  objects::Object object;
  object.etag = objects::to_hex(md5.finish());
  object.body = std::move(body);
  store.count_write();
  store.put(to.bucket, to.key(name), std::move(object));
}

}  // namespace sim::sagemaker
