// The answers to plan, simulate, verify and emit: first the table, then the lines that explain it.
#include "report/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text_table.h"
#include "report/phrases.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

/// "why        two-phase wins because ...": a word in a fixed column and a text that may have several lines.
std::string line(const std::string& word, const std::string& text) {
  constexpr std::size_t kColumn = 11;
  return fmt::format("{:<{}}{}\n", word, kColumn, hanging(text, kColumn));
}

/// What is no bound on simulated times gets another word.
std::string bound_line(const BoundAnswer& bound) {
  const std::string cycles = bound.cycles ? counted_text(bound.cycles->value(), "cycle") + ", " : "";
  return line(bound.for_pipeline ? "bound" : "in model",
              fmt::format("{}{} us ({}): {}", cycles, microseconds_text(bound.seconds), bound.name, bound.proves));
}

/// Of machines without a clock: no cycles anywhere.
std::string candidate_table_in_time(const PlanAnswer& answer, const std::optional<Seconds>& best) {
  TextTable table({{""}, {"algorithm"}, {"predicted us", kRight}, {"simulated us", kRight}, {"to bound", kRight}});
  for (std::size_t i = 0; i < answer.candidates.size(); ++i) {
    const CandidateAnswer& c = answer.candidates[i];
    table.add({i == 0 ? "*" : "", algorithm_text(c.algorithm, c.parameters), microseconds_text(c.predicted_seconds),
               microseconds_text(c.simulated_seconds),
               ratio_text(c.simulated_seconds.value_or(c.predicted_seconds), best)});
  }
  return table.text();
}

std::string candidate_table(const PlanAnswer& answer) {
  const std::optional<BoundAnswer> bound = best_bound(answer.bounds);
  const std::optional<Seconds> best = bound ? std::optional(bound->seconds) : std::nullopt;
  if (!answer.candidates.front().predicted_cycles) return candidate_table_in_time(answer, best);
  TextTable table({{""},
                   {"algorithm"},
                   {"predicted cycles", kRight},
                   {"simulated cycles", kRight},
                   {"us", kRight},
                   {"to bound", kRight}});
  for (std::size_t i = 0; i < answer.candidates.size(); ++i) {
    const CandidateAnswer& c = answer.candidates[i];
    const Seconds time = c.simulated_seconds.value_or(c.predicted_seconds);
    table.add({i == 0 ? "*" : "", algorithm_text(c.algorithm, c.parameters), cycles_text(c.predicted_cycles),
               cycles_text(c.simulated_cycles), microseconds_text(time), ratio_text(time, best)});
  }
  return table.text();
}

std::string winner_line(const PlanAnswer& answer) {
  const CandidateAnswer& winner = answer.candidates[0];
  const std::string proof = answer.verified ? fmt::format("the schedule of {} is proven {}", winner.algorithm,
                                                          proof_text(answer.error_probability))
                                            : fmt::format("the schedule of {} is REFUSED", winner.algorithm);
  const bool ran = winner.failed || winner.simulated_cycles || winner.simulated_seconds;
  if (!ran) return line("verified", proof);
  if (!answer.result_computed) return line("verified", proof + "; its data was not computed");
  return line("verified", proof + (answer.result_correct ? "; its simulated result equals the reference"
                                                         : "; its simulated result is WRONG"));
}

/// "note       tree, star: not simulated: ...": a line for every remark, with the algorithms that it is for, both in the
/// order of the answer.
class Remarks {
 public:
  explicit Remarks(std::string head) : head_(std::move(head)) {}
  void add(const std::string& algorithm, const std::string& remark) {
    if (remark.empty()) return;
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const auto& g) { return g.first == remark; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), {remark, {}});
    group->second.push_back(algorithm);
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const auto& [remark, names] : groups_) {
      text += line(head_, fmt::format("{}: {}", fmt::join(names, ", "), remark));
    }
    return text;
  }

 private:
  std::string head_;
  std::vector<std::pair<std::string, std::vector<std::string>>> groups_;
};

}  // namespace

std::string text_report(const PlanAnswer& answer) {
  std::string text = question_text(answer.question) + "\n\n";
  if (answer.candidates.empty()) {
    text += "no algorithm supports this\n\n";
  } else {
    text += candidate_table(answer) + "\n";
  }
  text += roots_line(answer.question);
  for (const BoundAnswer& bound : answer.bounds) text += bound_line(bound);
  if (!answer.why.empty()) text += line("why", answer.why);
  if (!answer.crossover.empty()) text += line("crossover", answer.crossover);
  if (!answer.candidates.empty()) text += winner_line(answer);
  Remarks notes("note"), skipped("skipped");
  for (const CandidateAnswer& one : answer.candidates) notes.add(one.algorithm, one.note);
  for (const SkippedAnswer& one : answer.skipped) skipped.add(one.algorithm, one.reason);
  return text + notes.text() + skipped.text();
}

