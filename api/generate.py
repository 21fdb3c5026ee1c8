#!/usr/bin/python3
"""Writes the C++ structs and tables of some actions of an AWS service, from its service model.

    generate.py --models BOTOCORE_DATA --actions actions/ec2.txt --out DIR

The file of actions, named as the service, has rows

    DescribeVolumes: VolumeIds Filters MaxResults NextToken
    CreateVolume: AvailabilityZone Size; ignored ClientToken
    shape Filter: Name Values

An action's row names the members of its request that the handler reads, and after `ignored` those
that have no effect here. A request with any other member is refused. `shape` does the same for a
structure inside requests. `*` stands for all members, and a row `everything` for a `*` at every
structure without a row. If only requests contain a structure, its C++ struct has no other members,
so that a handler cannot depend on a value that never arrives. `; sent Iops` adds members that a
client of the real AWS sends, although they are refused here. `open InstanceType` allows an
enumeration to have values that the model lacks, if it grows faster than models are installed.
`optional CreateTagsRequest.Resources` leaves the check of a required member to the handler, if AWS
has words of its own for a request without it.

    new DeleteObjectRequest.IfMatch: header If-Match ETag

adds a member that newer models have to a structure of an older one: its location (header,
querystring or body), its name on the wire, and a shape of the model that has its type. A model that
has the member stays as it is.

    also json AmazonSQS 1.0 com.amazonaws.sqs

adds tables of the same structs for a protocol that newer clients of a query service speak: AWS JSON
with this prefix of targets, this version and this namespace of errors (Smithy's trait
awsQueryCompatible). They are json::kService.

Writes DIR/ec2.h (structs) and DIR/ec2.cpp (the tables of api/table.h)."""
import argparse
import gzip
import json
import pathlib
import re
import sys

CPP_WORDS = set("""and asm auto bool break case catch char class const continue default delete do
double else enum explicit export extern false float for friend goto if inline int long mutable
namespace new not operator or private protected public register return short signed sizeof static
struct switch template this throw true try typedef typeid typename union unsigned using virtual void
volatile while xor major minor unix linux errno stdin stdout""".split())
SCALARS = {"string": "std::string", "character": "std::string", "blob": "std::string",
           "boolean": "bool", "integer": "std::int64_t", "long": "std::int64_t",
           "float": "double", "double": "double", "timestamp": "Timestamp"}
PROTOCOLS = {"ec2": "kEc2", "query": "kQuery", "json": "kJson", "rest-json": "kRestJson",
             "rest-xml": "kRestXml"}
BODY_TIMES = {"ec2": "iso8601", "query": "iso8601", "rest-xml": "iso8601",
              "json": "unixTimestamp", "rest-json": "unixTimestamp"}
TIMES = {"iso8601": "kIso8601", "rfc822": "kRfc822", "unixTimestamp": "kUnix"}
LOCATIONS = {None: "kBody", "header": "kHeader", "headers": "kHeaders", "uri": "kUri",
             "querystring": "kQuery", "statusCode": "kStatus"}
# The root elements of S3's responses (S3 API reference), which models from before 2023 lack.
S3_ROOTS = {"ListObjectsV2": "ListBucketResult", "ListObjects": "ListBucketResult",
            "DeleteObjects": "DeleteResult", "ListObjectVersions": "ListVersionsResult",
            "ListBuckets": "ListAllMyBucketsResult", "GetBucketTagging": "Tagging",
            "ListMultipartUploads": "ListMultipartUploadsResult", "GetObjectTagging": "Tagging",
            "ListParts": "ListPartsResult",
            "CreateMultipartUpload": "InitiateMultipartUploadResult",
            "CompleteMultipartUpload": "CompleteMultipartUploadResult",
            "GetBucketLocation": "LocationConstraint",
            "GetBucketVersioning": "VersioningConfiguration",
            "GetBucketCors": "CORSConfiguration", "GetBucketWebsite": "WebsiteConfiguration",
            "GetBucketNotificationConfiguration": "NotificationConfiguration",
            "GetBucketLogging": "BucketLoggingStatus",
            "GetBucketRequestPayment": "RequestPaymentConfiguration",
            "GetBucketAccelerateConfiguration": "AccelerateConfiguration",
            "GetBucketLifecycleConfiguration": "LifecycleConfiguration",
            "GetBucketAcl": "AccessControlPolicy", "GetObjectAcl": "AccessControlPolicy",
            "GetObjectAttributes": "GetObjectAttributesResponse"}
