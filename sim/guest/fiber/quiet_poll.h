// Polls that find nothing need not be made. A program that waits, looks, and waits again as long
// does the same until something that it looks at changes; so the looks in between are skipped, and
// the wait ends where the first look that would find something begins.
#pragma once

#include <cstdint>

#include "sim/kernel/time.h"

namespace sim::guest {

class QuietPoll {
 public:
  // ---- what the program does
  // A wait for the trainer ended by its time.
  void timed_out(Time now, Duration timeout) {
    quiet_ = true, timeout_ = timeout, ended_ = now, seen_ = changes_;
  }
  // Anything but asking the metadata service for what is not there.
  void acted() { quiet_ = false; }

  // ---- what it looks at
  // Something new is in the instance's metadata.
  void changed() { ++changes_; }
  bool has_changed() const { return seen_ != changes_; }

  // Whether a wait that begins now is the same as the last one, with nothing found in between.
  bool repeats(Duration timeout) const {
    return quiet_ && timeout == timeout_ && !has_changed() && timeout > Duration{};
  }
  // Waits and looks as they would be, from a wait that begins at `begin`.
  class Rhythm {
   public:
    Rhythm(Time begin, Duration timeout, Duration look)
        : begin_(begin), timeout_(timeout), look_(look) {}
    // The beginning of the first look that sees at its end what is there at t.
    Time first_look_after(Time t) const {
      const Duration past = t - begin_ - timeout_ - look_, cycle = timeout_ + look_;
      const auto cycles = past <= Duration{} ? 0 : (past + cycle - Duration{1}) / cycle;
      return begin_ + cycles * cycle + timeout_;
    }
    // When the wait at t, or the wait after the look at t, would notice that it is over.
    Time noticed(Time t) const {
      const Duration cycle = timeout_ + look_, into = (t - begin_) % cycle;
      return into <= timeout_ ? t : t + (cycle - into);
    }

   private:
    Time begin_;
    Duration timeout_, look_;
  };
  Rhythm rhythm(Time begin) const { return {begin, timeout_, begin - ended_}; }

 private:
  bool quiet_ = false;
  Duration timeout_{};
  Time ended_{};
  std::uint64_t changes_ = 0, seen_ = 0;
};

}  // namespace sim::guest
