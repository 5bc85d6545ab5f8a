#include "backend/torus/traffic_reader.h"

#include <gtest/gtest.h>

#include "backend/torus/torus_test_support.h"
#include "base/rejection_test_support.h"

namespace muster::torus {
namespace {

std::vector<TrafficRow> read(const std::string& text) { return read_traffic(chip_with_dram(10, 12), "t.csv", text); }

std::string refusal(const std::string& text) {
  return rejection([&] { (void)read(text); });
}

TEST(TrafficReader, ReadsEveryColumn) {
  const auto rows = read(
      "id,kind,noc,src,dst,bytes,count,start,after,memory,stateful,posted,loopback\n"
      "a,write,1,1-2,3-4,2048,5,100,,l1,true,false,false\r\n"
      "\n"
      "b, multicast_linked ,0,1-1,2-1:4-5,64,2,0,a,,,,true\n"
      "c,read,0,1-1,0-0,64,1,0,a;b,dram,0,0,0\n");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].noc, 1);
  EXPECT_EQ(rows[0].source, 21);
  EXPECT_EQ(rows[0].destinations, std::vector<RouterId>{43});
  EXPECT_EQ(rows[0].start, 100);
  EXPECT_TRUE(rows[0].is_stateful);
  EXPECT_EQ(rows[1].kind, TrafficKind::multicast_linked);
  EXPECT_EQ(rows[1].area, (Rectangle{.first = {.x = 2, .y = 1}, .last = {.x = 4, .y = 5}}));
  EXPECT_EQ(rows[2].after, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(rows[2].banks, std::vector<std::int32_t>{0});
}

TEST(TrafficReader, MissingColumnsTakeTheirDefaults) {
  const auto rows = read("kind,src,dst,bytes\nwrite,1-1,1-1:2-2;5-5,64\nread,1-1,0-0,64\n");
  EXPECT_EQ(rows[0].id, "1");
  EXPECT_EQ(rows[0].destinations, (std::vector<RouterId>{11, 12, 21, 22, 55}));
  EXPECT_EQ(rows[0].count, 1);
  EXPECT_EQ(rows[1].banks.size(), 1U) << "a DRAM tile's memory is DRAM";
}

TEST(TrafficReader, RefusesWhatIsWrongWithFileLineAndColumn) {
  EXPECT_EQ(refusal(""),
            "t.csv: the file is empty; its first line names the columns: "
            "id,kind,noc,src,dst,bytes,count,start,after,memory,stateful,posted,loopback");
  EXPECT_EQ(refusal("kind,size\n"),
            "t.csv:1: unknown column 'size'; known: "
            "id, kind, noc, src, dst, bytes, count, start, after, memory, stateful, posted, loopback");
  EXPECT_EQ(refusal("kind,byte\n"), "t.csv:1: unknown column 'byte'; did you mean 'bytes'?");
  EXPECT_EQ(refusal("kind,src,dst,bytes\n"), "t.csv: there are no transactions; write one per line after the header");
  const std::string head = "id,kind,src,dst,bytes,count,after,memory,posted\n";
  EXPECT_EQ(refusal(head + "a,write,1-1,2-2,64,1,\n"),
            "t.csv:2: 7 values for 9 columns; write one value per column, or nothing between two commas");
  EXPECT_EQ(refusal(head + "a,send,1-1,2-2,64,1,,,\n"),
            "t.csv:2: kind: unknown kind 'send'; known: read, write, multicast, multicast_linked, atomic");
  EXPECT_EQ(refusal(head + "a,wirte,1-1,2-2,64,1,,,\n"), "t.csv:2: kind: unknown kind 'wirte'; did you mean 'write'?");
  EXPECT_EQ(refusal(head + "a,write,1-1,12-2,64,1,,,\n"),
            "t.csv:2: dst: tile 12-2 is outside the chip; x is 0 to 9, y is 0 to 11");
  EXPECT_EQ(refusal(head + "a,write,0-5,1-2,64,1,,,\n"),
            "t.csv:2: src: tile 0-5 is not a worker and cannot issue transactions");
  EXPECT_EQ(refusal(head + "a,write,1-1,x-2,64,1,,,\n"),
            "t.csv:2: dst: 'x-2' is not a tile; use x-y in coordinates of NoC 0, e.g. 1-1");
  EXPECT_EQ(refusal(head + "a,write,1-1,2-2,0,1,,,\n"),
            "t.csv:2: bytes: '0' is not a whole number from 1 to 1073741824");
  EXPECT_EQ(refusal(head + "a,write,1-1,2-2,99999999999999999999,1,,,\n"),
            "t.csv:2: bytes: '99999999999999999999' is not a whole number from 1 to 1073741824");
  EXPECT_EQ(refusal(head + "a,write,1-1,2-2,,1,,,\n"), "t.csv:2: bytes: is missing; every row needs it");
  EXPECT_EQ(refusal(head + "a,read,1-1,2-2,64,1,,,true\n"),
            "t.csv:2: posted: a read always has a response; write false, or nothing");
  EXPECT_EQ(refusal(head + "a,write,1-1,2-2,64,1,b,,\n"), "t.csv:2: after: there is no row 'b'");
  EXPECT_EQ(refusal(head + "a,write,1-1,2-2,64,1,b,,\nb,write,1-1,2-2,64,1,a,,\n"),
            "t.csv:2: after: row 'a' waits for rows that wait for it, directly or not");
  EXPECT_EQ(refusal(head + "a,write,1-1,2-2,64,1,,dram,\n"), "t.csv:2: dst: tile 2-2 has no DRAM bank");
  EXPECT_EQ(refusal(head + "a,write,1-1,2-2,64,1,,,\na,write,1-1,2-2,64,1,,,\n"),
            "t.csv:3: id: 'a' was given to an earlier row; give each row another one");
  EXPECT_EQ(refusal(head + "a,multicast,1-1,4-5:1-1,64,1,,,\n"),
            "t.csv:2: dst: '4-5:1-1': name the north-west corner first");
  EXPECT_EQ(refusal(head + "a,multicast,1-1,1-1,64,1,,,\n"),
            "t.csv:2: dst: a multicast without loopback reaches nobody but its source here; name another rectangle");
  EXPECT_EQ(refusal(head + "a,multicast,1-1,1-1;2-2,64,1,,,\n"),
            "t.csv:2: dst: '1-1;2-2': a multicast goes to one rectangle, e.g. 1-1:4-5");
}

}  // namespace
}  // namespace muster::torus