namespace {

/// How far the prediction is from the simulation: "7.8% above", "1 cycle below".
std::string prediction_text(const SimulationAnswer& answer) {
  if (!answer.predicted_seconds || !(answer.result.seconds.value() > 0)) return "";
  const double percent = 100 * (*answer.predicted_seconds / answer.result.seconds - 1);
  if (!answer.predicted_cycles || !answer.result.cycles) return fmt::format("{:+.1f}%", percent);
  const std::int64_t difference = (*answer.predicted_cycles - *answer.result.cycles).value();
  return fmt::format("{}, {:+.1f}%", difference_text(difference, "cycle"), percent);
}

/// In cycles, too, where the machine has a clock.
std::string time_table(const SimulationAnswer& answer) {
  const bool clocked = answer.result.cycles || answer.predicted_cycles;
  std::vector<TextTable::Column> columns{{""}, {"us", kRight}, {"compared"}};
  if (clocked) columns.insert(columns.begin() + 1, {"cycles", kRight});
  TextTable table(columns);
  const auto add = [&](const char* name, const std::optional<Cycles>& cycles, Seconds time, std::string compared) {
    std::vector<std::string> row{name, microseconds_text(time), std::move(compared)};
    if (clocked) row.insert(row.begin() + 1, cycles_text(cycles));
    table.add(row);
  };
  add("simulated", answer.result.cycles, answer.result.seconds, "");
  if (answer.predicted_seconds) {
    add("predicted", answer.predicted_cycles, *answer.predicted_seconds, prediction_text(answer));
  }
  if (answer.bound) {
    add("best bound", answer.bound->cycles, answer.bound->seconds,
        fmt::format("simulated is {} times that", ratio_text(answer.result.seconds, answer.bound->seconds)));
  }
  return table.text();
}

std::string resource_table(const Result& result) {
  TextTable table({{"resource"}, {"bytes", kRight}, {"busy us", kRight}, {"utilization", kRight}});
  for (const Resource& r : result.resources) {
    table.add({r.name, grouped_text(r.bytes.value()), microseconds_text(r.busy),
               fmt::format("{:.1f}%", 100 * r.utilization)});
  }
  return table.text();
}

/// From which call on the ends are as far apart as the last two, and how far that is.
std::string distance_text(const std::vector<Cycles>& ends) {
  const std::size_t last = ends.size() - 1;
  const Cycles distance = ends[last] - ends[last - 1];
  std::size_t steady = last;
  while (steady > 1 && ends[steady - 1] - ends[steady - 2] == distance) --steady;
  if (2 * steady <= last)
    return fmt::format("{} apart from call {} on", counted_text(distance.value(), "cycle"), steady);
  const double average = static_cast<double>((ends[last] - ends[0]).value()) / static_cast<double>(last);
  return fmt::format("{:.1f} cycles apart on average", average);
}

/// A few ends as they are; of many the first, the last and the distance.
std::string calls_text(const SimulationAnswer& answer) {
  constexpr std::size_t kFew = 4;
  const std::vector<Cycles>& ends = answer.result.call_cycles;
  if (ends.size() > kFew) {
    return fmt::format("{}, the first ending at cycle {}, the last at {}; {}", answer.calls,
                       grouped_text(ends.front().value()), grouped_text(ends.back().value()), distance_text(ends));
  }
  std::string text = fmt::format("{}, ending at cycle ", answer.calls);
  for (std::size_t i = 0; i < ends.size(); ++i) text += (i == 0 ? "" : ", ") + grouped_text(ends[i].value());
  return text;
}

std::string result_text(const SimulationAnswer& answer) {
  if (!answer.result_computed) return "not computed: the vectors of all ranks are too long together";
  if (answer.result_correct) {
    const char* const verb = answer.checked_elements == 1 ? "equals" : "equal";
    return fmt::format("correct: {} {} the reference", counted_text(answer.checked_elements, "element"), verb);
  }
  return "WRONG: " + (answer.difference.empty() ? "nothing was computed" : answer.difference);
}

/// A fault of a static check has no cycle.
std::string fault_text(const Fault& fault) {
  std::string text = fault.kind;
  if (!fault.place.empty()) text += " at " + fault.place;
  if (fault.time) {
    text += fmt::format(", after {:.3f} us", fault.time->value() * 1e6);
  } else if (!fault.before_running) {
    text += fmt::format(", cycle {}", grouped_text(fault.cycle.value()));
  }
  return text + "\n" + fault.message;
}

std::string checked_text(const SimulationAnswer& answer) {
  return answer.finding.empty() ? "by the static checks, before it ran" : "a finding: " + answer.finding;
}

/// "network 0.480 us, memory 0.005 us, serialisation 1.200 us".
std::string parts_text(const std::vector<TimePart>& parts) {
  std::string text;
  for (const TimePart& part : parts) {
    text += fmt::format("{}{} {:.4f} us", text.empty() ? "" : ", ", part.name, part.seconds.value() * 1e6);
  }
  return text;
}

std::string traffic_text(const Result& result, const char* channel) {
  const std::string colors = result.channels ? counted_text(*result.channels, channel) + ", " : "";
  return fmt::format("{}{}, busiest port {}, utilization {:.1f}%", colors, counted_text(result.hops, "hop"),
                     counted_text(result.max_port_load, "element"), 100 * result.utilization);
}

}  // namespace

