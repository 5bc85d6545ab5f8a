// Whole adjoint runs, through files: F takes the values of the sources' wavelets to gathers, and the adjoint run is F^T.
#include "app/seismic/adjoint_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "app/seismic/file/files.h"
#include "app/seismic/plan.h"
#include "app/seismic/run.h"
#include "app/seismic/seismic_test_support.h"
#include "app/seismic/traces.h"
#include "base/error.h"
#include "base/file.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLayersAndMirrors = "low_y = \"damping\"\nlow_x = \"rigid\"\nhigh_x = \"zero\"\n";

/// Sources of every kind that the propagator has, off the grid; two sets of receivers, one of which skips steps; two shots.
std::string text_of(const std::string& propagator, const std::string& precision, const std::string& sides) {
  const bool has_velocities = propagator != "acoustic_iso_cd";
  const bool has_stresses = propagator.starts_with("elastic");
  const bool is_tilted = propagator.find("tti") != std::string::npos;
  std::string text = fmt::format(R"(
propagator = "{}"
precision = "{}"
grid = "17x15x18"
spacing = ["20 m", "22 m", "18 m"]
order = 4
steps = 40
cfl = 0.8
[[layer]]
vp = "2 km/s"
vs = "1.2 km/s"
density = "2 g/cm3"
epsilon = 0.1
delta = 0.05
theta = "30 deg"
phi = "20 deg"
[[layer]]
top = "160 m"
vp = "3 km/s"
vs = "1.7 km/s"
density = "2.4 g/cm3"
[boundaries]
cells = 3
{}{}
[[receivers]]
first = ["91 m", "120 m", "133 m"]
last = ["170 m", "160 m", "190 m"]
count = 3
every = 3
[[receivers]]
name = "deep"
fields = ["p"{}]
positions = ["160 m, 154 m, 180 m", "123 m, 107 m, 171 m"]
[shots]
count = 2
source_increment = ["15 m", "-10 m", "0 m"]
receiver_increment = ["10 m", "0 m", "3 m"]
[[source]]
position = ["142 m", "131 m", "117 m"]
frequency = "20 Hz"
[[source]]
position = ["161 m", "150 m", "101 m"]
frequency = "20 Hz"
kind = "explosion"
moment = 3e4
)",
                                 propagator, precision, is_tilted ? "ratio = 0.3\n" : "", sides,
                                 has_stresses     ? R"(, "vz", "sxy")"
                                 : has_velocities ? R"(, "vx")"
                                                  : "");
  if (has_velocities) {
    text += R"(
[[source]]
position = ["152 m", "122 m", "120 m"]
frequency = "20 Hz"
kind = "force"
force = [100, -200, 300]
)";
  }
  if (has_stresses) {
    text += R"(
[[source]]
position = ["140 m", "140 m", "126 m"]
frequency = "20 Hz"
kind = "moment"
moment = [1e4, 0, -2e4, 3e4, 1e4, -1e4]
)";
  }
  return text;
}

