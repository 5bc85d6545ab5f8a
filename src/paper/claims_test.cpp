#include "paper/claims.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/source_dir.h"

namespace muster {
namespace {

const std::string kHead = "paper = 'A paper'\nmachine = 'wse2'\n";

/// One claim about the chain with these lines in place of its kind, arguments and expectation.
std::string one_claim(const std::string& lines) {
  return kHead +
         "[[claim]]\nid = 'a'\nsection = '1'\nstatement = 's'\nsource = 'lemma'\ncollective = 'reduce'\n"
         "explanation = ''\nholds = true\n" +
         lines;
}

std::string refusal(const std::string& text) {
  try {
    parse_claims(text, "claims/paper.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

ClaimAnswer check(const std::string& lines) {
  const ClaimFile file = parse_claims(one_claim(lines), "claims/paper.toml");
  const Machine machine = load_machine(std::filesystem::path(source_dir()) / "machines" / "wse2.toml");
  return check_claim(file.claims.at(0), file, {machine});
}

const std::string kChain = "kind = 'formula'\nalgorithm = 'chain'\npes = [8]\ncounts = [16]\n";
const std::string kAmong = "among = ['star', 'chain', 'tree', 'two-phase']\n";

TEST(Claims, FileNamesPaperMachineAndItself) {
  const ClaimFile file = parse_claims(one_claim(kChain + "expected = 58"), "claims/paper.toml");
  EXPECT_EQ(file.name, "paper");
  EXPECT_EQ(file.paper, "A paper");
  EXPECT_EQ(file.machine, "wse2");
  ASSERT_EQ(file.claims.size(), 1U);
  EXPECT_EQ(file.claims[0].shapes, (std::vector<ClaimShape>{{8, 1}}));
}

TEST(Claims, FormulaIsTheAlgorithmsOwn) {
  const ClaimAnswer answer = check(kChain + "expected = 58");  // 16 + (2 * 2 + 2) * 7
  EXPECT_TRUE(answer.holds);
  EXPECT_EQ(answer.measured, "58 cycles");
  EXPECT_FALSE(check(kChain + "expected = 59").holds);
}

TEST(Claims, TimesOfMachinesWithoutAClockAreInMicroseconds) {
  const std::string common = "machines = ['themis-example']\ncounts = [64000000]\n";
  const Machine machine = load_machine(std::filesystem::path(source_dir()) / "machines" / "themis-example.toml");
  const auto measured = [&](const std::string& lines) {
    std::string text = one_claim(common + lines);
    text.replace(text.find("'reduce'"), 8, "'allreduce'");
    const ClaimFile file = parse_claims(text, "claims/paper.toml");
    const ClaimAnswer answer = check_claim(file.claims.at(0), file, {machine});
    EXPECT_TRUE(answer.holds) << answer.measured;
    return answer.measured;
  };
  EXPECT_EQ(measured("kind = 'difference'\nalgorithm = 'hierarchical'\nother = 'themis'\nexpected = 1000\n"
                     "set = ['chunks=4']\nother_set = ['chunks=4']\n"),
            "1000 us (8000.000 - 7000.000)");
  EXPECT_EQ(measured("kind = 'largest_difference'\nalgorithm = 'themis'\nset = ['chunks=4']\nexpected = 0\n"),
            "0 us (model 7000.000, simulated 7000.000, +0.000)");
  EXPECT_EQ(measured("kind = 'winner'\namong = ['hierarchical', 'themis']\nexpected = 'themis'\n").find(" cycles"),
            std::string::npos);
}

TEST(Claims, TrainingSpeedupIsThatOfASchedulerOverTheBaseline) {
  const std::string text =
      kHead +
      "[[claim]]\nid = 'a'\nsection = '1'\nstatement = 's'\nsource = 'ours'\nexplanation = ''\nholds = true\n"
      "kind = 'training_speedup'\nworkload = 'w'\nalgorithm = 'ideal'\nmachines = ['themis-2d-sw-sw']\nfaster = 4\n"
      "expected = 1.5\ntolerance = 0.01\n";
  const ClaimFile file = parse_claims(text, "claims/paper.toml");
  const std::filesystem::path folder(source_dir());
  Machine machine = load_machine(folder / "machines" / "themis-2d-sw-sw.toml", {{"dimension.1.size", "2"},
                                                                                {"dimension.1.latency", "1 us"},
                                                                                {"dimension.2.size", "2"},
                                                                                {"dimension.2.latency", "0 us"},
                                                                                {"dimension.1.bandwidth", "8 Gb/s"},
                                                                                {"dimension.1.links", "1"},
                                                                                {"dimension.2.bandwidth", "8 Gb/s"}});
  // 7.976 us of computing at 4 times the speed are 1.994 us. Then two words, each a chunk, leave along the first dimension: 8 ns at 1 GB/s,
  // and 1 us on their way: 3.002 us. The ideal sends half of the 8 bytes without a delay: 1.998 us.
  const training::Workload workload = training::read_toml(
      "summary = 'x'\n[[block]]\nname = 'b'\n[[block.layer]]\nname = 'l'\n"
      "forward = { time = '7.976 us', collective = 'all-to-all', bytes = 8, dimensions = [1] }\n",
      "w.toml");
  const ClaimAnswer answer = check_claim(file.claims.at(0), file, {machine}, {.workload = &workload, .shot = ""});
  EXPECT_TRUE(answer.holds) << answer.measured;
  EXPECT_THROW(check_claim(file.claims.at(0), file, {machine}), InputError);
}

TEST(Claims, SimulationOfAChainIsOneCycleFasterThanItsFormula) {
  const std::string chain = "kind = 'simulation'\nalgorithm = 'chain'\npes = [8]\ncounts = [16]\n";
  EXPECT_TRUE(check(chain + "expected = 57").holds);
  EXPECT_TRUE(check(chain + "expected = 58\ntolerance = 1").holds);
  EXPECT_FALSE(check(chain + "expected = 58\ntolerance_percent = 1").holds);
  EXPECT_TRUE(check(chain + "expected = 58\ntolerance_percent = 2").holds);
}

TEST(Claims, LargestDifferenceSaysWhereItIs) {
  const ClaimAnswer answer =
      check("kind = 'largest_difference'\nalgorithm = 'chain'\npes = [2, 8]\ncounts = [1, 16]\nexpected = 1");
  EXPECT_TRUE(answer.holds);
  EXPECT_EQ(answer.measured, "1 cycle (P = 2, B = 1: model 7, simulated 6, -1)");
}

TEST(Claims, RelationsPointInTheirDirection) {
  EXPECT_TRUE(check(kChain + "expected = 50\nrelation = 'at least'").holds);
  EXPECT_FALSE(check(kChain + "expected = 60\nrelation = 'at least'").holds);
  EXPECT_TRUE(check(kChain + "expected = 60\nrelation = 'at most'").holds);
  EXPECT_FALSE(check(kChain + "expected = 50\nrelation = 'at most'").holds);
  EXPECT_EQ(check(kChain + "expected = 50\nrelation = 'at most'").expected, "at most 50 cycles");
}

TEST(Claims, WinnersOrderAndCrossoverFollowThePredictions) {
  EXPECT_EQ(check("kind = 'winner'\n" + kAmong + "pes = [64]\ncounts = [1]\nexpected = 'star'").measured,
            "star (68 cycles)");
  const ClaimAnswer order = check("kind = 'order'\n" + kAmong +
                                  "pes = [16]\ncounts = [1, 100]\nexpected = ['star', 'tree', 'two-phase', 'chain']");
  EXPECT_TRUE(order.holds) << order.measured;
  const ClaimAnswer crossover = check("kind = 'crossover'\n" + kAmong +
                                      "from = 'tree'\nto = 'two-phase'\npes = [16]\ncounts = [1, 100]\nexpected = 11");
  EXPECT_TRUE(crossover.holds) << crossover.measured;
  const ClaimAnswer never = check("kind = 'crossover'\n" + kAmong +
                                  "from = 'chain'\nto = 'star'\npes = [16]\ncounts = [1, 100]\nexpected = 11");
  EXPECT_FALSE(never.holds);
  EXPECT_EQ(never.measured, "star never follows chain");
}

TEST(Claims, RatiosCompareWithAnotherAlgorithmAndWithTheBound) {
  EXPECT_TRUE(check("kind = 'ratio'\nalgorithm = 'chain'\nother = 'star'\npes = [512]\ncounts = [1]\nexpected = 5.94\n"
                    "tolerance = 0.01")
                  .holds);
  EXPECT_TRUE(
      check("kind = 'bound_ratio'\nalgorithm = 'chain'\npes = [2]\ncounts = [64]\nexpected = 1\nrelation = 'at least'")
          .holds);
}

TEST(Claims, OverManySizesTheLargestOrTheSmallestValueCounts) {
  const std::string ratio = "kind = 'ratio'\nalgorithm = 'chain'\nother = 'star'\npes = [4, 16]\ncounts = [1, 8]\n";
  EXPECT_EQ(check(ratio + "expected = 1").measured, "4.55x (P = 16, B = 1: 91 / 20 cycles)");
  EXPECT_EQ(check(ratio + "take = 'smallest'\nexpected = 1").measured, "0.78x (P = 16, B = 8: 98 / 125 cycles)");
  EXPECT_EQ(check(ratio + "by = 'simulation'\nexpected = 1").measured, "4.50x (P = 16, B = 1: 90 / 20 cycles)");
  const std::string apart =
      "kind = 'difference'\nalgorithm = 'chain'\nother = 'star'\npes = [4, 16]\ncounts = [1, 8]\n";
  EXPECT_EQ(check(apart + "expected = 71").measured, "71 cycles (P = 16, B = 1: 91 - 20)");
}

TEST(Claims, ModelTakesTheStarAsLemma51Does) {
  const std::string star =
      "kind = 'ratio'\nalgorithm = 'star'\nother = 'chain'\npes = [16]\ncounts = [1]\nexpected = 1\n";
  EXPECT_EQ(check(star).measured, "0.22x (20 / 91 cycles)");
  EXPECT_EQ(check(star + "by = 'model'").measured, "0.31x (28 / 91 cycles)");  // P / 2 + P - 1 + 2 T_R + 1
}

TEST(Claims, BestOfSeveralIsNamed) {
  EXPECT_EQ(check("kind = 'ratio_to_best'\nalgorithm = 'chain'\namong = ['star', 'tree']\npes = [16]\ncounts = [1]\n"
                  "expected = 1")
                .measured,
            "4.55x (91 / 20 cycles of star)");
}

TEST(Claims, NamedBoundIsTheOneComparedWith) {
  const std::string star = "kind = 'bound_ratio'\nalgorithm = 'star'\npes = [512]\ncounts = [1]\nexpected = 1\n";
  EXPECT_EQ(check(star).measured, "1.00x (516 / 516 cycles)");
  EXPECT_EQ(check(star + "bound = 'paper 1d (Lemma 5.5)'").measured, "0.996x (516 / 518 cycles)");
  try {
    check(star + "bound = 'paper 3d'");
    FAIL() << "an unknown bound was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("claim 'a': bound 'paper 3d' is not known"), std::string::npos)
        << error.what();
  }
}

TEST(Claims, ColorsAreThoseOfTheProgram) {
  EXPECT_EQ(check("kind = 'colors'\namong = ['star', 'chain']\npes = [8]\ncounts = [4]\nexpected = 2").measured,
            "2 colors (chain)");
  EXPECT_EQ(check("kind = 'colors'\namong = ['xy-chain']\ngrids = ['4x3']\ncounts = [4]\nexpected = 4").measured,
            "4 colors (xy-chain)");
}

TEST(Claims, MeanErrorIsOverAllSizes) {
  const ClaimAnswer answer =
      check("kind = 'mean_error'\nalgorithm = 'chain'\npes = [2]\ncounts = [1, 15]\nexpected = 10.8\ntolerance = 0.1");
  EXPECT_TRUE(answer.holds) << answer.measured;  // 7 for 6, 21 for 20 cycles: (16.7 + 5.0) / 2
  EXPECT_EQ(answer.measured, "10.8%, at most 16.7% (P = 2, B = 1: model 7, simulated 6, -1)");
}

TEST(Claims, OrderAdvancesByItsStep) {
  const std::string ring = "kind = 'crossover'\namong = ['chain', 'star']\nfrom = 'star'\nto = 'chain'\npes = [4]\n";
  EXPECT_EQ(check(ring + "counts = [1, 100]\nexpected = 7").measured, "7 elements");  // 3 B + 5 > B + 18
  EXPECT_EQ(check(ring + "counts = [1, 100]\nstep = 5\nexpected = 11").measured, "11 elements");
}

TEST(Claims, ClaimMayNameItsMachine) {
  ClaimFile file = parse_claims(one_claim(kChain + "expected = 58\nmachine = 'wse3'"), "claims/paper.toml");
  EXPECT_EQ(machines_of(file.claims[0], file), (std::vector<ClaimMachine>{{"wse3", {}}}));
  file = parse_claims(one_claim(kChain + "expected = 58"), "claims/paper.toml");
  EXPECT_EQ(machines_of(file.claims[0], file), (std::vector<ClaimMachine>{{"wse2", {}}}));
}

TEST(Claims, GridsAreReadStrictly) {
  const std::string snake = "kind = 'formula'\nalgorithm = 'snake'\ncounts = [256]\nexpected = 346\n";
  EXPECT_TRUE(check(snake + "grids = ['4x4']").holds);
  for (const char* const bad : {"4", "4x", "x4", "4x4x4", "0x4", "4 x 4", "-1x2"}) {
    EXPECT_NE(refusal(one_claim(snake + "grids = ['" + bad + "']")).find("is not WIDTHxHEIGHT"), std::string::npos)
        << bad;
  }
  EXPECT_NE(refusal(one_claim(snake + "grids = ['4x4']\npes = [16]")).find("one of the two"), std::string::npos);
  EXPECT_NE(refusal(one_claim(snake + "grids = ['4x4', '8x8']")).find("takes one grid"), std::string::npos);
}

TEST(Claims, KnownDifferenceIsNoFailure) {
  ClaimFile file = parse_claims(one_claim(kChain + "expected = 59"), "claims/paper.toml");
  const Machine machine = load_machine(std::filesystem::path(source_dir()) / "machines" / "wse2.toml");
  file.claims[0].holds = false;
  EXPECT_TRUE(check_claim(file.claims[0], file, {machine}).known_difference);
  file.claims[0].expected = 58;
  EXPECT_FALSE(check_claim(file.claims[0], file, {machine}).known_difference);
}

TEST(Claims, ParametersReplaceDefaults) {
  const std::string two = "kind = 'formula'\nalgorithm = 'two-phase'\npes = [256]\ncounts = [64]\nexpected = 526\n";
  EXPECT_TRUE(check(two + "set = ['group=16']").holds);
  EXPECT_FALSE(check(two + "set = ['group=4']").holds);
  EXPECT_NE(refusal(one_claim(two + "set = ['group']")).find("'group' is not NAME=NUMBER"), std::string::npos);
  EXPECT_NE(refusal(one_claim(two + "set = ['group=1', 'group=2']")).find("set twice"), std::string::npos);
}

TEST(Claims, UnfitFilesAreRefusedWithFileLineAndKey) {
  EXPECT_EQ(refusal(kHead).substr(0, 17), "claims/paper.toml");
  EXPECT_NE(refusal(one_claim("kind = 'guess'\n")).find("kind"), std::string::npos);
  EXPECT_NE(refusal(one_claim(kChain)).find("expected"), std::string::npos);
  EXPECT_NE(refusal(one_claim(kChain + "expected = 1\nother = 'star'")).find("other"), std::string::npos);
  EXPECT_NE(refusal(one_claim(kChain + "expected = 1\ntolerance = -1")).find("negative"), std::string::npos);
  EXPECT_NE(refusal(one_claim(kChain + "expected = 1\ntolerance = 1\ntolerance_percent = 1")).find("one of the two"),
            std::string::npos);
  EXPECT_NE(refusal(one_claim("kind = 'formula'\nalgorithm = 'chain'\npes = [8, 9]\ncounts = [16]\nexpected = 1"))
                .find("takes one number"),
            std::string::npos);
  EXPECT_NE(refusal(one_claim("kind = 'order'\n" + kAmong + "pes = [8]\ncounts = [16]\nexpected = ['star']"))
                .find("the least and the most"),
            std::string::npos);
  EXPECT_NE(refusal(one_claim(kChain + "expected = 1") + one_claim(kChain + "expected = 1").substr(kHead.size() - 1))
                .find("used twice"),
            std::string::npos);
}

TEST(Claims, SourceOfWhatIsExpectedIsNeededAndPassedOn) {
  const std::string claim = one_claim(kChain + "expected = 1");
  EXPECT_EQ(check(kChain + "expected = 58").source, "lemma");
  std::string none = claim;
  none.erase(none.find("source = 'lemma'\n"), 17);
  EXPECT_NE(refusal(none).find("claim.1.source: this key is missing"), std::string::npos) << refusal(none);
  std::string other = claim;
  other.replace(other.find("'lemma'"), 7, "'guess'");
  EXPECT_NE(refusal(other).find("use paper, lemma, ours"), std::string::npos) << refusal(other);
}

/// A claim about 64 tiles of the Wormhole.
ClaimAnswer check_torus(const std::string& lines) {
  const ClaimFile file = parse_claims(
      "paper = 'A paper'\nmachine = 'wormhole-n150'\n[[claim]]\nid = 'a'\nsection = '1'\n"
      "statement = 's'\nsource = 'ours'\ncollective = 'allreduce'\nholds = true\n"
      "explanation = ''\ngrids = ['8x8']\ncounts = [1024]\n" +
          lines,
      "claims/paper.toml");
  std::vector<Machine> machines;
  for (const auto& [name, overrides] : machines_of(file.claims.at(0), file)) {
    machines.push_back(load_machine(std::filesystem::path(source_dir()) / "machines" / (name + ".toml"), overrides));
  }
  return check_claim(file.claims.at(0), file, machines);
}

const std::string kSwing = "algorithm = 'swing-latency'\n";
const std::string kTwice = "kind = 'ratio'\nby = 'simulation'\n" + kSwing + "other = 'swing-latency'\nexpected = 1\n";

TEST(Claims, OptionsOfTheFamilyAreThoseOfBothUnlessOtherHasItsOwn) {
  EXPECT_TRUE(check_torus(kTwice + "options = ['sync=handshake']").holds);
  EXPECT_FALSE(check_torus(kTwice + "options = ['sync=handshake']\nother_options = ['sync=one-way']").holds);
  const std::string both = "options = ['sync=handshake', 'noc-assignment=swapped']\nother_options = ['sync=handshake']";
  EXPECT_TRUE(check_torus(kTwice + both).holds);
  EXPECT_THROW(check_torus(kTwice + "options = ['vectors=node']"), InputError);
  EXPECT_THROW(check_torus(kTwice + "options = ['sync=never']"), InputError);
}

TEST(Claims, OtherMayRunOnAnotherMachine) {
  EXPECT_FALSE(check_torus(kTwice + "other_param = ['link.hop_latency=90 cycles']").holds);
  EXPECT_TRUE(check_torus(kTwice + "param = ['link.hop_latency=90 cycles']").holds);
  EXPECT_FALSE(check_torus(kTwice + "other_machine = 'torus-8x8'").holds);
}

TEST(Claims, TypeIsThatOfTheElements) {
  const std::string time = "kind = 'simulation'\n" + kSwing + "expected = 0\n";
  EXPECT_NE(check_torus(time + "type = 'bf16'").measured, check_torus(time).measured);
}

TEST(Claims, HopsAreThoseOfARankOrOfTheFarthestInEachStep) {
  const std::string hops = "kind = 'hops'\n" + kSwing;
  EXPECT_EQ(check_torus(hops + "expected = 4\nrank = 63").measured, "15 hops (1 + 1 + 2 + 4 + 3 + 4)");
  EXPECT_EQ(check_torus(hops + "expected = 4").measured, "19 hops (1 + 2 + 2 + 4 + 4 + 6)");
  EXPECT_EQ(check_torus(hops + "expected = 4\ntake = 'smallest'").measured, "10 hops (1 + 1 + 1 + 1 + 3 + 3)");
  EXPECT_THROW(check_torus(hops + "expected = 4\nrank = 64"), InputError);
}

TEST(Claims, OneOfAUnitIsSingular) {
  EXPECT_EQ(check(kChain + "expected = 1").expected, "1 cycle");
  EXPECT_EQ(check(kChain + "expected = 2").expected, "2 cycles");
}

TEST(Claims, EveryShippedFileIsValid) {
  const auto files = claim_files(source_dir());
  EXPECT_FALSE(files.empty());
  for (const auto& file : files) EXPECT_FALSE(load_claims(file).claims.empty()) << file;
}

/// A claim about the example of Themis' Figure 5.
ClaimAnswer check_example(const std::string& lines) {
  const std::string text = kHead +
                           "[[claim]]\nid = 'a'\nsection = '1'\nstatement = 's'\nsource = 'lemma'\n"
                           "collective = 'allreduce'\nmachines = ['themis-example']\ncounts = [64000000]\n"
                           "explanation = ''\nholds = true\n" +
                           lines;
  const ClaimFile file = parse_claims(text, "claims/paper.toml");
  const auto machine = load_machine(std::filesystem::path(source_dir()) / "machines" / "themis-example.toml");
  return check_claim(file.claims.at(0), file, {machine});
}

TEST(Claims, FollowTheChunksOfACluster) {
  const std::string themis = "algorithm = 'themis'\nset = ['chunks=4', 'order=fifo']\n";
  const ClaimAnswer orders =
      check_example("kind = 'chunk_orders'\n" + themis + "expected = ['1 2', '2 1', '1 2', '1 2']");
  EXPECT_TRUE(orders.holds) << orders.measured;
  const ClaimAnswer two = check_example(
      "kind = 'chunk_times'\nalgorithm = 'hierarchical'\nset = ['chunks=2']\n"
      "expected = ['RS1 0-2000, RS2 2000-4000, AG1 4000-6000, AG2 6000-8000', "
      "'RS1 2000-3000, AG1 3000-4000, RS2 4000-5000, AG2 5000-6000']");
  EXPECT_TRUE(two.holds) << two.measured;
  EXPECT_EQ(two.expected, "8 operations on 2 dimensions, the last until 8000 us");
  EXPECT_EQ(two.measured, "all at these times");
}

TEST(Claims, SayWhereTheTimesOfChunksDiffer) {
  const ClaimAnswer wrong = check_example(
      "kind = 'chunk_times'\nalgorithm = 'hierarchical'\nset = ['chunks=2']\n"
      "expected = ['RS1 0-2000, RS2 2000-4000, AG1 4000-6000, AG2 6000-8000', "
      "'RS1 2000-3000, RS2 3000-4000, AG1 4000-5000, AG2 5000-6000']");
  EXPECT_FALSE(wrong.holds);
  EXPECT_EQ(wrong.measured, "dimension 2: AG1 3000-4000 where RS2 3000-4000 was expected");
}

TEST(Claims, CountMicrosecondsWhereThereIsNoClock) {
  const ClaimAnswer time =
      check_example("kind = 'simulation'\nalgorithm = 'hierarchical'\nset = ['chunks=4']\nexpected = 8000");
  EXPECT_TRUE(time.holds);
  EXPECT_EQ(time.expected, "8000 us");
  EXPECT_EQ(time.measured, "8000 us");
}

}  // namespace
}  // namespace muster
