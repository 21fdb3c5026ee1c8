#include "trainer/checkpoint/folder_storage.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>

#include "base/files/whole_file.h"
#include "trainer/checkpoint/store.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

// Takes the folder's lock. The kernel releases it with the process.
base::FileDescriptor lock_folder(const fs::path& folder) {
  base::FileDescriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) throw std::system_error(errno, std::generic_category(), "open " + folder.string());
  if (flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return fd;
  const bool busy = errno == EWOULDBLOCK;
  throw std::system_error(errno, std::generic_category(),
                          (busy ? "another trainer uses " : "lock ") + folder.string());
}

void remove_temporary_files(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() < 5 || !name.starts_with('.') || !name.ends_with(".tmp")) continue;
    const std::string target = name.substr(1, name.size() - 5);
    if (step_of_checkpoint(target) || step_of_manifest(target)) fs::remove(entry.path());
  }
}

}  // namespace

std::unique_ptr<Storage> FolderStorage::for_training(fs::path folder) {
  auto storage = std::make_unique<FolderStorage>(std::move(folder));
  const fs::path& path = storage->path_;
  if (fs::create_directories(path)) base::sync_folder(fs::absolute(path).parent_path());
  storage->lock_ = lock_folder(path);
  remove_temporary_files(path);
  return storage;
}

std::string FolderStorage::name() const { return fs::absolute(path_).lexically_normal().string(); }

std::vector<std::string> FolderStorage::names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  return names;
}

std::string FolderStorage::read(const std::string& name, std::uint64_t most_bytes) {
  return base::read_regular_file(path_ / name, most_bytes);
}

std::uint64_t FolderStorage::store(const Checkpoint& checkpoint) {
  return store_checkpoint(path_, checkpoint);
}

void FolderStorage::remove(const std::string& name) { fs::remove(path_ / name); }

}  // namespace spottrain
