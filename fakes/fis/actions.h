// The actions of AWS FIS, by resource.
#pragma once

#include "api/fis.h"
#include "fakes/action.h"

namespace fakes::fis {

namespace op = api::fis::op;

// ---- templates.cpp
op::CreateExperimentTemplate::Response create_template(
    Call&, const op::CreateExperimentTemplate::Request&);
op::GetExperimentTemplate::Response get_template(Call&, const op::GetExperimentTemplate::Request&);
op::ListExperimentTemplates::Response list_templates(Call&,
                                                     const op::ListExperimentTemplates::Request&);
op::UpdateExperimentTemplate::Response update_template(
    Call&, const op::UpdateExperimentTemplate::Request&);
op::DeleteExperimentTemplate::Response delete_template(
    Call&, const op::DeleteExperimentTemplate::Request&);

// ---- catalogue.cpp
op::GetAction::Response get_action(Call&, const op::GetAction::Request&);
op::ListActions::Response list_actions(Call&, const op::ListActions::Request&);
op::GetTargetResourceType::Response get_target_type(Call&,
                                                    const op::GetTargetResourceType::Request&);
op::ListTargetResourceTypes::Response list_target_types(
    Call&, const op::ListTargetResourceTypes::Request&);

// ---- runs.cpp
op::StartExperiment::Response start_experiment(Call&, const op::StartExperiment::Request&);
op::StopExperiment::Response stop_experiment(Call&, const op::StopExperiment::Request&);
op::GetExperiment::Response get_experiment(Call&, const op::GetExperiment::Request&);
op::ListExperiments::Response list_experiments(Call&, const op::ListExperiments::Request&);
op::TagResource::Response tag_resource(Call&, const op::TagResource::Request&);
op::UntagResource::Response untag_resource(Call&, const op::UntagResource::Request&);
op::ListTagsForResource::Response list_tags(Call&, const op::ListTagsForResource::Request&);

}  // namespace fakes::fis
