#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "app/training/workload.h"
#include "base/error.h"

namespace muster::training {
namespace {

constexpr std::string_view kTwoLayers =
    "HYBRID_TRANSFORMER\tmodel_parallel_NPU_group: 4\t\t\n"
    "2\n"
    "Q1\t-1\t3145728\tNONE\t0\t2162688\tALLREDUCE\t8388608\t2228224\tALLREDUCE\t33554432\t10\r\n"
    "\n"
    "Out -1 5 ALLGATHER 16 6 NONE 0 7 REDUCESCATTER 32 0\n";

std::string refusal(const std::string& text) {
  try {
    (void)read_astra(text, "w.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(AstraWorkload, HasPassesWithTheirCommunication) {
  const Workload w = read_astra(kTwoLayers, "w.txt");
  EXPECT_EQ(w.model_npus, 4);
  ASSERT_EQ(w.layers.size(), 2U);
  EXPECT_EQ(w.layers[0].name, "Q1");
  EXPECT_DOUBLE_EQ(w.layers[0].forward.compute.value(), 3145728e-9);
  EXPECT_FALSE(w.layers[0].forward.communication);
  EXPECT_EQ(w.layers[0].input_gradient.communication,
            (Communication{.collective = Collective::allreduce, .bytes = Bytes(8388608), .scope = Scope::model}));
  EXPECT_EQ(w.layers[0].weight_gradient.communication->scope, Scope::data);
  EXPECT_EQ(w.layers[1].forward.communication->collective, Collective::allgather);
  EXPECT_TRUE(w.layers[1].forward.communication->of_each);
  EXPECT_DOUBLE_EQ(w.layers[0].update.compute.value(), 1e-8);
}

TEST(AstraWorkload, MayLackItsHead) {
  const Workload w = read_astra("a -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 5 1", "w.txt");
  ASSERT_EQ(w.layers.size(), 1U);
  EXPECT_EQ(w.layers[0].weight_gradient.communication->bytes, Bytes(5));
}

TEST(AstraWorkload, IsRefusedWithTheLine) {
  EXPECT_EQ(refusal(""), "w.txt:1: the file is empty; a layer table is expected");
  EXPECT_EQ(refusal("DATO\n1\n"), "w.txt:1: unknown policy 'DATO'; did you mean 'DATA'?");
  EXPECT_EQ(refusal("DATA\n"), "w.txt:1: the number of layers is expected behind the policy");
  EXPECT_EQ(refusal("DATA\nmany\n"), "w.txt:2: the number of layers: 'many' is no whole number from 1 to 100000");
  EXPECT_EQ(refusal("DATA\n2\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n"), "w.txt:2: 2 layers are announced, 1 follow");
  EXPECT_EQ(refusal("DATA\n1\na -1 1 SOME 0 1 NONE 0 1 NONE 0 1\n").substr(0, 28), "w.txt:3: unknown type 'SOME'");
  EXPECT_EQ(refusal("DATA\n1\na -1 1 NONE 0 1 NONE 0 -1 NONE 0 1\n").substr(0, 21), "w.txt:3: cycles: '-1'");
  EXPECT_EQ(refusal("DATA\n1\na b 1 NONE 0 1 NONE 0 1 NONE 0 1\n").substr(0, 31), "w.txt:3: the reserved word: 'b'");
  EXPECT_EQ(refusal("DATA\n1\na -1 1 NONE 0\n").substr(0, 16), "w.txt:3: 5 words");
  EXPECT_EQ(refusal("HYBRID_DLRM\n1\n").substr(0, 40), "w.txt:1: HYBRID_DLRM needs a number behi");
}

RC_GTEST_PROP(AstraWorkload, IsReadOrRefusedWhateverWasChanged, ()) {
  std::string text(kTwoLayers);
  for (int i = 0; i < 3; ++i) {
    text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::elementOf(std::string("0123456789-AELN \t\n"));
  }
  try {
    (void)read_astra(text, "w.txt");
  } catch (const InputError& error) {
    RC_ASSERT(std::string(error.what()).starts_with("w.txt:"));
  }
}

}  // namespace
}  // namespace muster::training
