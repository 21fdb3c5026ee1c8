// The filters of DescribeParameters and GetParametersByPath.
#pragma once

#include "api/ssm.h"
#include "fakes/ssm/parameter_store.h"

namespace fakes::ssm {

using Filters = api::List<api::ssm::ParameterStringFilter>;

// The two actions have different filters and options (API reference, ParameterStringFilter).
enum class FiltersOf { kDescribe, kPath };
// Throws ApiError: ValidationException, InvalidFilterKey, InvalidFilterOption, InvalidFilterValue.
void check_filters(const Filters& filters, FiltersOf of);
// True if the version fits all filters.
bool fits(const StoredParameter& parameter, const ParameterVersion& version,
          const Filters& filters);
// The version that filters by label select: the newest one without such a filter. Null if none
// fits.
const ParameterVersion* fitting_version(const StoredParameter& parameter, const Filters& filters);

}  // namespace fakes::ssm
