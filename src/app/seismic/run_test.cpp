// Whole runs: files, several shots, checkpoints.
#include "app/seismic/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/seismic/plan.h"
#include "app/seismic/recorder.h"
#include "app/seismic/seismic_test_support.h"
#include "base/error.h"
#include "base/file.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with the test.
class Runs : public testing::Test {
 protected:
  Runs() : folder_(fs::temp_directory_path() / fmt::format("muster-run-test-{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~Runs() override { fs::remove_all(folder_); }

  [[nodiscard]] RunOptions options(const std::string& below) const {
    return {.target = {.kind = Target::Kind::cpu, .threads = 1},
            .folder = folder_ / below,
            .resume = {},
            .progress = {},
            .is_interrupted = {}};
  }

  fs::path folder_;
};

std::string text_of(const std::string& propagator, const std::string& precision) {
  return fmt::format(R"(
propagator = "{}"
precision = "{}"
grid = "22x20x24"
spacing = ["20 m", "22 m", "18 m"]
order = 4
steps = 40
cfl = 0.8
[[layer]]
vp = "2 km/s"
vs = "1.2 km/s"
density = "2 g/cm3"
[[layer]]
top = "200 m"
vp = "3 km/s"
vs = "1.7 km/s"
density = "2.4 g/cm3"
[boundaries]
cells = 4
low_y = "damping"
[[source]]
position = ["200 m", "200 m", "150 m"]
frequency = "20 Hz"
delay = "20 ms"
[[receivers]]
first = ["140 m", "220 m", "190 m"]
last = ["270 m", "220 m", "190 m"]
count = 3
every = 2
[[snapshot]]
times = ["0 s", "20 ms"]
[shots]
count = 2
source_increment = ["15 m", "-10 m", "0 m"]
receiver_increment = ["10 m", "0 m", "0 m"]
)",
                     propagator, precision);
}

std::vector<std::string> contents_of(const WavefieldAnswer& answer) {
  std::vector<std::string> contents;
  for (const std::string& path : answer.outputs) contents.push_back(read_file(path));
  return contents;
}

TEST_F(Runs, GoOnToTheSameBitsFromACheckpoint) {
  for (const std::string& propagator : propagator_names()) {
    for (const std::string precision : {"f32", "f64"}) {
      const Shot shot = read_shot(text_of(propagator, precision), "a.toml");
      const WavefieldAnswer whole = run(shot, options("whole"));
      for (const int stop :
           kIsSanitized ? std::vector{13} : std::vector{13, 40, 53}) {  // in the first shot, at its end, in the second
        RunOptions interrupted = options("parts");
        int steps = 0;
        interrupted.is_interrupted = [&] { return ++steps == stop; };
        EXPECT_THROW((void)run(shot, interrupted), NothingFits);
        RunOptions resumed = options("parts");
        resumed.resume = folder_ / "parts" / "a.checkpoint";
        const WavefieldAnswer rest = run(shot, resumed);
        EXPECT_EQ(rest.checksum, whole.checksum) << propagator << " " << precision << " " << stop;
        EXPECT_EQ(contents_of(rest), contents_of(whole)) << propagator << " " << precision << " " << stop;
      }
    }
  }
}

TEST_F(Runs, GiveTheSameBitsWithSeveralShotsInFlight) {
  const Shot shot = read_shot(text_of("elastic_iso", "f32"), "a.toml", {{"shots.count", "5"}});
  const WavefieldAnswer expected = run(shot, options("one"));
  RunOptions several = options("several");
  several.shots_in_flight = 3;
  const WavefieldAnswer found = run(shot, several);
  EXPECT_EQ(found.checksum, expected.checksum);
  EXPECT_EQ(contents_of(found), contents_of(expected));
  EXPECT_EQ(found.outputs.size(), expected.outputs.size());
}

TEST_F(Runs, GoOnToTheSameBitsWithSeveralShotsInFlight) {
  const Shot shot = read_shot(text_of("acoustic_iso", "f32"), "a.toml", {{"shots.count", "5"}});
  const WavefieldAnswer whole = run(shot, options("whole"));
  for (const int stop : {3, 25, 40}) {  // steps of the first shot
    RunOptions interrupted = options("parts");
    interrupted.shots_in_flight = 3;
    int steps = 0;
    interrupted.is_interrupted = [&] { return ++steps == stop; };
    EXPECT_THROW((void)run(shot, interrupted), NothingFits);
    RunOptions resumed = options("parts");
    resumed.resume = folder_ / "parts" / "a.checkpoint";
    resumed.shots_in_flight = 2;
    const WavefieldAnswer rest = run(shot, resumed);
    EXPECT_EQ(rest.checksum, whole.checksum) << stop;
    EXPECT_EQ(contents_of(rest), contents_of(whole)) << stop;
  }
}

TEST_F(Runs, RefuseCheckpointsOfAnotherRunAndBrokenOnes) {
  const std::string text = text_of("acoustic_iso", "f32");
  const Shot shot = read_shot(text, "a.toml");
  RunOptions interrupted = options("");
  interrupted.is_interrupted = [] { return true; };
  EXPECT_THROW((void)run(shot, interrupted), NothingFits);
  const fs::path checkpoint = folder_ / "a.checkpoint";
  const std::string bytes = read_file(checkpoint);
  const auto message_with = [&](const Shot& other, const std::string& content) {
    std::ofstream(folder_ / "b.checkpoint", std::ios::binary) << content;
    RunOptions resumed = options("");
    resumed.resume = folder_ / "b.checkpoint";
    try {
      (void)run(other, resumed);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message_with(shot, bytes), "accepted");
  const Shot other = read_shot(text, "a.toml", {{"order", "6"}});
  EXPECT_NE(message_with(other, bytes).find("is of another run: 'order 4' there, 'order 6' here"), std::string::npos);
  EXPECT_NE(message_with(shot, bytes.substr(0, bytes.size() - 9)).find(fmt::format("has {} bytes", bytes.size() - 9)),
            std::string::npos);
  for (const std::size_t at : {bytes.size() / 2, bytes.size() - 1}) {
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    EXPECT_NE(message_with(shot, altered).find("was altered"), std::string::npos) << at;
  }
  EXPECT_NE(message_with(shot, "MUSTER").find("truncated"), std::string::npos);
  EXPECT_NE(message_with(shot, "a text that is none of ours").find("is not a checkpoint"), std::string::npos);
}

TEST_F(Runs, RefuseToGoOnWhereTheFirstFilesAreGone) {
  const Shot shot = read_shot(text_of("acoustic_iso", "f32"), "a.toml");
  RunOptions interrupted = options("first");
  int steps = 0;
  interrupted.is_interrupted = [&] { return ++steps == 45; };
  EXPECT_THROW((void)run(shot, interrupted), NothingFits);
  RunOptions resumed = options("second");
  resumed.resume = folder_ / "first" / "a.checkpoint";
  try {
    (void)run(shot, resumed);
    FAIL() << "half of the files are missing";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("a-shot1-receivers1-p.raw is not there any more"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(folder_ / "second"));
}

TEST_F(Runs, WriteOneFilePerShotSetAndField) {
  const Shot shot = read_shot(text_of("elastic_iso", "f32"), "a.toml", {{"receivers.1.fields", "[\"p\", \"vz\"]"}});
  const WavefieldAnswer answer = run(shot, options("out"));
  const WavefieldPlan planned = plan(shot, options("out").target, options("out").folder);
  ASSERT_EQ(answer.outputs.size(), 8U);
  for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
    EXPECT_EQ(planned.outputs[i].path, answer.outputs[i]);
    EXPECT_EQ(planned.outputs[i].size.value(), static_cast<std::int64_t>(fs::file_size(answer.outputs[i])));
  }
  EXPECT_EQ(fs::path(answer.outputs[0]).filename(), "a-shot1-p-step0.raw");
  EXPECT_EQ(fs::path(answer.outputs[7]).filename(), "a-shot2-receivers1-vz.raw");
  EXPECT_EQ(fs::file_size(answer.outputs[7]), 3U * 21 * 4) << "three receivers, samples after 0, 2, ..., 40 steps";
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "out")) files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, answer.outputs.size()) << "nothing else is left";
}

