// Finds the operation of a rest-json or rest-xml request. Method and path do not always determine
// it: S3's PUT /bucket/key can be four operations. Then certain parameters of the query string, or
// certain headers, distinguish them.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/form.h"
#include "api/http.h"
#include "api/table.h"

namespace api {

// The labels of a path pattern with what stands there in a path, percent encoded as the path is.
using PathLabels = std::vector<std::pair<std::string_view, std::string_view>>;

// "/{Bucket}/{Key+}" matches "/b/a/file": a label with '+' goes over slashes. A slash at the end
// makes no difference, but within such a label. Empty when the path is another.
std::optional<PathLabels> match_path(std::string_view pattern, std::string_view path);

// Null when there is none. Of several operations whose required parts are present, the one with the
// most such parts. `query`: the parameters of the query string.
const Operation* route_rest(const Service& service, const HttpRequest& request,
                            const Parameters& query);

}  // namespace api
