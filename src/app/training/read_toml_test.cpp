#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "app/training/workload.h"
#include "base/error.h"

namespace muster::training {
namespace {

const std::string kText = R"(summary = "two blocks"
flops_per_second = 1e12
model_npus = 8
joins_at = "top"
[[block]]
name = "embedding"
[[block.layer]]
name = "tables"
forward = { time = "2 us", collective = "all-to-all", bytes = "4 KiB", scope = "all" }
[[block]]
name = "top"
repeat = 3
recompute = true
[[block.layer]]
name = "mlp"
forward = { flops = 5e6, collective = "allreduce", bytes = 100, dimensions = [2, 1] }
weight_gradient = { flops = 7000000, collective = "reduce-scatter", bytes = 64, scope = "data" }
update = { collective = "allgather", bytes = 64, scope = "data" }
)";

std::string refusal(const std::string& text) {
  try {
    (void)read_toml(text, "w.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = kText;
  text.replace(text.find(from), from.size(), to);
  return refusal(text);
}

TEST(TomlWorkload, HasBlocksOfLayers) {
  const Workload w = read_toml(kText, "folder/w.toml");
  EXPECT_EQ(w.name, "w");
  EXPECT_EQ(w.model_npus, 8);
  EXPECT_EQ(w.model_npus_line, 3);
  EXPECT_EQ(w.joins_at, 1U);
  ASSERT_EQ(w.layers.size(), 4U);
  EXPECT_DOUBLE_EQ(w.layers[0].forward.compute.value(), 2e-6);
  EXPECT_EQ(w.layers[0].forward.communication->bytes, Bytes(4096));
  const Layer& last = w.layers[3];
  EXPECT_TRUE(last.recomputes);
  EXPECT_DOUBLE_EQ(last.forward.compute.value(), 5e-6);
  EXPECT_EQ(last.forward.communication->dimensions, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(last.forward.communication->line, 16);
  EXPECT_EQ(last.update.communication->collective, Collective::allgather);
  EXPECT_EQ(last.update.communication->scope, Scope::data);
  EXPECT_FALSE(last.input_gradient.communication);
}

TEST(TomlWorkload, IsRefusedWithTheLine) {
  EXPECT_EQ(with("scope = \"all\"", "scope = \"some\""),
            "w.toml:9: block.1.layer.1.forward.scope: unknown value 'some'; use all, model, data");
  EXPECT_EQ(with("dimensions = [2, 1]", "dimensions = [2, 2]"),
            "w.toml:16: block.2.layer.1.forward.dimensions: name each dimension once, at least one: e.g. [1, 2]");
  EXPECT_EQ(with("dimensions = [2, 1]", "dimensions = [1], scope = \"all\""),
            "w.toml:16: block.2.layer.1.forward.dimensions: is given together with 'scope'; give one of the two");
  EXPECT_EQ(with("flops_per_second = 1e12\n", ""),
            "w.toml:15: block.2.layer.1.forward.flops: needs flops_per_second at the top of the file");
  EXPECT_EQ(with("flops = 5e6", "flops = -5"),
            "w.toml:16: block.2.layer.1.forward.flops: takes -5e-12 s; use 0 s to 86400 s");
  EXPECT_EQ(with("time = \"2 us\"", "time = \"2 cycles\""),
            "w.toml:9: block.1.layer.1.forward.time: a workload has no clock; use e.g. '2.5 us'");
  EXPECT_EQ(with("bytes = 100", "bytes = 0"),
            "w.toml:16: block.2.layer.1.forward.bytes: 0 is out of range; use 1 to 1125899906842624");
  EXPECT_EQ(with("collective = \"allreduce\", ", ""),
            "w.toml:16: block.2.layer.1.forward.collective: is missing; name the collective for these bytes");
  EXPECT_EQ(with("joins_at = \"top\"", "joins_at = \"embedding\""),
            "w.toml:4: joins_at: the first layer cannot wait for itself; name a later block");
  EXPECT_EQ(with("name = \"top\"", "name = \"embedding\"").substr(0, 47),
            "w.toml:11: block.2.name: 'embedding' is used tw");
  EXPECT_EQ(with("repeat = 3", "repeat = 100000"), "w.toml:12: block.2.repeat: there would be more than 100000 layers");
  EXPECT_EQ(with("recompute = true", "recomputes = true").substr(0, 31), "w.toml:13: block.2.recomputes: ");
  EXPECT_EQ(refusal("summary = \"x\"\n").substr(0, 9), "w.toml:1:");
}

RC_GTEST_PROP(TomlWorkload, IsReadOrRefusedWhateverWasChanged, ()) {
  std::string text = kText;
  for (int i = 0; i < 3; ++i) {
    text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::elementOf(std::string("0123456789-e.={}[]\"\n"));
  }
  try {
    (void)read_toml(text, "w.toml");
  } catch (const InputError& error) {
    RC_ASSERT(std::string(error.what()).starts_with("w.toml"));
  }
}

}  // namespace
}  // namespace muster::training