# Members that are the text of their element, which no model shows: <LocationConstraint>…</…>.
TEXTS = {("s3", "GetBucketLocationOutput", "LocationConstraint")}
# Types that newer models have changed, in the form that handlers use.
TYPES = {("s3", "Expires"): "timestamp"}


def snake(name):
    """VolumeId: volume_id; VPCZoneIdentifier: vpc_zone_identifier; PolicyARNs: policy_arns;
    SizeInMiB: size_in_mib; DefaultVCpus: default_vcpus."""
    name = re.sub("(MiB|GiB|VCpu)", lambda match: match[1].capitalize(), name)
    name = re.sub(r"([A-Z]{2,})s$", lambda match: "_" + match[1].lower() + "s", name)
    name = re.sub(r"([^_])([A-Z][a-z]+)", r"\1_\2", name)
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()
    name = re.sub(r"[-.]", "_", name).strip("_")
    return name + "_" if name in CPP_WORDS else name


def pascal(name):
    return name[0].upper() + name[1:]


def quoted(text):
    return json.dumps(text)


class Support:
    """The file of actions: for each action and shape, the members that are read and ignored."""

    def __init__(self, path):
        self.path, self.actions, self.shapes, self.open = path, {}, {}, set()
        self.optional = set()  # "SHAPE.MEMBER"
        self.everything, self.new, self.also_json = False, [], None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.partition("#")[0].strip()
            if not line:
                continue
            if line.startswith("open "):
                self.open.add(line.removeprefix("open "))
                continue
            if line.startswith("optional "):
                self.optional.add(line.removeprefix("optional "))
                continue
            if line == "everything":
                self.everything = True
                continue
            if line.startswith("also json "):
                self.also_json = line.removeprefix("also json ").split()
                if len(self.also_json) != 3:
                    sys.exit(f"{path}:{number}: expected also json TARGET VERSION NAMESPACE, "
                             f"found {line}")
                continue
            name, colon, members = line.partition(":")
            if name.startswith("new "):
                found = re.fullmatch(
                    r"new (\w+)\.(\w+): (header|querystring|body) (\S+) (\w+)", line)
                if not found:
                    sys.exit(f"{path}:{number}: expected new SHAPE.MEMBER: LOCATION NAME TYPE, "
                             f"found {line}")
                self.new.append((number, *found.groups()))
                continue
            if not colon:
                sys.exit(f"{path}:{number}: expected ACTION: members, found {line}")
            read, *more = (part.split() for part in members.split(";"))
            lists = {"ignored": [], "sent": []}
            for word, *names in more:
                if word not in lists:
                    sys.exit(f"{path}:{number}: expected ignored or sent, found {word}")
                lists[word] = names
            into = self.shapes if name.startswith("shape ") else self.actions
            name = name.removeprefix("shape ").strip()
            if name in into:
                sys.exit(f"{path}:{number}: {name} comes twice")
            into[name] = (number, read, lists["ignored"], lists["sent"])

    def add_new(self, model):
        """Adds the members that newer models have and this model lacks."""
        for number, shape, member, location, wire, kind in self.new:
            for name in (shape, kind):
                if name not in model.shapes:
                    sys.exit(f"{self.path}:{number}: the model has no shape {name}")
            place = {} if location == "body" else {"location": location}
            members = model.shapes[shape]["members"]
            members.setdefault(member, {"shape": kind, "locationName": wire, **place})

    def check(self, model):
        for rows in (self.actions, self.shapes):
            for name, (number, *lists) in rows.items():
                shape = model.operations[name]["input"]["shape"] if rows is self.actions else name
                if shape not in model.inputs:
                    sys.exit(f"{self.path}:{number}: {name} is no structure of these requests")
                known = model.shapes[shape].get("members", {})
                for member in sum(lists, []):
                    if member != "*" and member not in known:
                        sys.exit(f"{self.path}:{number}: {name} has no member {member}; "
                                 f"it has {', '.join(known)}")


