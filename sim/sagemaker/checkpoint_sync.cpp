#include "sim/sagemaker/checkpoint_sync.h"

#include <sys/stat.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "base/whole_file.h"
#include "sim/kernel/event.h"
#include "sim/sagemaker/workspace.h"

namespace sim::sagemaker {
namespace {

namespace fs = std::filesystem;

// Longer than a tick of the clock that file systems stamp with.
constexpr std::int64_t kTick = 50'000'000;

std::int64_t nanoseconds(const timespec& at) { return at.tv_sec * 1'000'000'000 + at.tv_nsec; }

std::int64_t host_now() {
  timespec at{};
  clock_gettime(CLOCK_REALTIME, &at);
  return nanoseconds(at);
}

// By their paths in it; empty where it cannot be read.
std::optional<std::set<std::string>> files_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error))
    if (std::error_code gone; at->is_regular_file(gone) && !at->is_symlink(gone))
      names.insert(at->path().lexically_relative(folder).string());
  if (error) return std::nullopt;
  return names;
}

}  // namespace

CheckpointSync::CheckpointSync(Simulation& simulation, EventLog& log, objects::Store& store,
                               Knobs knobs, fs::path host, const fs::path& name, S3Folder to,
                               std::string instance)
    : simulation_(simulation),
      log_(log),
      store_(store),
      knobs_(knobs),
      host_(std::move(host)),
      folder_(host_ / name),
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
  for (const auto& [name, bytes] : std::exchange(on_the_way_, {}))
    if (const auto file = files_.find(name); file != files_.end()) file->second = Seen{};
  const std::vector<Change> changes = look();
  for (const Change& change : changes) put(change);
  tell_synced(simulation_.now(), changes.size());
  return time_for(changes);
}

// What is new since the last look; what has been deleted is deleted in the bucket, too.
std::vector<CheckpointSync::Change> CheckpointSync::look() {
  std::vector<Change> changes;
  const auto names = is_inside(folder_, host_) ? files_in(folder_) : std::nullopt;
  if (!names) return {};
  for (const std::string& name : *names) {
    struct stat status {};
    if (stat((folder_ / name).c_str(), &status) != 0) continue;
    const auto before = files_.find(name);
    const std::int64_t modified = nanoseconds(status.st_mtim);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    const bool known = before != files_.end();
    if (known && before->second.modified == modified && before->second.size == size &&
        modified + kTick < before->second.looked)
      continue;
    const std::int64_t looked = host_now();
    const auto text = base::read_file(folder_ / name);
    if (!text) continue;
    const Seen now{modified, looked, text->size(), XXH3_64bits(text->data(), text->size())};
    const bool changed =
        !known || before->second.size != now.size || before->second.digest != now.digest;
    files_[name] = now;
    if (changed) changes.push_back({name, store_.bytes_file().keep(*text)});
  }
  for (auto at = files_.begin(); at != files_.end();) {
    if (names->contains(at->first)) {
      ++at;
      continue;
    }
    if (store_.buckets().contains(to_.bucket)) store_.remove(to_.bucket, to_.key(at->first));
    on_the_way_.erase(at->first);
    at = files_.erase(at);
  }
  for (const Change& change : changes) on_the_way_[change.name] = change.bytes;
  return changes;
}

void CheckpointSync::put(const Change& change) {
  if (!files_.contains(change.name)) return;  // deleted since
  if (const auto newest = on_the_way_.find(change.name);
      newest != on_the_way_.end() && newest->second == change.bytes)
    on_the_way_.erase(newest);
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
  objects::each_part(body, [&](std::span<const char> part) { md5.update(part); });
  objects::Object object;
  object.etag = objects::to_hex(md5.finish());
  object.body = std::move(body);
  store.count_write();
  store.put(to.bucket, to.key(name), std::move(object));
}

}  // namespace sim::sagemaker
