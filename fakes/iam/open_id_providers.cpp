// OpenID Connect providers. Their keys are never read: STS does not verify the signatures of their
// tokens.
#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

op::CreateOpenIDConnectProvider::Response create_provider(
    Call& call, const op::CreateOpenIDConnectProvider::Request& request) {
  sim::iam::OpenIdProvider provider;
  provider.client_ids = request.client_id_list;
  provider.thumbprints = request.thumbprint_list;
  provider.tags = read_tags(request.tags);
  const auto& made =
      call.backend.iam->create_open_id_provider(request.url.value(), std::move(provider));
  return {.open_id_connect_provider_arn = made.arn, .tags = shown_tags(made.tags)};
}

op::GetOpenIDConnectProvider::Response get_provider(
    Call& call, const op::GetOpenIDConnectProvider::Request& request) {
  const auto& found =
      call.backend.iam->open_id_provider(request.open_id_connect_provider_arn.value());
  op::GetOpenIDConnectProvider::Response response{
      .create_date = timestamp(found.created), .tags = shown_tags(found.tags), .url = found.name};
  response.client_id_list.assign(found.client_ids.begin(), found.client_ids.end());
  response.thumbprint_list.assign(found.thumbprints.begin(), found.thumbprints.end());
  return response;
}

op::ListOpenIDConnectProviders::Response list_providers(
    Call& call, const op::ListOpenIDConnectProviders::Request&) {
  op::ListOpenIDConnectProviders::Response response;
  response.open_id_connect_provider_list.give();
  for (const auto& [name, provider] : call.backend.iam->open_id_providers())
    response.open_id_connect_provider_list.push_back({.arn = provider.arn});
  return response;
}

op::DeleteOpenIDConnectProvider::Response delete_provider(
    Call& call, const op::DeleteOpenIDConnectProvider::Request& request) {
  call.backend.iam->delete_open_id_provider(request.open_id_connect_provider_arn.value());
  return {};
}

op::AddClientIDToOpenIDConnectProvider::Response add_client(
    Call& call, const op::AddClientIDToOpenIDConnectProvider::Request& request) {
  call.backend.iam->add_client_id(request.open_id_connect_provider_arn.value(),
                                  request.client_id.value());
  return {};
}

op::RemoveClientIDFromOpenIDConnectProvider::Response remove_client(
    Call& call, const op::RemoveClientIDFromOpenIDConnectProvider::Request& request) {
  call.backend.iam->remove_client_id(request.open_id_connect_provider_arn.value(),
                                     request.client_id.value());
  return {};
}

op::UpdateOpenIDConnectProviderThumbprint::Response update_thumbprints(
    Call& call, const op::UpdateOpenIDConnectProviderThumbprint::Request& request) {
  call.backend.iam->set_thumbprints(request.open_id_connect_provider_arn.value(),
                                    request.thumbprint_list);
  return {};
}

op::TagOpenIDConnectProvider::Response tag_provider(
    Call& call, const op::TagOpenIDConnectProvider::Request& request) {
  call.backend.iam->tag_open_id_provider(request.open_id_connect_provider_arn.value(),
                                         read_tags(request.tags));
  return {};
}

op::UntagOpenIDConnectProvider::Response untag_provider(
    Call& call, const op::UntagOpenIDConnectProvider::Request& request) {
  call.backend.iam->untag_open_id_provider(request.open_id_connect_provider_arn.value(),
                                           request.tag_keys);
  return {};
}

op::ListOpenIDConnectProviderTags::Response list_tags(
    Call& call, const op::ListOpenIDConnectProviderTags::Request& request) {
  op::ListOpenIDConnectProviderTags::Response response;
  add_tags_page(
      response, request,
      call.backend.iam->open_id_provider(request.open_id_connect_provider_arn.value()).tags);
  return response;
}

}  // namespace

std::vector<ActionRow> open_id_provider_actions() {
  return {action<op::CreateOpenIDConnectProvider, create_provider>(),
          action<op::GetOpenIDConnectProvider, get_provider>(),
          action<op::ListOpenIDConnectProviders, list_providers>(),
          action<op::DeleteOpenIDConnectProvider, delete_provider>(),
          action<op::AddClientIDToOpenIDConnectProvider, add_client>(),
          action<op::RemoveClientIDFromOpenIDConnectProvider, remove_client>(),
          action<op::UpdateOpenIDConnectProviderThumbprint, update_thumbprints>(),
          action<op::TagOpenIDConnectProvider, tag_provider>(),
          action<op::UntagOpenIDConnectProvider, untag_provider>(),
          action<op::ListOpenIDConnectProviderTags, list_tags>()};
}

}  // namespace fakes::iam