class Model:
    """The part of a service model that the actions use."""

    def __init__(self, models, support):
        self.support, self.name = support, support.path.stem
        folder = sorted(p for p in (models / self.name).iterdir() if list(p.glob("service-2*")))[-1]
        path = next(iter(folder.glob("service-2.json*")))
        raw = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
        model = json.loads(raw)
        self.meta, self.shapes = model["metadata"], model["shapes"]
        self.protocol = self.meta["protocol"]
        for (service, name), kind in TYPES.items():
            if service == self.name and name in self.shapes:
                self.shapes[name]["type"] = kind
        self.cpp_name = self.name.replace("-", "_")
        # A structure of this name hides the table's type.
        self.service_type = "api::Service" if "Service" in self.shapes else "Service"
        missing = sorted(set(support.actions) - set(model["operations"]))
        if missing:
            sys.exit(f"{support.path}: {path} has no operation {', '.join(missing)}")
        self.operations = {name: model["operations"][name] for name in sorted(support.actions)}
        for name, operation in self.operations.items():
            for side, suffix in (("input", "Request"), ("output", "Response")):
                if side not in operation:
                    operation[side] = {"shape": name + suffix}
                    self.shapes.setdefault(name + suffix, {"type": "structure", "members": {}})
        support.add_new(self)
        self.roots = {op[side]["shape"] for op in self.operations.values()
                      for side in ("input", "output")}
        self.inputs = self.reached_from("input", supported_only=False)
        support.check(self)
        for name in sorted(support.optional):
            shape, _, member = name.partition(".")
            if member not in self.shapes.get(shape, {}).get("required", ()):
                sys.exit(f"{support.path}: the model has no required member {name}")
        for name in support.open:
            if not self.shapes.get(name, {}).pop("enum", None):
                sys.exit(f"{support.path}: {name} is no enumeration")
        self.inputs = self.reached_from("input", supported_only=True)
        self.outputs = self.reached_from("output", supported_only=False)
        self.order, self.state, self.boxed = [], {}, set()  # structures, each after what it holds
        for operation in self.operations.values():
            self.visit(operation["input"]["shape"])
            self.visit(operation["output"]["shape"])
        names = {}
        for shape in self.order:
            if names.setdefault(pascal(shape), shape) != shape:
                sys.exit(f"{self.name}: {shape} and {names[pascal(shape)]} become one C++ name")

    def reached_from(self, side, supported_only):
        reached, todo = set(), [op[side]["shape"] for op in self.operations.values()]
        while todo:
            name = todo.pop()
            if name in reached:
                continue
            reached.add(name)
            shape = self.shapes[name]
            for member, ref in shape.get("members", {}).items():
                if not supported_only or self.reads(name, member) == "kRead":
                    todo.append(ref["shape"])
            todo += [shape[part]["shape"] for part in ("member", "key", "value") if part in shape]
        return reached

    def said_of(self, shape):
        """The members of a structure that requests read, ignore and send; None without a row."""
        for name, operation in self.operations.items():
            if operation["input"]["shape"] == shape:
                return self.support.actions[name][1:]
        if shape in self.support.shapes:
            return self.support.shapes[shape][1:]
        return (["*"], [], []) if self.support.everything else None

    def reads(self, shape, member):
        """The support of a structure's member in requests: kRead, kIgnored or kRefused."""
        said = self.said_of(shape)
        if said is None:
            sys.exit(f"{self.support.path}: say what is read of shape {shape}: "
                     f"{', '.join(self.shapes[shape].get('members', {}))}")
        read, ignored, _ = said
        if member in read or "*" in read or (member == "DryRun" and self.protocol == "ec2"):
            return "kRead"  # DryRun: by the caller of the handler
        return "kIgnored" if member in ignored or "*" in ignored else "kRefused"

    def support_of(self, shape, member):
        return self.reads(shape, member) if shape in self.inputs else "kRead"

    def has_field(self, shape, member):
        if shape in self.outputs or shape not in self.inputs:
            return True  # what only a `sent` member holds has all its members
        sent = self.said_of(shape)[2]
        return self.reads(shape, member) == "kRead" or member in sent or "*" in sent

    def members(self, name):
        for member, ref in self.shapes[name].get("members", {}).items():
            target = self.shapes[ref["shape"]]
            for trait in ("eventstream", "document", "jsonvalue"):
                if self.trait(ref, trait) and self.has_field(name, member):
                    sys.exit(f"{self.name}: {name}.{member}: {trait} is not done")
            yield member, ref

    def fields(self, name):
        return [(member, ref) for member, ref in self.members(name) if self.has_field(name, member)]

    def speak_json(self):
        """From now on the tables are for AWS JSON, in which members have the model's names."""
        self.protocol = "json"
        for shape in self.shapes.values():
            for ref in shape.get("members", {}).values():
                ref.pop("locationName", None)
            shape.pop("locationName", None)

    def query_errors(self):
        """(shape, code in the query protocol) of each error that has a code of its own."""
        return sorted((name, shape["error"]["code"]) for name, shape in self.shapes.items()
                      if shape.get("exception") and "error" in shape)

    def visit(self, name):
        """Depth first: a structure follows the structures in it; recursion is boxed."""
        if name in self.state:
            return
        self.state[name] = "open"
        shape = self.shapes[name]
        if shape["type"] == "structure":
            for member, ref in self.fields(name):
                below = ref["shape"]
                if self.shapes[below]["type"] == "structure" and self.state.get(below) == "open":
                    self.boxed.add((name, member))
                self.visit(below)
            self.order.append(name)
        for part in ("member", "key", "value"):
            if part in shape:
                self.visit(shape[part]["shape"])
        self.state[name] = "done"

    def cpp(self, name):
        shape = self.shapes[name]
        if shape["type"] == "structure":
            return pascal(name)
        if shape["type"] == "list":
            return f"List<{self.cpp(shape['member']['shape'])}>"
        if shape["type"] == "map":
            return f"Map<{self.cpp(shape['value']['shape'])}>"
        return SCALARS[shape["type"]]

    def innermost(self, name):
        """The structure at the innermost level of a list or map, or None."""
        shape = self.shapes[name]
        part = {"list": "member", "map": "value"}.get(shape["type"])
        if part:
            return self.innermost(shape[part]["shape"])
        return name if shape["type"] == "structure" else None

    def field_type(self, owner, member, ref):
        cpp = self.cpp(ref["shape"])
        if self.shapes[ref["shape"]]["type"] in ("list", "map"):
            return cpp
        return f"Box<{cpp}>" if (owner, member) in self.boxed else f"Opt<{cpp}>"

    def trait(self, ref, key):
        return ref.get(key, self.shapes[ref["shape"]].get(key))

    def wires(self, name, ref):
        """A member's name in a request and in a response."""
        shape, location = self.shapes[ref["shape"]], self.trait(ref, "locationName")
        into = out = location or name
        if self.protocol == "ec2":
            into = self.trait(ref, "queryName") or (pascal(location) if location else name)
        if shape["type"] == "list" and self.trait(ref, "flattened"):
            item = self.trait(shape["member"], "locationName")
            if item and self.protocol == "query":
                into = item
            out = item or out
        return into, out


