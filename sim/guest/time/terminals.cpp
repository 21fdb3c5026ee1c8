#include "sim/guest/time/terminals.h"

#include <poll.h>

#include "sim/guest/time/guest_task.h"

namespace sim::guest {

void Terminals::unlocked(pid_t process, int master) {
  if (base::FileDescriptor opened = open_process(process))
    masters_.push_back({std::move(opened), master});
}

void Terminals::hand_on() {
  std::erase_if(masters_, [](const Master& master) {
    const base::FileDescriptor file = duplicate(master.process.get(), master.descriptor);
    pollfd wanted{file.get(), POLLIN, 0};
    return !file || ::poll(&wanted, 1, 0) < 0;
  });
}

}  // namespace sim::guest
