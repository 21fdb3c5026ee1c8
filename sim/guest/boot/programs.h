// The user's programs, started in the guest by its first process.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sim::guest::boot {

using Environment = std::map<std::string, std::string>;

// Starts the programs of user data one after another and waits for each, as cloud-init does. The
// first failure determines the exit status of the guest's boot.
class Programs {
 public:
  // `started` is called before the first program starts. From now on SIGTERM ends the programs, and
  // this process when they have ended.
  Programs(Environment environment, std::function<void()> started);

  // Waits for the program's end and returns its status as a shell does. The status is 127 if the
  // program cannot be started, and 126 if the file is not a program. argv[0] is a path or is
  // searched in PATH.
  int run(const std::vector<std::string>& argv, const Environment& more = {});
  // The same, but the output goes to a string instead of the console.
  int run_quietly(const std::vector<std::string>& argv, std::string& output,
                  const Environment& more = {});

  bool killed() const { return killed_; }  // the last program was ended by a signal
  bool stopped() const;                    // by SIGTERM: nothing more shall start
  int first_failure() const { return failure_; }
  void failed(int status) {
    if (failure_ == 0) failure_ = status;
  }

 private:
  int start_and_wait(const std::vector<std::string>& argv, const Environment& more, int output);

  Environment environment_;
  std::function<void()> started_;
  int failure_ = 0;
  bool killed_ = false;
};

}  // namespace sim::guest::boot
