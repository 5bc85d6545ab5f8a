#include <gtest/gtest.h>

#include "report/csv_report.h"
#include "report/json_report.h"
#include "report/svg_training.h"
#include "report/text_report.h"

namespace muster {
namespace {

TrainingAnswer sample(const std::string& machine, const std::string& workload) {
  TrainingAnswer answer{.machine = machine, .shape = {4, 2}, .workload = workload, .layers = 3, .model_npus = 4};
  answer.iterations = {{.scheduler = "hierarchical",
                        .forward = Seconds(1e-3),
                        .input_gradient = Seconds(1e-3),
                        .weight_gradient = Seconds(1e-3),
                        .exposed_data = Seconds(3e-3),
                        .total = Seconds(6e-3),
                        .utilization = 0.5},
                       {.scheduler = "themis",
                        .order = "scf",
                        .forward = Seconds(1e-3),
                        .input_gradient = Seconds(1e-3),
                        .weight_gradient = Seconds(1e-3),
                        .exposed_data = Seconds(1e-3),
                        .total = Seconds(4e-3),
                        .speedup = 1.5,
                        .utilization = 0.75}};
  return answer;
}

TEST(TrainingReport, IsATableOfParts) {
  EXPECT_EQ(
      text_report(sample("m", "w")),
      "one iteration of w on m, 4x2 NPUs, 4 of them share a model; times in ms\n\n"
      "scheduler     forward  input grad  weight grad  update  wait model  wait data  total  speed-up  utilization\n"
      "------------  -------  ----------  -----------  ------  ----------  ---------  -----  --------  -----------\n"
      "hierarchical    1.000       1.000        1.000   0.000       0.000      3.000  6.000     1.000        50.0%\n"
      "themis scf      1.000       1.000        1.000   0.000       0.000      1.000  4.000     1.500        75.0%\n"
      "\nlayers     3; every communication is split into up to 64 chunks\n");
}

TEST(TrainingReport, OfSeveralHasMeans) {
  std::vector<TrainingAnswer> all{sample("m", "w"), sample("n", "w"), sample("m", "x")};
  all[1].iterations[1].speedup = 2;
  EXPECT_EQ(text_report(all),
            "one training iteration: time of the baseline, and speed-up of the others over it\n\n"
            "workload  machine  hierarchical ms  themis scf\n"
            "--------  -------  ---------------  ----------\n"
            "w         m                  6.000       1.500\n"
            "          n                  6.000       2.000\n"
            "          mean                           1.750\n"
            "x         m                  6.000       1.500\n");
}

TEST(TrainingReport, HasTheSameNumbersInJsonAndCsv) {
  const std::string json = json_report(sample("m", "w"));
  EXPECT_NE(json.find("\"exposed_data_seconds\": 0.001"), std::string::npos);
  EXPECT_NE(json.find("\"summary\": null"), std::string::npos);
  const std::string csv = csv_report(std::vector{sample("m", "w"), sample("n", "w")});
  EXPECT_NE(csv.find("m,4x2,w,64,1,themis,scf,0.001,0.001,0.001,0,0,0.001,0.004,1.5,0.75,,\n"), std::string::npos);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
}

TEST(TrainingReport, DrawsABarForEveryPart) {
  const std::string svg = svg_training({sample("m", "w")}, "a title", "muster train");
  std::size_t bars = 0;
  for (std::size_t at = svg.find("crispEdges"); at != std::string::npos; at = svg.find("crispEdges", at + 1)) ++bars;
  // Five in the legend; forward, gradients and the wait of both schedulers.
  EXPECT_EQ(bars, 11U);
  EXPECT_NE(svg.find(">1.50</text>"), std::string::npos);
  EXPECT_NE(svg.find(">a title</text>"), std::string::npos);
}

double width_of(const std::string& svg) { return std::stod(svg.substr(svg.find(" width=\"") + 8)); }

TEST(TrainingReport, DrawsNoWiderThanItsBarsAndTitleNeed) {
  const double single = width_of(svg_training({sample("m", "w")}, "t", "muster"));
  EXPECT_LT(single, 460) << "the legend has several lines";
  const std::vector<TrainingAnswer> many(12, sample("a machine with a long name", "w"));
  EXPECT_GT(width_of(svg_training(many, "t", "muster")), 3 * single);
}

}  // namespace
}  // namespace muster