std::string text_report(const SimulationAnswer& answer) {
  std::string text = question_text(answer.question);
  if (!answer.algorithm.empty()) text += " by " + algorithm_text(answer.algorithm, answer.parameters);
  if (answer.calls > 1) text += fmt::format(": the first of {} calls back to back", answer.calls);
  text += "\n\n";
  if (!answer.verified && !answer.from_files) return text + line("verified", "REFUSED: " + answer.refusal);
  const std::string proof = answer.from_files
                                ? "not proven: the program was read from its files, and there is no schedule"
                                : "the schedule is proven " + proof_text(answer.error_probability);
  if (const auto& fault = answer.result.fault) {
    text += line("fault", fault_text(*fault));
    const std::string engine =
        fault->before_running ? "none: the static checks refuse the program" : answer.result.engine;
    return text + line("verified", proof) + line("engine", engine);
  }
  text += time_table(answer) + "\n";
  if (!answer.result.parts.empty()) text += line("time", parts_text(answer.result.parts));
  text += roots_line(answer.question);
  if (answer.calls > 1) text += line("calls", calls_text(answer));
  text += line("verified", proof);
  if (answer.checked) text += line("checked", checked_text(answer));
  text += line("result", result_text(answer));
  const char* const channel = answer.question.family == "hyperx" ? "collective id" : "color";
  text += line("traffic", (answer.calls > 1 ? "of all calls: " : "") + traffic_text(answer.result, channel));
  const std::string& note = answer.result.note;
  text += line("engine", answer.result.engine + (note.empty() ? "" : "; " + note));
  if (!answer.result.resources.empty()) text += "\n" + resource_table(answer.result);
  return text;
}

std::string text_report(const VerifyAnswer& answer) {
  const std::string size = fmt::format("{}, {}, {}", counted_text(answer.nodes, "node"),
                                       counted_text(answer.streams, "stream"), counted_text(answer.steps, "step"));
  if (answer.verified) {
    std::string text = fmt::format("verified {}: {}\n", proof_text(answer.error_probability), size);
    if (const auto& a = answer.additions) {
      text += fmt::format("rank {}, element {}: {}\n", a->rank, a->element, a->formula);
    }
    for (const std::string& fact : answer.facts) text += fact + "\n";
    return text;
  }
  if (!answer.counterexample) return fmt::format("refused: {}\n", size);
  const CounterexampleAnswer& c = *answer.counterexample;
  return fmt::format("refused ({}): {}\n", c.kind, hanging(c.message, 2));
}

std::string text_report(const ProgramCheckAnswer& answer) {
  const std::string size = fmt::format("{} in {}, {}, {}", counted_text(answer.processors, "PE"),
                                       answer.classes == 1 ? "1 class" : grouped_text(answer.classes) + " classes",
                                       counted_text(answer.colors, "color"), counted_text(answer.messages, "message"));
  if (!answer.not_checked.empty()) return fmt::format("not checked: {}; {}\n", answer.not_checked, size);
  if (const auto& found = answer.counterexample) {
    const std::string place = found->place.empty() ? "" : " at " + found->place;
    return fmt::format("refused ({}{}): {}\n", found->kind, place, hanging(found->message, 2));
  }
  std::string text = fmt::format("checked, no fault: {}\n\n", size);
  for (const std::string& check : answer.checks) text += check + "\n";
  return text;
}

std::string text_report(const EmitAnswer& answer) {
  std::string text = fmt::format("{} by {}, for {}\n\n", question_text(answer.question),
                                 algorithm_text(answer.algorithm, answer.parameters), answer.target);
  TextTable table({{"file"}, {"bytes", kRight}});
  for (const EmitAnswer::File& file : answer.files) {
    table.add({answer.folder + "/" + file.name, grouped_text(file.size.value())});
  }
  text += table.text();
  if (!answer.question.roots_tried.empty()) text += "\n" + roots_line(answer.question);
  if (!answer.notes.empty()) text += "\n";
  for (const std::string& note : answer.notes) text += line("note", note);
  return answer.summary.empty() ? text : text + "\n" + hanging(answer.summary, 0) + "\n";
}

}  // namespace muster