TEST_F(Runs, OfSeveralShotsGiveWhatEachGivesAlone) {
  const std::string text = text_of("acoustic_iso_cd", "f32");
  const std::vector<std::string> both = contents_of(run(read_shot(text, "a.toml"), options("both")));
  const std::map<std::string, std::string> second{{"shots.count", "1"},
                                                  {"source.1.position", R"(["215 m", "190 m", "150 m"])"},
                                                  {"receivers.1.first", R"(["150 m", "220 m", "190 m"])"},
                                                  {"receivers.1.last", R"(["280 m", "220 m", "190 m"])"}};
  const std::vector<std::string> alone = contents_of(run(read_shot(text, "a.toml", second), options("alone")));
  ASSERT_EQ(alone.size() * 2, both.size());
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(both[alone.size() + i], alone[i]) << i;
  EXPECT_NE(both[0 + alone.size() - 1], both[both.size() - 1]);
}

TEST_F(Runs, TakeModelsFromFiles) {
  std::string text = text_of("elastic_iso", "f32");
  const std::string layers = text.substr(text.find("[[layer]]"), text.find("[boundaries]") - text.find("[[layer]]"));
  const WavefieldAnswer expected = run(read_shot(text, "a.toml"), options("layers"));
  const auto write = [&](const std::string& name, float upper, float lower) {
    std::ofstream file(folder_ / name, std::ios::binary);
    for (int i = 0; i < 22 * 20 * 24; ++i) {
      const float value = (i % 24) * 18 < 200 ? upper : lower;
      file.write(reinterpret_cast<const char*>(&value), sizeof(value));
    }
  };
  write("vp.raw", 2000, 3000);
  write("vs.raw", 1200, 1700);
  write("rho.raw", 2000, 2400);
  text.replace(text.find(layers), layers.size(), "[model]\nvp = \"vp.raw\"\nvs = \"vs.raw\"\ndensity = \"rho.raw\"\n");
  const std::string file = (folder_ / "a.toml").string();
  EXPECT_EQ(run(read_shot(text, file), options("files")).checksum, expected.checksum);
  write("vs.raw", 1200, 2900);
  try {
    (void)read_shot(text, file);
    FAIL() << "a stiffness that is not positive definite was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("model.vs: cell 0,0,12: 2900 m/s is too fast"), std::string::npos);
  }
}

TEST_F(Runs, EndWhereAFieldIsNotFinite) {
  Shot shot = read_shot(text_of("acoustic_iso_cd", "f32"), "a.toml");
  shot.sources.front().pressure = 1e60;  // which a shot file may not say
  try {
    (void)run(shot, options(""));
    FAIL() << "infinite values were accepted";
  } catch (const NothingFits& error) {
    EXPECT_NE(std::string(error.what()).find("step 8: p is"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace muster::seismic
