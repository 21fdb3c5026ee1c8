// Tests only: a small file of each trace format.
#pragma once

#include <string>
#include <vector>

#include "sim/traces/trace_file.h"

namespace sim::traces {

inline TraceFile aws_sample() {
  return {"history.json", R"({
    "SpotPriceHistory": [
        {
            "AvailabilityZone": "us-west-2b",
            "InstanceType": "p3.2xlarge",
            "ProductDescription": "Linux/UNIX",
            "SpotPrice": "0.921500",
            "Timestamp": "2019-11-05T14:03:12+00:00"
        },
        {
            "AvailabilityZone": "us-west-2a",
            "InstanceType": "p2.xlarge",
            "ProductDescription": "Windows",
            "SpotPrice": "0.454000",
            "Timestamp": "2019-11-05T12:00:00+00:00"
        },
        {
            "AvailabilityZone": "us-west-2b",
            "InstanceType": "p3.2xlarge",
            "ProductDescription": "Linux/UNIX",
            "SpotPrice": "0.918000",
            "Timestamp": "2019-11-05T10:00:00.000Z"
        }
    ]
}
)"};
}
// Two entries: one with the ID of a zone, and one of another product.
inline TraceFile aws_array_sample() {
  return {"array.json",
          R"([{"AvailabilityZoneId": "usw2-az2", "InstanceType": "p3.2xlarge",
  "ProductDescription": "Linux/UNIX", "SpotPrice": "0.921500", "Timestamp": "2019-11-05T14:03:12Z"},
 {"AvailabilityZone": "us-west-2b", "InstanceType": "p3.2xlarge", "ProductDescription": "Windows",
  "SpotPrice": "1.400000", "Timestamp": "2019-11-05T14:03:12Z"}])"};
}
inline TraceFile aws_json_lines_sample() {
  return {"lines.json",
          R"({"AvailabilityZone":"us-west-2b","InstanceType":"p3.2xlarge",)"
          R"("ProductDescription":"Linux/UNIX","SpotPrice":"0.921500",)"
          R"("Timestamp":"2019-11-05T14:03:12Z"})"
          "\n\n"
          R"({"AvailabilityZone":"us-west-2b","InstanceType":"p3.2xlarge",)"
          R"("ProductDescription":"SUSE Linux","SpotPrice":"1","Timestamp":"2019-11-05T14:03:12Z"})"
          "\n"};
}
inline TraceFile aws_table_sample() {
  return {"table.csv",
          "Timestamp,\"AvailabilityZone\",InstanceType,ProductDescription,SpotPrice,Region\r\n"
          "2019-11-05T14:03:12Z,us-west-2b,p3.2xlarge,\"Linux/UNIX\",0.921500,us-west-2\r\n"
          "2019-11-05T14:03:12Z,us-west-2b,p3.2xlarge,Windows,1.400000,us-west-2\r\n"};
}
inline TraceFile zone_id_tsv_sample() {
  return {"11.tsv",
          "usw2-az2\tp3.2xlarge\tRed Hat Enterprise Linux\t1.000000\t2019-11-05T14:03:12+00:00\n"
          "usw2-az2\tp3.2xlarge\tLinux/UNIX\t0.921500\t2019-11-05T14:03:12+00:00\n"};
}
inline TraceFile csv_markets_sample() {
  return {"markets.csv",
          "az,instance_type,timestamp,price_usd_h\n"
          "us-east-1a,c5.4xlarge,2021-03-02T07:43:33+00:00,0.262700\n"
          "us-east-1a,c5.4xlarge,2021-03-02T14:10:32+00:00,0.262800\n"
          "us-east-1b,p3.2xlarge,2021-03-02T14:10:32+00:00,0.918000\n"};
}
inline TraceFile csv_timestamps_sample() {
  return {"us-east-1a-Linux-c3.xlarge.csv",
          "timestamp,price_usd_h\r\n"
          "2015-03-11 16:54:38+00:00,0.0324\r\n"
          "2015-03-11 16:58:12+00:00,0.0321\r\n"};
}
inline TraceFile csv_epoch_ms_sample() {
  return {"us-west-1.linux.m1.small.csv",
          "epoch_ms,price_usd_h\n"
          "1260931109000,0.026\n"
          "1262813794000,0.03\n"};
}
inline TraceFile price_ticks_sample() {
  return {"us-east-1f_v100_1.json",
          R"({"prices": [1.224, 1.224, 1.2433], "gap_seconds": 195, "price_info": {}})"};
}
inline TraceFile price_ticks_by_pool_sample() {
  return {"v100_spot_prices.json",
          R"({"us-east-1a_v100_1":[1.6703,1.6703,1.7],"us-west-2a_v100_1":[0.918,0.918,0.9]})"};
}
// All samples. The first ones have pools that AWS's form of prices can have.
inline std::vector<TraceFile> all_samples() {
  return {aws_sample(),
          aws_array_sample(),
          aws_json_lines_sample(),
          aws_table_sample(),
          zone_id_tsv_sample(),
          csv_markets_sample(),
          csv_timestamps_sample(),
          csv_epoch_ms_sample(),
          price_ticks_sample(),
          price_ticks_by_pool_sample()};
}
inline constexpr std::size_t kAwsSamples = 8;

}  // namespace sim::traces
