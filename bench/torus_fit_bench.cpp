// The fit behind machines/wormhole-n150.toml, to be run again by anybody, and its error on what it did not see. Fitted are the values
// that no public document gives; the others are those of the machine file. The rules:
//
//   rows      those that were measured, of 64, 256, 1024, ... bytes, evenly spaced in the file
//   sizes     one fit on 16 rows of each pattern, up to 1,000,000 flit-hops; tested on 128, 512, 2048, ... bytes, which it did not see. A
//             first fit, on 12 rows up to 30,000 flit-hops, had 6.1% there: rows so short say nothing about contention and long streams
//   patterns  one fit for each pattern without its rows, on 12 rows of the others, up to 30,000 flit-hops; tested on all its sizes
//   start     round numbers that owe nothing to the file: 20 cycles for everything that a processor does, the rates of the public
//             documents, no contention
//   misfit    the mean over the patterns of the mean relative error
//   search    one parameter after another, a step up or down within its range, if that makes the misfit smaller; steps grow and shrink, and
//             a parameter that cannot be improved rests for two rounds
//
// A value that no row depends on stays where it starts. Tests run rows up to 6 million flit-hops. Without an argument, it fits for
// sizes; with "patterns", without each pattern in turn. Fails if the fit is better than the machine
// file on held-out sizes, which should then have its values; or if the mean error on held-out patterns is 10% or more.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "backend/torus/silicon_test_support.h"
#include "base/parallel.h"
#include "base/text_table.h"