class AdjointRuns : public testing::Test {
 protected:
  AdjointRuns() : folder_(fs::temp_directory_path() / fmt::format("muster-adjoint-test-{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~AdjointRuns() override { fs::remove_all(folder_); }

  [[nodiscard]] RunOptions options(const std::string& below, int threads = 1) const {
    return {.target = {.kind = Target::Kind::cpu, .threads = threads},
            .folder = folder_ / below,
            .resume = {},
            .progress = {},
            .is_interrupted = {}};
  }

  /// The file of the shots stands in the folder.
  [[nodiscard]] Shot shot_of(const std::string& text, std::map<std::string, std::string> overrides = {}) const {
    return read_shot(text, (folder_ / "a.toml").string(), overrides);
  }
  [[nodiscard]] Shot adjoint_of(const std::string& text, std::map<std::string, std::string> overrides = {}) const {
    overrides.emplace("mode", "adjoint");
    overrides.emplace("adjoint.gathers", "observed-{shot}-{receivers}-{field}.raw");
    return shot_of(text, std::move(overrides));
  }

  /// Writes random gathers for the shot, in a format; returns their values, in the order of outputs.
  std::vector<double> write_observed(const Shot& shot, const std::string& format = "raw") const {
    Random random(7);
    std::vector<double> all;
    for (std::int64_t number = 1; number <= shot.repetition.count; ++number) {
      for (Traces& traces : receiver_traces(shot, number)) {
        Gather& gather = traces.gather;
        gather.values.resize(gather.receivers.size() * static_cast<std::size_t>(gather.samples));
        for (double& value : gather.values) value = static_cast<double>(static_cast<float>(random.unit() - 0.5));
        all.insert(all.end(), gather.values.begin(), gather.values.end());
        write_gather(gather, folder_ / fmt::format("observed-{}-{}-{}.{}", number, traces.set, gather.field, format),
                     {.format = {}, .precision = shot.is_double ? Precision::f64 : Precision::f32});
      }
    }
    return all;
  }

  /// The values of all raw files that a run has written.
  static std::vector<double> values_of(const WavefieldAnswer& answer, Precision precision) {
    std::vector<double> all;
    for (const std::string& path : answer.outputs) {
      const Gather gather = read_gather(path, {.format = {}, .precision = precision, .extent = {}, .samples = 1});
      all.insert(all.end(), gather.values.begin(), gather.values.end());
    }
    return all;
  }

  fs::path folder_;
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
  return sum;
}

/// Gives every source a wavelet of random values, 0 before the first step and behind the last.
void randomise(Shot& shot) {
  Random random(11);
  for (Source& source : shot.sources) {
    std::vector<double> samples(static_cast<std::size_t>(shot.steps + 1));
    for (double& sample : samples) sample = random.unit() - 0.5;
    source.wavelet = sampled_wavelet(std::move(samples), shot.grid.time_step, 0);
  }
}

/// What F is applied to: the values of all wavelets, shot after shot.
std::vector<double> wavelets_of(const Shot& shot) {
  std::vector<double> values;
  for (std::int64_t number = 1; number <= shot.repetition.count; ++number) {
    for (const Source& source : shot.sources) {
      for (std::int64_t n = 0; n <= shot.steps; ++n) {
        values.push_back(source.wavelet.at(static_cast<double>(n) * shot.grid.time_step));
      }
    }
  }
  return values;
}

std::vector<std::string> sides_for(const std::string& propagator) {
  const bool is_tilted = propagator.find("tti") != std::string::npos;
  std::vector<std::string> all{"",
                               "low_x = \"periodic\"\nhigh_x = \"periodic\"\nlow_y = \"damping\"\nhigh_z = \"zero\"\n"};
  if (propagator != "acoustic_tti") all.emplace_back(kLayersAndMirrors);
  if (!is_tilted) all.emplace_back("low_z = \"free-surface\"\nhigh_z = \"rigid\"\nhigh_x = \"damping\"\n");
  return all;
}

/// |<F s, d> - <s, F^T d>| over the product of the norms of F s and d.
struct Mismatch {
  double error = 0;
  double norm = 0;  ///< of F s
};

class TransposeOf : public AdjointRuns {
 protected:
  [[nodiscard]] Mismatch mismatch(const std::string& text) const {
    Shot forward = shot_of(text);
    randomise(forward);
    const Precision precision = forward.is_double ? Precision::f64 : Precision::f32;
    const std::vector<double> d = write_observed(forward);
    Shot adjoint = adjoint_of(text);
    randomise(adjoint);
    const std::vector<double> image = values_of(run(forward, options("forward")), precision);
    const std::vector<double> transposed = values_of(run(adjoint, options("adjoint")), precision);
    const double norm = std::sqrt(product(image, image));
    const double left = product(image, d);
    const double right = product(wavelets_of(forward), transposed);
    return {.error = std::abs(left - right) / (norm * std::sqrt(product(d, d))), .norm = norm};
  }
};

TEST_F(TransposeOf, ARunIsTheAdjointRun) {
  for (const std::string& propagator : propagator_names()) {
    for (const std::string& sides : sides_for(propagator)) {
      const Mismatch found = mismatch(text_of(propagator, "f64", sides));
      EXPECT_LT(found.error, 1e-12) << propagator << "\n" << sides;
      EXPECT_GT(found.norm, 0) << propagator;
      if (kIsSanitized) break;
    }
  }
}

TEST_F(TransposeOf, ARunInSinglePrecisionIsTheAdjointRunButForRounding) {
  for (const std::string& propagator : propagator_names()) {
    EXPECT_LT(mismatch(text_of(propagator, "f32", "")).error, 1e-5) << propagator;
  }
}

std::vector<std::string> contents_of(const WavefieldAnswer& answer) {
  std::vector<std::string> contents;
  for (const std::string& path : answer.outputs) contents.push_back(read_file(path));
  return contents;
}

TEST_F(AdjointRuns, GoOnToTheSameBitsFromACheckpoint) {
  for (const std::string propagator : {"acoustic_iso_cd", "elastic_iso"}) {
    for (const std::string precision : {"f32", "f64"}) {
      const std::string text = text_of(propagator, precision, "") + "[[snapshot]]\nevery = 20\n";
      (void)write_observed(shot_of(text));
      const Shot shot = adjoint_of(text);
      const WavefieldAnswer whole = run(shot, options("whole"));
      for (const int stop : {1, 27, 40, 53}) {
        RunOptions interrupted = options("parts");
        int steps = 0;
        interrupted.is_interrupted = [&] { return ++steps == stop; };
        EXPECT_THROW((void)run(shot, interrupted), NothingFits);
        RunOptions resumed = options("parts");
        resumed.resume = folder_ / "parts" / "a-adjoint.checkpoint";
        const WavefieldAnswer rest = run(shot, resumed);
        EXPECT_EQ(rest.checksum, whole.checksum) << propagator << " " << precision << " " << stop;
        EXPECT_EQ(contents_of(rest), contents_of(whole)) << propagator << " " << precision << " " << stop;
      }
    }
  }
}

TEST_F(AdjointRuns, GiveTheSameBitsWithAnyNumberOfThreads) {
  for (const std::string& propagator : propagator_names()) {
    const std::string text = text_of(propagator, "f32", "");
    (void)write_observed(shot_of(text));
    const WavefieldAnswer one = run(adjoint_of(text), options("one"));
    EXPECT_EQ(contents_of(run(adjoint_of(text), options("three", 3))), contents_of(one)) << propagator;
  }
}

TEST_F(AdjointRuns, TakeGathersInAnyFormat) {
  const std::string text = text_of("elastic_iso", "f32", "");
  (void)write_observed(shot_of(text));
  const WavefieldAnswer raw = run(adjoint_of(text), options("raw"));
  for (const std::string format : {"segy", "su", "rsf"}) {
    (void)write_observed(shot_of(text), format);
    const Shot shot = adjoint_of(text, {{"adjoint.gathers", "observed-{shot}-{receivers}-{field}." + format}});
    EXPECT_EQ(contents_of(run(shot, options(format))), contents_of(raw)) << format;
  }
}

TEST_F(AdjointRuns, WriteOneTracePerShotAndSource) {
  const std::string text = text_of("elastic_iso", "f32", "") + "[[snapshot]]\nevery = 20\n";
  (void)write_observed(shot_of(text));
  const Shot shot = adjoint_of(text);
  const WavefieldAnswer answer = run(shot, options("out"));
  EXPECT_EQ(answer.mode, "adjoint");
  const WavefieldPlan planned = plan(shot, options("out").target, options("out").folder);
  EXPECT_EQ(planned.mode, "adjoint");
  ASSERT_EQ(answer.outputs.size(), 12U);
  for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
    EXPECT_EQ(planned.outputs[i].path, answer.outputs[i]);
    EXPECT_EQ(planned.outputs[i].size.value(), static_cast<std::int64_t>(fs::file_size(answer.outputs[i])));
  }
  EXPECT_EQ(fs::path(answer.outputs[0]).filename(), "a-shot1-adjoint-p-step40.raw");
  EXPECT_EQ(fs::path(answer.outputs[1]).filename(), "a-shot1-adjoint-p-step20.raw");
  EXPECT_EQ(fs::path(answer.outputs[11]).filename(), "a-shot2-source4.raw");
  EXPECT_EQ(fs::file_size(answer.outputs[11]), 41U * 4) << "values of the wavelet at steps 0, ..., 40";
}

/// A gather of four samples that is taken after step 2 alone, without a medium in between: what comes back is known.
TEST_F(AdjointRuns, BringASampleBackToTheStepThatCausedIt) {
  const std::string text = R"(
propagator = "acoustic_iso_cd"
precision = "f64"
grid = "12x12x12"
spacing = "20 m"
order = 2
steps = 3
time_step = "2 ms"
[[layer]]
vp = "2 km/s"
[boundaries]
all = "zero"
[[source]]
position = ["120 m", "120 m", "120 m"]
frequency = "20 Hz"
[[receivers]]
positions = ["120 m, 120 m, 120 m"]
)";
  Shot shot = shot_of(text);
  Traces traces = receiver_traces(shot, 1).front();
  traces.gather.values = {0, 0, 1, 0};
  write_gather(traces.gather, folder_ / "observed-1-receivers1-p.raw", {.format = {}, .precision = Precision::f64});
  const std::vector<double> trace = values_of(run(adjoint_of(text), options("")), Precision::f64);
  // Step 1 adds vp^2 dt^2 / h^3 to the sample after step 2; step 0 comes back as 2 - 6 (vp dt / h)^2 of that.
  const double direct = 2000.0 * 2000 * 0.002 * 0.002 / 8000;
  ASSERT_EQ(trace.size(), 4U);
  EXPECT_NEAR(trace[1], direct, 1e-15);
  EXPECT_NEAR(trace[0], direct * (2 - 6 * 0.04), 1e-15);
  EXPECT_EQ(trace[2], 0);
  EXPECT_EQ(trace[3], 0);
}

