#include "sim/sagemaker/checkpoint_folder.h"

#include <sys/stat.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "base/files/whole_file.h"
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

// The files by their paths in the folder; empty if the folder cannot be read.
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

class FolderOnDisk : public CheckpointFolder {
 public:
  FolderOnDisk(fs::path host, const std::string& name, objects::BodyFile& bytes)
      : host_(std::move(host)), folder_(host_ / name), bytes_(bytes) {}

  News look() override {
    const auto names = is_inside(folder_, host_) ? files_in(folder_) : std::nullopt;
    if (!names) return {};
    News news;
    for (const std::string& name : *names)
      if (auto bytes = look_at(name)) news.changed.push_back({name, std::move(bytes)});
    std::erase_if(files_, [&](const auto& file) {
      const bool is_gone = !names->contains(file.first);
      if (is_gone) news.deleted.push_back(file.first);
      return is_gone;
    });
    return news;
  }

  void forget(const std::string& name) override {
    if (const auto file = files_.find(name); file != files_.end()) file->second = Seen{};
  }

 private:
  // A file at the last look. Its text is compared only if time stamps cannot show a change: two
  // writes between two ticks of the host's clock have the same stamp.
  struct Seen {
    std::int64_t modified = 0, looked = 0;  // nanoseconds of the host's clock
    std::uint64_t size = 0, digest = 0;
  };

  // Null if the file is unchanged.
  std::shared_ptr<const objects::Blob> look_at(const std::string& name) {
    struct stat status {};
    if (stat((folder_ / name).c_str(), &status) != 0) return nullptr;
    const auto before = files_.find(name);
    const std::int64_t modified = nanoseconds(status.st_mtim);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    const bool known = before != files_.end();
    if (known && before->second.modified == modified && before->second.size == size &&
        modified + kTick < before->second.looked)
      return nullptr;
    const std::int64_t looked = host_now();
    const auto text = base::read_file(folder_ / name, base::kNoLimit);
    if (!text) return nullptr;
    const Seen now{modified, looked, text->size(), XXH3_64bits(text->data(), text->size())};
    const bool changed =
        !known || before->second.size != now.size || before->second.digest != now.digest;
    files_[name] = now;
    return changed ? bytes_.keep(*text) : nullptr;
  }

  const fs::path host_, folder_;
  objects::BodyFile& bytes_;
  std::map<std::string, Seen> files_;  // by their path in the folder
};

}  // namespace

std::unique_ptr<CheckpointFolder> checkpoint_folder_on_disk(fs::path host, const std::string& name,
                                                            objects::BodyFile& bytes) {
  return std::make_unique<FolderOnDisk>(std::move(host), name, bytes);
}

}  // namespace sim::sagemaker
