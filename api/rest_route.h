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

// The labels of a path pattern with their values in a path, percent encoded as in the path.
using PathLabels = std::vector<std::pair<std::string_view, std::string_view>>;

// Matches a path with a pattern: "/{Bucket}/{Key+}" matches "/b/a/file", because a label with '+'
// includes slashes. A slash at the end has no effect, except in such a label. Empty if the path
// does not match.
std::optional<PathLabels> match_path(std::string_view pattern, std::string_view path);

// Returns null if no operation matches. If the required parts of several operations are present,
// the one with the most such parts wins. `query` has the parameters of the query string.
const Operation* route_rest(const Service& service, const HttpRequest& request,
                            const Parameters& query);

}  // namespace api