TEST_F(AdjointRuns, RefuseWhatDoesNotFit) {
  const std::string text = text_of("acoustic_iso", "f32", "");
  for (const std::string format : {"raw", "rsf", "segy"}) (void)write_observed(shot_of(text), format);
  const auto message_with = [&](std::map<std::string, std::string> overrides) {
    try {
      (void)run(adjoint_of(text, std::move(overrides)), options(""));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto expect = [&](std::map<std::string, std::string> overrides, const std::string& part) {
    const std::string message = message_with(std::move(overrides));
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  };
  const std::string rsf = "observed-{shot}-{receivers}-{field}.rsf";
  expect({}, "accepted");
  expect({{"adjoint.gathers", "observed-{shot}-{field}.raw"}}, "is one file for 2 sets of receivers; put {receivers}");
  expect({{"adjoint.gathers", "observed-{receivers}-{field}.raw"}}, "is one file for 2 shots; put {shot}");
  expect({{"adjoint.gathers", "observed-{show}.raw"}}, "'{show}' stands for nothing");
  expect({{"adjoint.gathers", "none-{shot}-{receivers}-{field}.raw"}}, "none-1-receivers1-p.raw");
  expect({{"mode", "backward"}}, "mode");
  expect({{"steps", "41"}, {"adjoint.gathers", rsf}},
         "observed-1-deep-p.rsf: has 41 samples in a trace, but 42 are expected");
  expect({{"steps", "50"}}, "which is no multiple of a trace of 17 samples");
  expect({{"cfl", "0.7"}, {"adjoint.gathers", rsf}}, "s, but receivers1 has one every");
  expect({{"receivers.1.count", "4"}, {"adjoint.gathers", rsf}}, "has 3 traces, but receivers1 has 4 receivers");
  expect({{"receivers.1.fields", "[\"vx\"]"}, {"receivers.1.name", "deep"}, {"receivers.2.name", "receivers1"}},
         "observed-1-deep-vx.raw");
  expect({{"receivers.1.first", R"(["95 m", "120 m", "133 m"])"}, {"adjoint.gathers", rsf}},
         "trace 1 is of a receiver at 91,120,133 m, but the shot has it at 95,120,133 m");
  RunOptions on_gpu = options("");
  on_gpu.target.kind = Target::Kind::cuda;
  EXPECT_THROW((void)run(adjoint_of(text), on_gpu), InputError);
}

}  // namespace
}  // namespace muster::seismic
