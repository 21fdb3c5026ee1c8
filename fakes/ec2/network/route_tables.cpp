#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::vpc::Route;
using sim::vpc::RouteTable;
using Values = std::vector<std::string>;

// The values of one member of all associations, or of all routes.
template <class Member>
Values of_associations(const RouteTable& table, Member member) {
  Values values;
  if (!table.main_association.empty()) values.push_back(member(table.main_association, ""));
  for (const auto& [id, subnet] : table.associations) values.push_back(member(id, subnet));
  return values;
}
template <class Member>
Values of_routes(const RouteTable& table, Member member) {
  Values values;
  for (const Route& route : table.routes) values.push_back(member(route));
  return values;
}

bool is_gateway(const Route& route) { return !route.target.starts_with("eni-"); }
// The instance that has the interface to which the route leads; else empty.
std::string instance_of(const Backend& backend, const Route& route) {
  const auto* const interface =
      backend.cloud.network().interfaces.table.first([&](const sim::vpc::Interface& each) {
        return !is_gateway(route) && each.id == route.target;
      });
  return interface ? interface->instance : "";
}
const char* origin(const Route& route) {
  return route.target == "local" ? "CreateRouteTable" : "CreateRoute";
}
std::string state(const Backend& backend, const RouteTable& table, const Route& route) {
  return backend.cloud.network().route_tables.is_active(table, route) ? "active" : "blackhole";
}

constexpr FilterRow<RouteTable> kRouteTableFilters[] = {
    {"association.route-table-association-id",
     [](const RouteTable& t, Backend&) {
       return of_associations(t, [](const auto& id, const auto&) { return id; });
     }},
    {"association.route-table-id",
     [](const RouteTable& t, Backend&) {
       return of_associations(t, [&](const auto&, const auto&) { return t.id; });
     }},
    {"association.subnet-id",
     [](const RouteTable& t, Backend&) {
       return of_associations(t, [](const auto&, const std::string& subnet) { return subnet; });
     }},
    {"association.main",
     [](const RouteTable& t, Backend&) {
       return of_associations(t, [&](const auto& id, const auto&) {
         return std::string(id == t.main_association ? "true" : "false");
       });
     }},
    {"association.gateway-id", no_value<RouteTable>},
    {"owner-id", [](const RouteTable&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"route-table-id", [](const RouteTable& t, Backend&) { return Values{t.id}; }},
    {"route.destination-cidr-block",
     [](const RouteTable& t, Backend&) {
       return of_routes(t, [](const Route& r) { return text(r.destination); });
     }},
    {"route.gateway-id",
     [](const RouteTable& t, Backend&) {
       return of_routes(t, [](const Route& r) { return is_gateway(r) ? r.target : ""; });
     }},
    {"route.instance-id",
     [](const RouteTable& t, Backend& w) {
       return of_routes(t, [&](const Route& r) { return instance_of(w, r); });
     }},
    {"route.origin",
     [](const RouteTable& t, Backend&) {
       return of_routes(t, [](const Route& r) { return std::string(origin(r)); });
     }},
    {"route.state",
     [](const RouteTable& t, Backend& w) {
       return of_routes(t, [&](const Route& r) { return state(w, t, r); });
     }},
    {"route.destination-ipv6-cidr-block", no_value<RouteTable>},
    {"route.destination-prefix-list-id", no_value<RouteTable>},
    {"route.egress-only-internet-gateway-id", no_value<RouteTable>},
    {"route.nat-gateway-id", no_value<RouteTable>},
    {"route.transit-gateway-id", no_value<RouteTable>},
    {"route.vpc-peering-connection-id", no_value<RouteTable>},
    {"vpc-id", [](const RouteTable& t, Backend&) { return Values{t.vpc}; }},
};

aws::Route shown(const Call& call, const RouteTable& table, const Route& route) {
  aws::Route out{.destination_cidr_block = text(route.destination),
                 .origin = origin(route),
                 .state = state(call.backend, table, route)};
  if (is_gateway(route)) {
    out.gateway_id = route.target;
  } else {
    if (const std::string instance = instance_of(call.backend, route); !instance.empty()) {
      out.instance_id = instance;
      out.instance_owner_id = call.cloud.config().account_id;
    }
    out.network_interface_id = route.target;
  }
  return out;
}

aws::RouteTableAssociation shown(const RouteTable& table, const std::string& association,
                                 const std::string& subnet) {
  aws::RouteTableAssociation out{
      .association_state = aws::RouteTableAssociationState{.state = "associated"},
      .main = association == table.main_association,
      .route_table_association_id = association,
      .route_table_id = table.id};
  if (!subnet.empty()) out.subnet_id = subnet;
  return out;
}

aws::RouteTable shown(const Call& call, const RouteTable& table) {
  aws::RouteTable out{.owner_id = call.cloud.config().account_id,
                      .route_table_id = table.id,
                      .tags = shown_tags(table.tags),
                      .vpc_id = table.vpc};
  out.propagating_vgws.give();
  out.associations.give();
  if (!table.main_association.empty())
    out.associations.push_back(shown(table, table.main_association, ""));
  for (const auto& [association, subnet] : table.associations)
    out.associations.push_back(shown(table, association, subnet));
  for (const Route& route : table.routes) out.routes.push_back(shown(call, table, route));
  return out;
}

// The target of the route. Throws unless exactly one is given.
template <class Request>
std::string read_target(const Request& in) {
  std::string target;
  for (const auto& one : {in.gateway_id, in.instance_id, in.network_interface_id}) {
    if (!one) continue;
    if (!target.empty())
      throw ApiError("InvalidParameterCombination",
                     "The request must contain exactly one of gatewayId, instanceId, "
                     "networkInterfaceId");
    target = *one;
  }
  if (target.empty()) throw missing("gatewayId");
  return target;
}

aws::RouteTableAssociationState associated() { return {.state = "associated"}; }

}  // namespace

