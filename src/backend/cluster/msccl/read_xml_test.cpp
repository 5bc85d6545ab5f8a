#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/cluster/msccl/files.h"
#include "backend/cluster/msccl/text.h"
#include "schedule/verify.h"

namespace muster::msccl {
namespace {

/// Two GPUs that send each other one half of two chunks, in place.
constexpr std::string_view kPair = R"(<?xml version="1.0"?>
<algo name="pair" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="1">
  <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0">
    <tb id="0" send="1" recv="1" chan="0"> <!-- both ways -->
      <step s="0" type="s" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="o" srcoff="1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="2" s_chunks="0">
    <tb id="0" send="0" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="1"></step>
    </tb>
    <tb id="1" send="-1" recv="0" chan="0">
      <step s="0" type="nop" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="-1" cnt="0" depid="0" deps="0" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)";

std::string with(std::string_view old, std::string_view other) {
  std::string text(kPair);
  const std::size_t found = text.find(old);
  EXPECT_NE(found, std::string::npos) << old;
  return text.replace(found, old.size(), other);
}

std::string refusal(const std::string& text) {
  try {
    lift_file({.name = "f.xml", .text = text});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MscclReader, ReadsWhatOthersWrite) {
  const LiftedFiles lifted = lift_file({.name = "pair.xml", .text = std::string(kPair)});
  EXPECT_TRUE(lifted.stuck.empty());
  EXPECT_TRUE(verify(lifted.schedule, lifted.machine).verified());
  ASSERT_EQ(lifted.facts.size(), 2U);
  EXPECT_EQ(lifted.facts[0], "2 GPUs, 2 chunks, 1 channel; at most 2 thread blocks per GPU, 2 steps each");
  EXPECT_EQ(lifted.facts[1], "terminates if every connection buffers 1 message");
}

TEST(MscclReader, RefusesWithTheLine) {
  const struct {
    const char* old;
    const char* other;
    const char* message;
  } cases[] = {
      {"<?xml", "<xml", "f.xml:1: '?>"},
      {"<!-- both ways -->", "<!-- both ways", "f.xml:4: a comment does not end; '-->' is missing"},
      {"<!-- both ways -->", "both ways", "f.xml:4: 'both ways"},
      {"name=\"pair\"", "name=\"pair", "f.xml:2: 'Simple' has no value; write Simple="},
      {"name=\"pair\"", "name=\"p&air\"", "f.xml:2: '&air' is unknown"},
      {"name=\"pair\"", "name=\"pair\" name=\"two\"", "f.xml:2: <algo> has 'name' twice"},
      {"name=\"pair\"", "nam=\"pair\"", "f.xml:2: <algo> has no attribute 'nam'; did you mean 'name'?"},
      {"name=\"pair\" ", "", "f.xml:2: <algo> lacks 'name'"},
      {"ngpus=\"2\"", "ngpus=\"3\"", "f.xml:18: <gpu id=\"2\"> is missing; there are 3 GPUs"},
      {"ngpus=\"2\"", "ngpus=\"many\"", "f.xml:2: <algo ngpus=\"many\">: use a whole number from 1 to 65536"},
      {"proto=\"Simple\"", "proto=\"XX\"", "f.xml:2: proto=\"XX\" is not known; use Simple, LL or LL128"},
      {"allgather", "alltoall", "f.xml:2: coll=\"alltoall\" is not known here"},
      {"nchunksperloop=\"2\"", "nchunksperloop=\"4\"", "f.xml:3: GPU 0 has 1 chunks of input; a collective of 4"},
      {"<gpu id=\"1\"", "<gpu id=\"0\"", "f.xml:9: <gpu id=\"0\"> is defined twice"},
      {"send=\"1\" recv=\"1\"", "send=\"0\" recv=\"1\"", "f.xml:4: GPU 0 has itself as a peer"},
      {"send=\"1\" recv=\"1\"", "send=\"-1\" recv=\"1\"", "f.xml:5: a step sends, but its thread block has no send"},
      {"send=\"-1\" recv=\"0\"", "send=\"0\" recv=\"0\"", "f.xml:13: two thread blocks send from GPU 1 to GPU 0"},
      {"send=\"0\" recv=\"-1\"", "send=\"0\" recv=\"0\"", "f.xml:13: two thread blocks receive at GPU 1 from GPU 0"},
      {"type=\"s\"", "type=\"send\"", "f.xml:5: type=\"send\" is unknown"},
      {"srcoff=\"0\"", "srcoff=\"2\"", "f.xml:5: srcoff=\"2\" with cnt=\"1\" is outside the buffer; it has 2 chunks"},
      {"srcbuf=\"o\"", "srcbuf=\"x\"", "f.xml:5: srcbuf=\"x\" is unknown; use i, o or s"},
      {"cnt=\"1\"", "cnt=\"73\"", "f.xml:5: <step cnt=\"73\">: use a whole number from 1 to 72"},
      {"depid=\"0\" deps=\"0\"", "depid=\"0\" deps=\"1\"", "f.xml:14: thread block 0 of GPU 1 has no step 1"},
      {"depid=\"0\" deps=\"0\"", "depid=\"0\" deps=\"-1\"", "f.xml:14: depid and deps go together; -1 is none"},
      {"depid=\"0\" deps=\"0\"", "depid=\"1\" deps=\"1\"", "f.xml:14: the step waits for step 1 of its own"},
      {"hasdep=\"1\"", "hasdep=\"0\"", "f.xml:14: step 0 of thread block 0 has hasdep=\"0\", but this one waits"},
      {"<step s=\"1\" type=\"r\" srcbuf=\"o\"", "<step s=\"2\" type=\"r\" srcbuf=\"o\"",
       "f.xml:6: <step s=\"2\">: steps"},
      {"</algo>", "", "f.xml:19: the text ends inside <algo>"},
      {"</algo>", "</algo><algo>", "f.xml:18: <algo> comes after </algo>"},
      {"</gpu>", "</tb>", "f.xml:8: </tb> closes no element; <gpu> is open"},
      {"type=\"r\" srcbuf=\"o\"", "type=\"re\" srcbuf=\"o\"", "f.xml:6: GPU 0, thread block 0, step 1: 're' combines"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(refusal(with(c.old, c.other)).substr(0, std::string_view(c.message).size()), c.message) << c.other;
  }
}

RC_GTEST_PROP(MscclReader, RefusesOrJudgesWhateverWasChanged, ()) {
  std::string text(kPair);
  const int changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) {
    const std::size_t offset = *rc::gen::inRange<std::size_t>(0, text.size());
    text[offset] = *rc::gen::elementOf(std::string("0123456789-<>/\"= sriocnpy\n&"));
  }
  try {
    const LiftedFiles lifted = lift_file({.name = "f.xml", .text = text});
    (void)verify(lifted.schedule, lifted.machine);
  } catch (const InputError& error) {
    RC_ASSERT(std::string(error.what()).starts_with("f.xml"));
  }
}

}  // namespace
}  // namespace muster::msccl