def header(model):
    out = [f"// Made by api/generate.py of {model.meta['uid']}; do not edit.", "#pragma once", "",
           '#include "api/types.h"', "", "namespace api {", "struct Service;", "}", "",
           f"namespace api::{model.cpp_name} {{", ""]
    out += [f"struct {pascal(shape)};" for shape in model.order] + [""]
    complete = {None}
    for name in model.order:
        out.append(f"struct {pascal(name)} {{")
        seen = {}
        # By name: the models' order changes from version to version, and {.a = 1, .b = 2} must
        # compile with each.
        for member, ref in sorted(model.fields(name), key=lambda row: snake(row[0])):
            field = snake(member)
            if seen.setdefault(field, member) != member:
                sys.exit(f"{model.name}: {name}: {member} and {seen[field]} become one C++ name")
            required = "  // required" if member in model.shapes[name].get("required", ()) else ""
            init = "{}" if model.innermost(ref["shape"]) in complete else ""
            out.append(f"  {model.field_type(name, member, ref)} {field}{init};{required}")
        out += ["};", ""]
        complete.add(name)
    out += [f"extern const {model.service_type} kService;"]
    if model.support.also_json:
        out += ["namespace json {", f"extern const {model.service_type} kService;", "}"]
    out += ["", "// The actions as types.", "namespace op {"]
    for at, (name, operation) in enumerate(model.operations.items()):
        out.append(f"struct {name} {{")
        for side, key in (("Request", "input"), ("Response", "output")):
            shape = pascal(operation[key]["shape"])
            out.append(f"  using {side} = api::{model.cpp_name}::{shape};")
        out += [f"  static constexpr int kAt = {at};  // in kService.operations",
                f"  static const {model.service_type}& service() {{ return kService; }}", "};"]
    out += ["}  // namespace op", "", f"}}  // namespace api::{model.cpp_name}", ""]
    return "\n".join(out)


