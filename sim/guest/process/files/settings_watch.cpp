#include "sim/guest/process/files/settings_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/process/system_call.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestSetting = 200;

// Its beginning, as what the log can hold: a guest may write any bytes.
std::string setting_written(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(kLongestSetting, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  while (text.ends_with('\n')) text.pop_back();
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  return text;
}

}  // namespace

SettingsWatch::SettingsWatch()
    : inotify_(base::checked(inotify_init1(IN_NONBLOCK | IN_CLOEXEC), "watching the settings")) {}

void SettingsWatch::watch(const std::string& machine, const fs::path& root,
                          const fs::path& folder) {
  const fs::path path = root / folder;
  const int watch = inotify_add_watch(inotify_.get(), path.c_str(), IN_CLOSE_WRITE | IN_ONLYDIR);
  if (watch < 0 && errno == ENOENT) return;
  folders_[base::checked(watch, "watching " + path.string())] = {machine, root, folder};
}

void SettingsWatch::forget(const std::string& machine) {
  std::erase_if(folders_, [&](const auto& entry) {
    if (entry.second.machine != machine) return false;
    inotify_rm_watch(inotify_.get(), entry.first);  // fails where the folder is gone
    return true;
  });
}

bool SettingsWatch::drain(Time now, EventLog& log) {
  alignas(inotify_event) std::array<char, 4096> part;
  bool any = false;
  for (ssize_t n; (n = read(inotify_.get(), part.data(), part.size())) > 0;) {
    any = true;
    for (std::size_t at = 0; at < static_cast<std::size_t>(n);) {
      inotify_event news{};
      std::memcpy(&news, part.data() + at, sizeof news);
      const std::string name = news.len > 0 ? part.data() + at + sizeof news : "";
      at += sizeof news + news.len;
      const auto folder = folders_.find(news.wd);
      if (folder == folders_.end() || (news.mask & IN_CLOSE_WRITE) == 0) continue;
      const auto& [machine, root, below] = folder->second;
      log.append(events::GuestSetting{.time = now,
                                      .machine = machine,
                                      .path = "/" + (below / name).string(),
                                      .value = setting_written(root / below / name)});
    }
  }
  return any;
}

}  // namespace sim::guest
