// The actions of SageMaker: training jobs and their tags.
#pragma once

#include "api/sagemaker.h"
#include "fakes/action.h"
#include "sim/sagemaker/job.h"

namespace fakes::sagemaker {

namespace op = api::sagemaker::op;

// ---- create.cpp
op::CreateTrainingJob::Response create_training_job(Call&, const op::CreateTrainingJob::Request&);
// Checks the request and returns the part that the model uses. Throws ApiError ValidationException,
// and UnsupportedOperation for unsupported features of training jobs.
sim::sagemaker::JobSpec spec_of(const op::CreateTrainingJob::Request&);

// ---- training_jobs.cpp
op::DescribeTrainingJob::Response describe_training_job(Call&,
                                                        const op::DescribeTrainingJob::Request&);
op::ListTrainingJobs::Response list_training_jobs(Call&, const op::ListTrainingJobs::Request&);
op::StopTrainingJob::Response stop_training_job(Call&, const op::StopTrainingJob::Request&);

// ---- tags.cpp
op::AddTags::Response add_tags(Call&, const op::AddTags::Request&);
op::DeleteTags::Response delete_tags(Call&, const op::DeleteTags::Request&);
op::ListTags::Response list_tags(Call&, const op::ListTags::Request&);

}  // namespace fakes::sagemaker