aws::CreateRouteTableResult create_route_table(Call& call,
                                               const aws::CreateRouteTableRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "route-table");
  const RouteTable& made =
      call.cloud.network().create_route_table(required(request.vpc_id, "vpcId"));
  tag_new(call, made.id, tags);
  return {.route_table = shown(call, made)};
}

op::DeleteRouteTable::Response delete_route_table(Call& call,
                                                  const aws::DeleteRouteTableRequest& request) {
  call.cloud.network().route_tables.remove(required(request.route_table_id, "routeTableId"));
  return {};
}

aws::AssociateRouteTableResult associate_route_table(
    Call& call, const aws::AssociateRouteTableRequest& request) {
  return {.association_id = call.cloud.network().route_tables.associate(
              required(request.route_table_id, "routeTableId"),
              required(request.subnet_id, "subnetId")),
          .association_state = associated()};
}

op::DisassociateRouteTable::Response disassociate_route_table(
    Call& call, const aws::DisassociateRouteTableRequest& request) {
  call.cloud.network().route_tables.disassociate(required(request.association_id, "associationId"));
  return {};
}

aws::ReplaceRouteTableAssociationResult replace_route_table_association(
    Call& call, const aws::ReplaceRouteTableAssociationRequest& request) {
  return {.association_state = associated(),
          .new_association_id = call.cloud.network().route_tables.replace_association(
              required(request.association_id, "associationId"),
              required(request.route_table_id, "routeTableId"))};
}

aws::CreateRouteResult create_route(Call& call, const aws::CreateRouteRequest& request) {
  call.cloud.network().route_tables.add_route(
      required(request.route_table_id, "routeTableId"),
      required(request.destination_cidr_block, "destinationCidrBlock"), read_target(request));
  return {.return_ = true};
}

op::ReplaceRoute::Response replace_route(Call& call, const aws::ReplaceRouteRequest& request) {
  call.cloud.network().route_tables.replace_route(
      required(request.route_table_id, "routeTableId"),
      required(request.destination_cidr_block, "destinationCidrBlock"), read_target(request));
  return {};
}

op::DeleteRoute::Response delete_route(Call& call, const aws::DeleteRouteRequest& request) {
  call.cloud.network().route_tables.remove_route(
      required(request.route_table_id, "routeTableId"),
      required(request.destination_cidr_block, "destinationCidrBlock"));
  return {};
}

aws::DescribeRouteTablesResult describe_route_tables(
    Call& call, const aws::DescribeRouteTablesRequest& request) {
  const Filters<RouteTable> filters(request.filters, kRouteTableFilters, resource_tags<RouteTable>);
  const Page page(request, {.of = "route-tables", .low = 5, .high = 100});
  const auto& tables = call.cloud.network().route_tables.table;
  auto found = filters.of(tables.all(), "route-table-id", call.backend, request.route_table_ids,
                          [&](const auto& id) -> const RouteTable& { return tables.find(id); });
  aws::DescribeRouteTablesResult response{.next_token = page.cut(found)};
  response.route_tables.give();
  for (const RouteTable* table : found) response.route_tables.push_back(shown(call, *table));
  return response;
}

}  // namespace fakes::ec2
