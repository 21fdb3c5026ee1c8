// The services whose codecs the round-trip test covers.
#pragma once

#include <string_view>

#include "api/table.h"

namespace api {

// Returns null if there is no such service.
const Service* service_for_test(std::string_view name);

}  // namespace api