namespace muster::torus {
namespace {

constexpr double kTestWork = 6e6;
constexpr int kMostSweeps = 10;
constexpr int kRest = 2;
constexpr double kLeastGain = 1e-4;  ///< of the misfit by a sweep; the search ends below it

using Point = std::vector<double>;

bool is_dram(const SiliconRow& row) { return row.memory != "l1"; }
bool is_read(const SiliconRow& row) { return row.pattern == "one_from_one"; }
bool is_write(const SiliconRow& row) { return row.mechanism == "unicast" && !is_read(row); }
bool is_multicast(const SiliconRow& row) { return row.mechanism != "unicast"; }
bool has_many_senders(const SiliconRow& row) { return row.pattern == "all_to_all"; }
/// Of all cores: released by an atomic each, and a multicast.
bool is_released(const SiliconRow& row) { return has_many_senders(row) && is_dram(row); }

struct Parameter {
  std::string name;
  double start;
  double least;
  double most;
  double step;
  std::function<void(Torus&, double)> set;
  std::function<double(const Torus&)> get;
  std::function<bool(const SiliconRow&)> matters;  ///< whether the time of a row may depend on it
};

Parameter cycles(std::string name, double start, double most, std::function<Cycles&(Torus&)> field,
                 std::function<bool(const SiliconRow&)> matters) {
  return {.name = std::move(name),
          .start = start,
          .least = 0,
          .most = most,
          .step = 1,
          .set = [field](Torus& torus, double value) { field(torus) = Cycles(std::llround(value)); },
          .get =
              [field](const Torus& torus) {
                Torus copy = torus;
                return static_cast<double>(field(copy).value());
              },
          .matters = std::move(matters)};
}

Parameter rate(std::string name, double start, double step, double Torus::Interface::*field,
               std::function<bool(const SiliconRow&)> matters) {
  return {.name = std::move(name),
          .start = start,
          .least = 16,
          .most = 32,
          .step = step,
          .set = [field](Torus& torus, double value) { torus.interface.*field = value; },
          .get = [field](const Torus& torus) { return torus.interface.*field; },
          .matters = std::move(matters)};
}

Parameter dram_rate(std::string name, double start, double Torus::Dram::*field) {
  return {.name = std::move(name),
          .start = start,
          .least = 12,
          .most = start,
          .step = 0.1,
          .set = [field](Torus& torus, double value) { torus.dram.*field = value; },
          .get = [field](const Torus& torus) { return torus.dram.*field; },
          .matters = is_dram};
}

Parameter count(std::string name, double start, double most, std::int32_t Torus::*field,
                std::function<bool(const SiliconRow&)> matters) {
  return {.name = std::move(name),
          .start = start,
          .least = 1,
          .most = most,
          .step = 1,
          .set = [field](Torus& torus, double value) { torus.*field = static_cast<std::int32_t>(std::lround(value)); },
          .get = [field](const Torus& torus) { return static_cast<double>(torus.*field); },
          .matters = std::move(matters)};
}

std::vector<Parameter> parameters() {
  const auto any = [](const SiliconRow&) { return true; };
  const auto issues = [](bool (*kind)(const SiliconRow&), bool stateful) {
    return [=](const SiliconRow& row) { return kind(row) && row.stateful == stateful; };
  };
  const auto multicasts = [](const SiliconRow& row) { return is_multicast(row) || is_released(row); };
  return {
      cycles(
          "issue.write", 20, 60, [](Torus& t) -> Cycles& { return t.issue.write; }, issues(is_write, false)),
      cycles(
          "issue.stateful_write", 20, 60, [](Torus& t) -> Cycles& { return t.issue.stateful_write; },
          issues(is_write, true)),
      cycles(
          "issue.read", 20, 60, [](Torus& t) -> Cycles& { return t.issue.read; }, issues(is_read, false)),
      cycles(
          "issue.stateful_read", 20, 60, [](Torus& t) -> Cycles& { return t.issue.stateful_read; },
          issues(is_read, true)),
      cycles(
          "issue.multicast", 20, 60, [](Torus& t) -> Cycles& { return t.issue.multicast; }, multicasts),
      cycles(
          "issue.destination", 20, 60, [](Torus& t) -> Cycles& { return t.issue.destination; },
          [](const SiliconRow& row) { return is_write(row) && row.subordinates > 0; }),
      cycles(
          "issue.state", 20, 60, [](Torus& t) -> Cycles& { return t.issue.state; },
          [](const SiliconRow& row) { return row.stateful; }),
      cycles(
          "issue.barrier", 20, 60, [](Torus& t) -> Cycles& { return t.issue.barrier; }, any),
      cycles(
          "issue.bank", 20, 60, [](Torus& t) -> Cycles& { return t.issue.bank; },
          [](const SiliconRow& row) { return row.memory == "dram_interleaved"; }),
      cycles(
          "interface.memory_latency", 20, 60, [](Torus& t) -> Cycles& { return t.interface.memory_latency; }, any),
      cycles(
          "interface.acknowledge", 20, 60, [](Torus& t) -> Cycles& { return t.interface.acknowledge; }, any),
      rate("interface.write_bandwidth", 32, 0.05, &Torus::Interface::write_rate,
           [](const SiliconRow& row) { return !is_read(row); }),
      rate("interface.read_bandwidth", 32, 0.05, &Torus::Interface::read_rate, is_read),
      cycles(
          "multicast.reservation", 20, 100, [](Torus& t) -> Cycles& { return t.interface.reservation; }, multicasts),
      cycles(
          "multicast.reservation_per_hop", 18, 36, [](Torus& t) -> Cycles& { return t.interface.reservation_per_hop; },
          multicasts),
      count("router.channel_flits", 16, 64, &Torus::channel_flits, any),
      cycles(
          "router.hand_over", 0, 20, [](Torus& t) -> Cycles& { return t.hand_over; },
          [](const SiliconRow& row) { return is_dram(row) || row.subordinates > 0; }),
      count("router.contended_flits", 32, 32, &Torus::contended_flits,
            [](const SiliconRow& row) { return is_dram(row) || row.subordinates > 0; }),
      dram_rate("dram.bandwidth", 24, &Torus::Dram::rate),
      dram_rate("dram.interface_bandwidth", 32, &Torus::Dram::interface_rate),
      {.name = "dram.buffer, KiB",
       .start = 2,
       .least = 1,
       .most = 32,
       .step = 1,
       .set = [](Torus& torus, double value) { torus.dram.buffer = Bytes(1024 * std::llround(value)); },
       .get = [](const Torus& torus) { return static_cast<double>(torus.dram.buffer.value()) / 1024; },
       .matters = is_dram},
      cycles(
          "dram.latency", 20, 300, [](Torus& t) -> Cycles& { return t.dram.latency; }, is_dram),
      cycles(
          "dram.short_write", 20, 200, [](Torus& t) -> Cycles& { return t.dram.short_write; }, is_dram),
  };
}

/// A row of measurements, and its simulated times at the points that the search has visited: by the values that matter to it.
struct Sample {
  SiliconRow row;
  SiliconTraffic traffic;
  double work = 0;
  bool is_training = false;
  std::map<Point, double> times;
};

double error_of(const Sample& sample, double simulated) { return simulated / sample.row.cycles - 1; }
bool is_training_size(const SiliconRow& row) { return std::lround(std::log2(row.bytes)) % 2 == 0; }

/// What a fit sees of each pattern.
struct Training {
  double most_work;  ///< of a row, in flit-hops
  std::size_t most_rows;
};

constexpr Training kLong{.most_work = 1e6, .most_rows = 16};
constexpr Training kShort{.most_work = 30'000, .most_rows = 12};

class Fitter {
 public:
  explicit Fitter(const Training& training) : torus_(measured_chip()), parameters_(parameters()) {
    for (const SiliconRow& row : silicon_rows()) {
      if (row.is_filled_in) continue;
      Sample sample{.row = row, .traffic = traffic_of(row, torus_), .times = {}};
      sample.work = work_of(sample.traffic, torus_);
      if (sample.work <= kTestWork) samples_.push_back(std::move(sample));
    }
    std::map<std::string, std::vector<Sample*>> small;
    for (Sample& sample : samples_) {
      if (sample.work <= training.most_work && is_training_size(sample.row))
        small[sample.row.series()].push_back(&sample);
    }
    for (const auto& [pattern, rows] : small) {
      const std::size_t chosen = std::min(rows.size(), training.most_rows);
      for (std::size_t i = 0; i < chosen; ++i) rows[i * rows.size() / chosen]->is_training = true;
    }
  }

  [[nodiscard]] const std::vector<Parameter>& all_parameters() const { return parameters_; }
  [[nodiscard]] std::set<std::string> patterns() const {
    std::set<std::string> names;
    for (const Sample& sample : samples_) names.insert(sample.row.series());
    return names;
  }
  [[nodiscard]] Point shipped() const {
    Point point;
    for (const Parameter& parameter : parameters_) point.push_back(parameter.get(torus_));
    return point;
  }

  /// The best point for the training rows of all patterns but one.
  Point fit(const std::string& without) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      if (samples_[i].is_training && samples_[i].row.series() != without) rows.push_back(i);
    }
    Point point;
    std::vector<double> steps;
    std::vector<int> rests(parameters_.size(), 0);
    for (const Parameter& parameter : parameters_) {
      point.push_back(parameter.start);
      steps.push_back(std::max(parameter.step,
                               parameter.step * std::round((parameter.most - parameter.least) / 10 / parameter.step)));
    }
    double best = misfit(point, rows);
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      const double before = best;
      bool is_finest = true;
      for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (--rests[i] >= 0) continue;
        const bool was_finest = steps[i] <= parameters_[i].step;
        const bool is_better = improve(point, best, steps[i], i, rows);
        if (was_finest && !is_better) rests[i] = kRest;
        is_finest &= was_finest;
      }
      fmt::print(stderr, "without '{}': sweep {}, misfit {:.3f}%\n", without, sweep + 1, 100 * best);
      if (is_finest && before - best < kLeastGain) break;
    }
    return point;
  }

  using Errors = std::vector<std::pair<const Sample*, double>>;

  /// The relative errors at a point, of all patterns or one. Every row is simulated, and must take the time that the search saw.
  Errors errors(const Point& point, const std::string& pattern = "") {
    const Torus torus = torus_at(point);
    Errors errors;
    for (const Sample& sample : samples_) {
      if (pattern.empty() || sample.row.series() == pattern) errors.emplace_back(&sample, 0);
    }
    for_each_index(errors.size(), [&](std::size_t i) {
      const Sample& sample = *errors[i].first;
      const double simulated = simulated_cycles(sample.traffic, torus);
      const auto seen = sample.times.find(key(sample, point));
      MUSTER_ASSERT(seen == sample.times.end() || seen->second == simulated,
                    "a value that should not matter to '{}' does", sample.row.series());
      errors[i].second = std::abs(error_of(sample, simulated));
    });
    return errors;
  }

 private:
  [[nodiscard]] Torus torus_at(const Point& point) const {
    Torus torus = torus_;
    for (std::size_t i = 0; i < point.size(); ++i) parameters_[i].set(torus, point[i]);
    return torus;
  }
  [[nodiscard]] Point key(const Sample& sample, const Point& point) const {
    Point values;
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (parameters_[i].matters(sample.row)) values.push_back(point[i]);
    }
    return values;
  }

  double misfit(const Point& point, const std::vector<std::size_t>& rows) {
    const Torus torus = torus_at(point);
    std::vector<double> simulated(rows.size(), 0);
    for_each_index(rows.size(), [&](std::size_t i) {
      Sample& sample = samples_[rows[i]];
      const auto [entry, is_new] = sample.times.emplace(key(sample, point), 0.0);
      if (is_new) entry->second = simulated_cycles(sample.traffic, torus);
      simulated[i] = entry->second;
    });
    std::map<std::string, std::pair<double, int>> sums;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto& [sum, count] = sums[samples_[rows[i]].row.series()];
      sum += std::abs(error_of(samples_[rows[i]], simulated[i]));
      ++count;
    }
    double mean = 0;
    for (const auto& [name, sum] : sums) mean += sum.first / sum.second / static_cast<double>(sums.size());
    return mean;
  }

  /// One parameter, a step up or down. Steps grow where that helps, and shrink where it does not.
  bool improve(Point& point, double& best, double& step, std::size_t i, const std::vector<std::size_t>& rows) {
    const Parameter& parameter = parameters_[i];
    for (const double direction : {1.0, -1.0}) {
      Point other = point;
      other[i] = std::clamp(point[i] + direction * step, parameter.least, parameter.most);
      other[i] = parameter.step * std::round(other[i] / parameter.step);
      if (other[i] == point[i]) continue;
      const double there = misfit(other, rows);
      if (there >= best) continue;
      point = other;
      best = there;
      step = std::min(2 * step, (parameter.most - parameter.least) / 4);
      return true;
    }
    step = std::max(parameter.step, parameter.step * std::floor(step / parameter.step / 2));
    return false;
  }

  Torus torus_;
  std::vector<Parameter> parameters_;
  std::vector<Sample> samples_;
};

