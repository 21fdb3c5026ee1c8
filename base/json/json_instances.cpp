#include "base/json/json_instances.h"

SPOTSIM_JSON_INSTANCES(, nlohmann::json)
SPOTSIM_JSON_INSTANCES(, nlohmann::ordered_json)