class Tables:
    """The tables of a model as C++."""

    def __init__(self, model):
        self.model, self.rows, self.index = model, [], {}
        alike = {}  # scalars that look alike share a row
        for name in model.state:
            key = self.key(name)
            if key not in alike:
                alike[key] = len(self.rows)
                self.rows.append(name)
            self.index[name] = alike[key]

    def key(self, name):
        shape = self.model.shapes[name]
        if shape["type"] in ("structure", "list", "map"):
            return name
        return json.dumps([shape.get(k) for k in ("type", "enum", "min", "max", "timestampFormat")])

    def row(self, shape):
        return f"&table::kShapes[{self.index[shape]}]"

    def member(self, owner, member, ref):
        model = self.model
        target = model.shapes[ref["shape"]]
        into, out = model.wires(member, ref)
        payload = model.shapes[owner].get("payload")
        location = "kPayload" if member == payload else LOCATIONS[ref.get("location")]
        time = "kNone"
        if target["type"] == "timestamp":
            default = {"kHeader": "rfc822", "kQuery": "iso8601"}
            default = default.get(location, BODY_TIMES[model.protocol])
            time = TIMES[model.trait(ref, "timestampFormat") or default]
        support, field = model.support_of(owner, member), model.has_field(owner, member)
        flags = [flag for flag, on in (
            ("kRequired", member in model.shapes[owner].get("required", ()) and support == "kRead"
             and f"{owner}.{member}" not in model.support.optional),
            ("kFlattened", target["type"] in ("list", "map") and model.trait(ref, "flattened")),
            ("kAttribute", model.trait(ref, "xmlAttribute")),
            ("kText", (model.name, owner, member) in TEXTS),
            ("kToken", ref.get("idempotencyToken")),
            ("kAbsent", not field)) if on]
        holder, offset, shape = "nullptr", "0", "nullptr"
        if field:
            shape = self.row(ref["shape"])
            offset = f"offsetof({pascal(owner)}, {snake(member)})"
            if target["type"] == "structure":
                holder = f"&kHolder<{model.field_type(owner, member, ref)}>"
        xmlns = model.trait(ref, "xmlNamespace") or {}
        xmlns = (f"{{{quoted(xmlns.get('prefix', ''))}, {quoted(xmlns['uri'])}}}" if xmlns
                 else "{}")
        return (f"    {{{quoted(member)}, {quoted(into)}, {quoted(out)}, {shape}, {holder}, "
                f"{offset}, Location::{location}, TimeFormat::{time}, Support::{support}, "
                f"{' | '.join(flags) or '0'}, {xmlns}}},")

    def shape(self, at, name):
        model = self.model
        shape, kind = model.shapes[name], model.shapes[name]["type"]
        fields = [f".name = {quoted(name)}",
                  f".type = Type::k{pascal('string' if kind == 'character' else kind)}"]
        if kind == "structure" and shape.get("members"):
            fields.append(f".members = kMembers{at}")
        if kind == "list":
            item = model.trait(shape["member"], "locationName")
            item = item or ("item" if model.protocol == "ec2" else "member")
            fields += [f".element = {self.row(shape['member']['shape'])}",
                       f".item = {quoted(item)}",
                       f".list = &kListOps<{model.cpp(shape['member']['shape'])}>"]
        if kind == "map":
            key, value = shape["key"], shape["value"]
            fields += [f".element = {self.row(value['shape'])}", f".key = {self.row(key['shape'])}",
                       f".item = {quoted(model.trait(value, 'locationName') or 'value')}",
                       f".key_item = {quoted(model.trait(key, 'locationName') or 'key')}",
                       f".map = &kMapOps<{model.cpp(value['shape'])}>"]
        if name in model.roots:
            fields.append(f".root = &kRootOps<{pascal(name)}>")
        if kind == "timestamp":
            time = shape.get("timestampFormat") or BODY_TIMES[model.protocol]
            fields.append(f".time = TimeFormat::{TIMES[time]}")
        if shape.get("enum"):
            fields.append(f".values = kEnum{at}")
        for key in ("min", "max"):
            if key in shape:
                fields.append(f".{key} = {float(shape[key])!r}")
        return "    {" + ", ".join(fields) + "},"

    def side(self, operation, side):
        model = self.model
        ref = operation[side]
        shape = model.shapes[ref["shape"]]
        payload = shape.get("payload")
        at = list(shape["members"]).index(payload) if payload else -1
        root = ref.get("locationName") or shape.get("locationName") or ""
        if side == "output":
            if model.protocol == "rest-xml":
                root = root or S3_ROOTS.get(operation["name"], ref["shape"])
            else:
                root = ref.get("resultWrapper", "")
        xmlns = (ref.get("xmlNamespace") or {}).get("uri", "")
        return f"{{{self.row(ref['shape'])}, {quoted(root)}, {quoted(xmlns)}, {at}}}"

    def operation(self, name, operation):
        http = operation.get("http", {})
        uri, _, query = http.get("requestUri", "/").partition("?")
        return (f"    {{{quoted(name)}, {self.side(operation, 'input')}, "
                f"{self.side(operation, 'output')}, {quoted(http.get('method', 'POST'))}, "
                f"{quoted(uri)}, {quoted(query)}, {http.get('responseCode', 200)}}},")

    def text(self):
        model, meta = self.model, self.model.meta
        out = [f"// Made by api/generate.py of {meta['uid']}; do not edit.",
               f'#include "api/{model.name}.h"', "", "#include <cstddef>", "",
               '#include "api/table.h"', "", '#pragma GCC diagnostic ignored "-Winvalid-offsetof"',
               "", *self.tables(f"api::{model.cpp_name}", self.service())]
        if model.support.also_json:
            prefix, version, errors = model.support.also_json
            model.speak_json()
            known = ", ".join(f"{{{quoted(shape)}, {quoted(code)}}}"
                              for shape, code in model.query_errors())
            row = (f"{{{quoted(model.name)}, Protocol::kJson, {quoted(meta['apiVersion'])}, \"\", "
                   f"{quoted(prefix)}, {quoted(version)}, kOperations, {quoted(errors)}, kErrors}}")
            out += self.tables(f"api::{model.cpp_name}::json", row,
                               [f"constexpr QueryError kErrors[] = {{{known}}};"])
        return "\n".join(out)

    def service(self):
        model, meta = self.model, self.model.meta
        xmlns = meta.get("xmlNamespace", "")
        if model.name == "s3":
            xmlns = "http://s3.amazonaws.com/doc/2006-03-01/"
        if model.protocol == "ec2" and not xmlns.endswith("/"):
            xmlns += "/"  # as EC2 writes it
        return (f"{{{quoted(model.name)}, "
                f"Protocol::{PROTOCOLS[model.protocol]}, {quoted(meta['apiVersion'])}, "
                f"{quoted(xmlns)}, {quoted(meta.get('targetPrefix', ''))}, "
                f"{quoted(meta.get('jsonVersion', ''))}, kOperations}}")

    def tables(self, namespace, service, more=()):
        model = self.model
        out = [f"namespace {namespace} {{", "namespace table {",
               f"extern const Shape kShapes[{len(self.rows)}];", "}", "namespace {", "",
               "using namespace flags;", *more, ""]
        for at, name in enumerate(self.rows):
            shape = model.shapes[name]
            if shape.get("enum"):
                values = ", ".join(quoted(value) for value in shape["enum"])
                out.append(f"constexpr std::string_view kEnum{at}[] = {{{values}}};")
            if shape["type"] == "structure" and shape.get("members"):
                out.append(f"constexpr Member kMembers{at}[] = {{")
                out += [self.member(name, member, ref) for member, ref in model.members(name)]
                out.append("};")
        out += ["", "}  // namespace", "",
                f"constinit const Shape table::kShapes[{len(self.rows)}] = {{"]
        out += [self.shape(at, name) for at, name in enumerate(self.rows)]
        out += ["};", "", "namespace {", "constexpr Operation kOperations[] = {"]
        out += [self.operation(name, operation) for name, operation in model.operations.items()]
        out += ["};", "}  // namespace", "",
                f"constinit const {model.service_type} kService = {service};", "",
                f"}}  // namespace {namespace}", ""]
        return out


def write(path, text):
    if not path.exists() or path.read_text() != text:  # an unchanged file rebuilds nothing
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", required=True, type=pathlib.Path)
    parser.add_argument("--actions", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    model = Model(arguments.models, Support(arguments.actions))
    arguments.out.mkdir(parents=True, exist_ok=True)
    write(arguments.out / f"{model.name}.h", header(model))
    write(arguments.out / f"{model.name}.cpp", Tables(model).text())


if __name__ == "__main__":
    main()
