#include "client/production/environment.h"

#include <cstdlib>
#include <memory>
#include <random>

namespace client {

Environment process_environment() {
  return [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
}

RandomBits system_random() {
  // By a system call: the default may be an instruction of the processor, which no host of the
  // program can make repeatable.
  const auto device = std::make_shared<std::random_device>("getentropy");
  return [device] { return (*device)(); };
}

}  // namespace client
