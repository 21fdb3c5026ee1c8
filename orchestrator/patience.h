// Steps that nobody takes up after us when they fail.
#pragma once

#include "orchestrator/aws/client.h"
#include "orchestrator/context.h"

namespace spotrun {

// What `call` returns. Called again, 15 s apart and ten times in all, while AWS answers with errors
// that can pass (beyond the retries of each request); throws the last one then.
template <class Call>
auto patiently(const Context& context, Call call) {
  for (int tries = 1;; ++tries) {
    try {
      return call();
    } catch (const aws::ApiError& error) {
      if (!error.transient() || tries == 10) throw;
      context.log.say(error.what());
    }
    context.clock.sleep(Duration{15'000});
  }
}

}  // namespace spotrun
