"""Calls every action of S3."""
import base64
import hashlib

from serve_ec2 import Refused
from support import expect

MIB = 1 << 20
SETTINGS = (
    ("BucketPolicy", {"Policy": '{"Version": "2012-10-17", "Statement": []}'}),
    ("BucketCors", {"CORSConfiguration": {"CORSRules": [
        {"ID": "r", "AllowedMethods": ["GET", "PUT"], "AllowedOrigins": ["*"],
         "AllowedHeaders": ["a", "b"], "ExposeHeaders": ["c"], "MaxAgeSeconds": 3}]}}),
    ("BucketWebsite", {"WebsiteConfiguration": {
        "IndexDocument": {"Suffix": "i.html"}, "ErrorDocument": {"Key": "e.html"},
        "RoutingRules": [{"Condition": {"KeyPrefixEquals": "a/"},
                          "Redirect": {"ReplaceKeyPrefixWith": "b/", "Protocol": "https"}}]}}),
    ("BucketEncryption", {"ServerSideEncryptionConfiguration": {"Rules": [
        {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"},
         "BucketKeyEnabled": True}]}}),
    ("PublicAccessBlock", {"PublicAccessBlockConfiguration": {
        "BlockPublicAcls": True, "RestrictPublicBuckets": False}}),
    ("BucketOwnershipControls", {"OwnershipControls": {
        "Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}}),
    ("BucketTagging", {"Tagging": {"TagSet": [{"Key": "grün", "Value": "<blau>"}]}}))
UNSET = "BucketReplication", "ObjectLockConfiguration"
PLAIN = ("BucketVersioning", "BucketNotificationConfiguration", "BucketLogging",
         "BucketRequestPayment", "BucketAccelerateConfiguration")


def buckets(ask):
    ask("CreateBucket", Bucket="bucket",
        CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    mine = {"Bucket": "bucket"}
    ask("HeadBucket", **mine)
    ask("GetBucketLocation", **mine)
    ask("ListBuckets")
    for name, setting in SETTINGS:
        ask(f"Put{name}", **mine, **setting)
        ask(f"Get{name}", **mine)
        ask(f"Delete{name}", **mine)
    ask("PutBucketLifecycleConfiguration", **mine, LifecycleConfiguration={"Rules": [
        {"ID": "r", "Status": "Enabled", "Filter": {"Prefix": "a&"},
         "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 2}}]})
    ask("GetBucketLifecycleConfiguration", **mine)
    ask("DeleteBucketLifecycle", **mine)
    ask("GetBucketAcl", **mine)
    ask("PutBucketAcl", **mine, ACL="private")
    for name in PLAIN:
        ask(f"Get{name}", **mine)
    for name in UNSET:
        try:
            ask(f"Get{name}", **mine)
        except Refused as error:
            expect(error.status, 404, f"the status of Get{name}")


def objects(ask):
    key = {"Bucket": "bucket", "Key": "a/grün & <b>"}
    head = {"CacheControl": "no-cache", "ContentDisposition": "inline", "ContentEncoding": "x",
            "ContentLanguage": "de", "ContentType": "text/x-y", "Expires": 1572955200,
            "Metadata": {"of": "me", "and": "you"}}
    ask("PutObject", **key, **head, Body=b"0123456789", Tagging="k=v&l=",
        ChecksumAlgorithm="SHA256",
        ChecksumSHA256=base64.b64encode(hashlib.sha256(b"0123456789").digest()).decode())
    ask("PutObject", Bucket="bucket", Key="b", Body=b"")
    etag = ask("HeadObject", **key, ChecksumMode="ENABLED")["ETag"]
    ask("GetObject", **key, ChecksumMode="ENABLED")
    ask("GetObject", **key, Range="bytes=2-4", IfMatch=etag)
    for condition in {"IfNoneMatch": etag}, {"IfMatch": '"other"'}, {"Range": "bytes=10-"}:
        try:
            ask("GetObject", **key, **condition)
        except Refused as error:
            expect(error.status in (304, 412, 416), True, f"the status of {condition}")
    ask("GetObjectAttributes", **key,
        ObjectAttributes=["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"])
    ask("GetObjectAcl", **key)
    ask("GetObjectTagging", **key)
    ask("PutObjectTagging", **key, Tagging={"TagSet": [{"Key": "k", "Value": "w"}]})
    ask("DeleteObjectTagging", **key)
    ask("CopyObject", Bucket="bucket", Key="c/d", CopySource="bucket/b")
    for more in {"Delimiter": "/"}, {"MaxKeys": 1, "EncodingType": "url"}:
        ask("ListObjects", Bucket="bucket", **more)
        ask("ListObjectsV2", Bucket="bucket", FetchOwner=True, **more)
    ask("ListObjectsV2", Bucket="bucket", StartAfter="b", Prefix="c")


def uploads(ask):
    key = {"Bucket": "bucket", "Key": "big"}
    made = {**key, "UploadId": ask("CreateMultipartUpload", **key, ContentType="text/x-y",
                                   ChecksumAlgorithm="SHA256")["UploadId"]}
    first = ask("UploadPart", **made, PartNumber=1, Body=b"a" * (5 * MIB))
    second = ask("UploadPartCopy", **made, PartNumber=2, CopySource="bucket/b")
    ask("ListParts", **made, MaxParts=1)
    ask("ListMultipartUploads", Bucket="bucket", MaxUploads=1)
    ask("CompleteMultipartUpload", **made, MultipartUpload={"Parts": [
        {"PartNumber": 1, "ETag": first["ETag"]},
        {"PartNumber": 2, "ETag": second["CopyPartResult"]["ETag"]}]})
    ask("GetObjectAttributes", **key, MaxParts=1, ObjectAttributes=[
        "ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"])
    ask("HeadObject", **key, PartNumber=1)
    ask("AbortMultipartUpload", **key, UploadId=ask("CreateMultipartUpload", **key)["UploadId"])


def end(ask):
    names = [{"Key": each["Key"]} for each in ask("ListObjectsV2", Bucket="bucket")["Contents"]]
    ask("DeleteObject", Bucket="bucket", Key="big")
    ask("DeleteObjects", Bucket="bucket", Delete={"Objects": names})
    ask("CreateBucket", Bucket="other",
        CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    ask("DeleteBucket", Bucket="other")
