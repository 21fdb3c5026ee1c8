// Which operation a request of rest-json or rest-xml is for: by method, path, and the parts of
// query string and headers that tell operations of one path apart (S3's PUT /bucket/key is four).
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

// Null when there is none. Of several operations the one whose required parts are there, and most
// of them. `query`: the parameters of the query string.
const Operation* route_rest(const Service& service, const HttpRequest& request,
                            const Parameters& query);

}  // namespace api
