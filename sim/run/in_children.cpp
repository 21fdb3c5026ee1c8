#include "sim/run/in_children.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/process/process.h"
#include "base/process/system_call.h"
#include "sim/run/run.h"

namespace sim::run {
namespace {

constexpr int kLookMilliseconds = 200;  // interval between two checks of `stopped`
// A child that was asked to end has this number of looks to remove what its run has made.
constexpr int kEndMilliseconds = 20, kEndLooks = 250;

struct Child {
  pid_t pid = 0;
  std::size_t piece = 0, place = 0;
  base::FileDescriptor answers;
  std::string answer;
};

// An answer begins with kAnswer or kFailure. A failure's text has kLineBreak in place of line
// feeds.
constexpr char kAnswer = '+', kFailure = '-', kLineBreak = '\v';

std::string answer_of(const ChildWork& work, const Child& child) {
  try {
    return kAnswer + work.work(child.piece, child.place);
  } catch (const std::exception& error) {
    std::string text = kFailure + std::string(error.what());
    std::ranges::replace(text, '\n', kLineBreak);
    return text;
  }
}

[[noreturn]] void work_and_end(const ChildWork& work, const Child& child, int answers) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const std::string answer = answer_of(work, child) + "\n";
  std::size_t sent = 0;
  for (ssize_t n; sent < answer.size(); sent += static_cast<std::size_t>(n))
    if ((n = write(answers, answer.data() + sent, answer.size() - sent)) < 0) break;
  std::fflush(nullptr);
  _exit(sent == answer.size() ? 0 : 1);
}

class Children {
 public:
  explicit Children(const ChildWork& work) : work_(work) {}
  ~Children() { end(); }
  Children(const Children&) = delete;

  std::size_t run() {
    while (true) {
      while (running_.size() < work_.at_once && begun_ < work_.pieces && work_.may_begin())
        begin(begun_++);
      if (running_.empty()) return done_;
      hear();
      if (work_.stopped()) return done_;
      if (work_.overdue && work_.overdue()) return cut_off();
    }
  }

 private:
  std::size_t free_place() const {
    std::size_t place = 0;
    while (std::ranges::find(running_, place, &Child::place) != running_.end()) ++place;
    return place;
  }

  void begin(std::size_t piece) {
    int ends[2];
    base::checked(pipe2(ends, O_CLOEXEC), "a pipe to a run");
    base::FileDescriptor to(ends[1]);
    Child child{.piece = piece, .place = free_place(), .answers = base::FileDescriptor(ends[0])};
    std::fflush(nullptr);
    child.pid = base::checked(fork(), "a process for a run");
    if (child.pid == 0) work_and_end(work_, child, to.get());
    running_.push_back(std::move(child));
  }

  // Waits a short time for answers of the children.
  void hear() {
    std::vector<pollfd> answers;
    for (const Child& child : running_)
      answers.push_back({.fd = child.answers.get(), .events = POLLIN, .revents = 0});
    if (poll(answers.data(), answers.size(), kLookMilliseconds) <= 0) return;
    std::vector<Child> still;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const bool goes_on = answers[i].revents == 0 || more_of(running_[i]);
      if (goes_on)
        still.push_back(std::move(running_[i]));
      else
        ended(running_[i]);
    }
    running_ = std::move(still);
  }

  static bool more_of(Child& child) {
    char part[65536];
    const ssize_t n = read(child.answers.get(), part, sizeof part);
    if (n > 0) child.answer.append(part, static_cast<std::size_t>(n));
    // Another process of the run may still have the pipe open for a moment.
    return !child.answer.ends_with('\n') && (n > 0 || (n < 0 && errno == EINTR));
  }

  void ended(Child& child) {
    int status = 0;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (work_.stopped()) return;
    if (status != 0 || child.answer.size() < 3)
      throw RunError(
          fmt::format("a run's process ended with status {}", base::exit_status(status)));
    child.answer.pop_back();
    const char kind = child.answer.front();
    child.answer.erase(0, 1);
    if (kind == kFailure) {
      std::ranges::replace(child.answer, kLineBreak, '\n');
      throw RunError(child.answer);
    }
    answers_[child.piece] = std::move(child.answer);
    for (auto next = answers_.find(done_); next != answers_.end(); next = answers_.find(done_)) {
      work_.done(done_++, next->second);
      answers_.erase(next);
    }
  }

  std::size_t cut_off() {
    for (const auto& [piece, answer] : std::exchange(answers_, {})) work_.done(piece, answer);
    for (const Child& child : running_)
      if (work_.cut_off) work_.cut_off(child.piece);
    return done_;
  }

  // Ends all children that still run. One that does not look at the signal is killed.
  void end() {
    for (const Child& child : running_) kill(child.pid, SIGTERM);
    for (int looks = 0; std::erase_if(running_, has_ended), !running_.empty(); ++looks) {
      if (looks == kEndLooks)
        for (const Child& child : running_) kill(child.pid, SIGKILL);
      poll(nullptr, 0, kEndMilliseconds);
    }
  }

  static bool has_ended(const Child& child) {
    const pid_t ended = waitpid(child.pid, nullptr, WNOHANG);
    return ended == child.pid || (ended < 0 && errno != EINTR);
  }

  const ChildWork& work_;
  std::vector<Child> running_;
  std::size_t begun_ = 0, done_ = 0;
  std::map<std::size_t, std::string> answers_;  // answers of pieces that wait for an earlier piece
};

}  // namespace

std::size_t in_children(const ChildWork& work) { return Children(work).run(); }

}  // namespace sim::run