/// Mean error per pattern, and over all rows under "all", of the rows for which `wanted` holds.
std::map<std::string, double> means_of(const Fitter::Errors& errors, const std::function<bool(const Sample&)>& wanted) {
  std::map<std::string, std::pair<double, int>> sums;
  for (const auto& [sample, error] : errors) {
    if (!wanted(*sample)) continue;
    for (const std::string& name : {sample->row.series(), std::string("all")}) {
      sums[name].first += error;
      ++sums[name].second;
    }
  }
  std::map<std::string, double> means;
  for (const auto& [name, sum] : sums) means[name] = sum.first / sum.second;
  return means;
}

std::string percent(const std::map<std::string, double>& means, const std::string& pattern) {
  const auto found = means.find(pattern);
  return found == means.end() ? "" : fmt::format("{:.1f}%", 100 * found->second);
}

constexpr auto kRight = TextTable::Align::right;
bool any(const Sample& /*sample*/) { return true; }

std::string value_text(double value) { return fmt::format("{:g}", std::round(100 * value) / 100); }

/// The fit on some sizes, and its error on the others.
bool fit_sizes() {
  Fitter fitter(kLong);
  const Point point = fitter.fit("");
  const Point shipped = fitter.shipped();
  TextTable values({{"parameter"},
                    {"least", kRight},
                    {"most", kRight},
                    {"start", kRight},
                    {"fitted", kRight},
                    {"machine file", kRight}});
  for (std::size_t i = 0; i < point.size(); ++i) {
    const Parameter& parameter = fitter.all_parameters()[i];
    values.add({parameter.name, value_text(parameter.least), value_text(parameter.most), value_text(parameter.start),
                value_text(point[i]), value_text(shipped[i])});
  }
  fmt::print("{}\n", values.text());

  const auto training = [](const Sample& sample) { return sample.is_training; };
  const auto held_out = [](const Sample& sample) { return !is_training_size(sample.row); };
  const Fitter::Errors errors = fitter.errors(point);
  const Fitter::Errors shipped_errors = fitter.errors(shipped);
  const auto tested = means_of(errors, held_out);
  TextTable table({{"pattern"},
                   {"training", kRight},
                   {"held-out sizes", kRight},
                   {"all rows", kRight},
                   {"machine file: these sizes", kRight},
                   {"all rows", kRight}});
  for (const auto& [pattern, error] : tested) {
    table.add({pattern, percent(means_of(errors, training), pattern), percent(tested, pattern),
               percent(means_of(errors, any), pattern), percent(means_of(shipped_errors, held_out), pattern),
               percent(means_of(shipped_errors, any), pattern)});
  }
  fmt::print("{}", table.text());
  return tested.at("all") >= means_of(shipped_errors, held_out).at("all");
}

/// A fit without each pattern in turn, and its error on it.
bool fit_patterns() {
  Fitter fitter(kShort);
  Fitter::Errors unseen;
  for (const std::string& pattern : fitter.patterns()) {
    const Point point = fitter.fit(pattern);
    const Fitter::Errors errors = fitter.errors(point, pattern);
    unseen.insert(unseen.end(), errors.begin(), errors.end());
    std::vector<std::string> values;
    for (std::size_t i = 0; i < point.size(); ++i) {
      values.push_back(fmt::format("{} {}", fitter.all_parameters()[i].name, value_text(point[i])));
    }
    fmt::print("{}: {}\n  with {}\n", pattern, percent(means_of(errors, any), pattern), fmt::join(values, ", "));
    std::fflush(stdout);
  }
  const double mean = means_of(unseen, any).at("all");
  fmt::print("all: {:.1f}%\n", 100 * mean);
  return mean < 0.10;
}

}  // namespace
}  // namespace muster::torus

int main(int argc, char** argv) {
  const bool is_good =
      argc > 1 && std::strcmp(argv[1], "patterns") == 0 ? muster::torus::fit_patterns() : muster::torus::fit_sizes();
  return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
