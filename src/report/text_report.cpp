// The answers to simulate, verify and emit: first the table, then the lines that explain it.
#include "report/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"
#include "result/run_times.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

/// How far the prediction is from the simulation: "3 cycles (1.3%) below the simulation", "7.8% above the simulation".
std::string prediction_text(const SimulationAnswer& answer) {
  if (!answer.predicted_seconds || !(answer.result.seconds.value() > 0)) return "";
  const double percent = 100 * (*answer.predicted_seconds / answer.result.seconds - 1);
  const std::string share = fmt::format("{:.1f}%", std::abs(percent));
  const char* const side = percent < 0 ? "below" : "above";
  if (!answer.predicted_cycles || !answer.result.cycles) {
    if (std::abs(percent) < 1e-6) return "equal to the simulation";
    return share == "0.0%" ? "within 0.1% of the simulation" : fmt::format("{} {} the simulation", share, side);
  }
  const std::int64_t difference = (*answer.predicted_cycles - *answer.result.cycles).value();
  if (difference == 0) return "equal to the simulation";
  return fmt::format("{} ({}) {} the simulation", counted(std::abs(difference), "cycle"), share, side);
}

/// In cycles, too, where the machine has a clock.
std::string time_table(const SimulationAnswer& answer, const Style& style) {
  const bool clocked = answer.result.cycles || answer.predicted_cycles;
  const TimeUnit unit = TimeUnit::of_column({answer.result.seconds, answer.predicted_seconds,
                                             answer.bound ? std::optional(answer.bound->seconds) : std::nullopt});
  std::vector<TextTable::Column> columns{{""}, {unit.name(), kRight}, {"compared"}};
  if (clocked) columns.insert(columns.begin() + 1, {"cycles", kRight});
  TextTable table(columns);
  const auto add = [&](const char* name, const std::optional<Cycles>& cycles, Seconds time, std::string compared) {
    std::vector<std::string> row{name, unit.text(time), std::move(compared)};
    if (clocked) row.insert(row.begin() + 1, cycles_text(cycles));
    table.add(row);
  };
  add("simulated", answer.result.cycles, answer.result.seconds, "");
  if (answer.predicted_seconds) {
    add("predicted", answer.predicted_cycles, *answer.predicted_seconds, prediction_text(answer));
  }
  if (answer.bound) {
    add("best bound", answer.bound->cycles, answer.bound->seconds,
        fmt::format("simulated is {} times the bound", ratio_text(answer.result.seconds, answer.bound->seconds)));
  }
  return table.text(style);
}

std::string resource_table(const Result& result, const Style& style) {
  std::vector<std::optional<Seconds>> times;
  for (const Resource& r : result.resources) times.emplace_back(r.busy);
  const TimeUnit unit = TimeUnit::of_column(times);
  TextTable table({{"resource"}, {"bytes", kRight}, {"busy " + unit.name(), kRight}, {"utilization", kRight}});
  for (const Resource& r : result.resources) {
    table.add({r.name, grouped(r.bytes.value()), unit.text(r.busy), share_text(r.utilization)});
  }
  return table.text(style);
}

/// From which call on the ends are as far apart as the last two, and how far that is.
std::string distance_text(const std::vector<Cycles>& ends) {
  const std::size_t last = ends.size() - 1;
  const Cycles distance = ends[last] - ends[last - 1];
  std::size_t steady = last;
  while (steady > 1 && ends[steady - 1] - ends[steady - 2] == distance) --steady;
  if (2 * steady <= last) return fmt::format("{} apart, from call {} on", counted(distance.value(), "cycle"), steady);
  const double average = static_cast<double>((ends[last] - ends[0]).value()) / static_cast<double>(last);
  return fmt::format("{:.1f} cycles apart on average", average);
}

constexpr std::size_t kFew = 4;

/// Of machines without a clock.
std::string calls_text_in_time(const SimulationAnswer& answer) {
  const std::vector<Seconds>& ends = answer.call_ends;
  if (ends.size() > kFew) {
    return fmt::format("{}; the first is done after {}, the last after {}", answer.calls, time_text(ends.front()),
                       time_text(ends.back()));
  }
  const TimeUnit unit = TimeUnit::of_column({ends.begin(), ends.end()});
  std::vector<std::string> texts;
  for (const Seconds end : ends) texts.push_back(unit.text(end));
  return fmt::format("{}, done after {} {}", answer.calls, fmt::join(texts, ", "), unit.name());
}

/// A few ends as they are; of many the first, the last and the distance.
std::string calls_text(const SimulationAnswer& answer) {
  if (!answer.result.cycles) return calls_text_in_time(answer);
  const std::vector<Cycles>& ends = answer.result.call_cycles;
  if (ends.size() > kFew) {
    return fmt::format("{}; the first is done at cycle {}, the last at {}; {}", answer.calls,
                       grouped(ends.front().value()), grouped(ends.back().value()), distance_text(ends));
  }
  std::string text = fmt::format("{}, done at cycles ", answer.calls);
  for (std::size_t i = 0; i < ends.size(); ++i) text += (i == 0 ? "" : ", ") + grouped(ends[i].value());
  return text;
}

/// The last call, which shows best how calls follow each other; empty if the simulator does not say when nodes begin.
std::string last_call_text(const Result& result) {
  const auto times = result.node_times.empty() ? std::nullopt : run_times(result, result.node_times.size() - 1);
  if (!times) return "";
  const auto text = [](const Spread& s) {
    return fmt::format("median {}, slowest {}", grouped(s.median.value()), grouped(s.most.value()));
  };
  return fmt::format("{} cycles from the first start; {} from each node's own", text(times->from_first_start),
                     text(times->from_own_start));
}

std::string result_text(const SimulationAnswer& answer) {
  if (!answer.result_computed) {
    return "not computed: " + (answer.result.note.empty() ? std::string(kTooLargeToCheck) : answer.result.note);
  }
  if (answer.result_correct) {
    const char* const verb = answer.checked_elements == 1 ? "equals" : "equal";
    if (answer.checked_by_parts) {
      return fmt::format("correct: of each part by itself, {} {} the reference; what the parts do together is proven",
                         counted(answer.checked_elements, "element"), verb);
    }
    return fmt::format("correct: {} {} the reference", counted(answer.checked_elements, "element"), verb);
  }
  return "WRONG: " + (answer.difference.empty() ? "nothing was computed" : answer.difference);
}

/// A fault of a static check has no cycle.
std::string fault_text(const Fault& fault) {
  std::string text = fault.kind;
  if (!fault.location.empty()) text += " at " + fault.location;
  if (fault.time) {
    text += ", after " + time_text(*fault.time);
  } else if (!fault.before_running) {
    text += fmt::format(", cycle {}", grouped(fault.cycle.value()));
  }
  return text + "\n" + fault.message;
}

std::string checked_text(const SimulationAnswer& answer) {
  return answer.finding.empty() ? "the static checks found no fault" : "a finding: " + answer.finding;
}

/// "network 0.480 us, memory 0.005 us, serialisation 1.200 us".
std::string parts_text(const std::vector<TimePart>& parts) {
  std::vector<std::optional<Seconds>> times;
  for (const TimePart& part : parts) times.emplace_back(part.seconds);
  const TimeUnit unit = TimeUnit::of_column(times);
  std::string text;
  for (const TimePart& part : parts) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", part.name, unit.text(part.seconds), unit.name());
  }
  return text;
}

std::string traffic_text(const Result& result, const std::string& channel) {
  const std::string colors = result.channels ? counted(*result.channels, channel) + ", " : "";
  return fmt::format("{}{}, busiest port {}, utilization {}", colors, counted(result.hops, "hop"),
                     counted(result.max_port_load, "element"), share_text(result.utilization));
}

}  // namespace

std::string text_report(const SimulationAnswer& answer, const Style& style) {
  const std::string by = answer.algorithm.empty() ? "" : algorithm_text(answer.algorithm, answer.parameters);
  std::string text = question_text(answer.question, by);
  if (answer.calls > 1) text += fmt::format(", first of {} back-to-back calls", answer.calls);
  text += "\n\n";
  if (!answer.verified && !answer.from_files) return text + labelled("verified", "REFUSED: " + answer.refusal);
  const std::string proof = answer.from_files ? "not proven: the program was read from files and has no schedule"
                                              : "the schedule is proven " + proof_text(answer.error_probability);
  if (const auto& fault = answer.result.fault) {
    text += labelled("fault", fault_text(*fault));
    const std::string engine =
        fault->before_running ? "none: the static checks refuse the program" : answer.result.engine;
    return text + labelled("verified", proof) + labelled("engine", engine);
  }
  text += time_table(answer, style) + "\n";
  if (!answer.result.parts.empty()) text += labelled("time", parts_text(answer.result.parts));
  text += roots_line(answer.question);
  if (answer.calls > 1) {
    text += labelled("calls", calls_text(answer));
    if (const std::string last = last_call_text(answer.result); !last.empty()) text += labelled("last call", last);
  }
  text += labelled("verified", proof);
  if (answer.checked) text += labelled("checked", checked_text(answer));
  text += labelled("result", result_text(answer));
  text += labelled("traffic",
                   (answer.calls > 1 ? "of all calls: " : "") + traffic_text(answer.result, answer.question.channel));
  const std::string& note = answer.result.note;
  text += labelled("engine", answer.result.engine + (note.empty() ? "" : "; " + note));
  if (!answer.result.resources.empty()) text += "\n" + resource_table(answer.result, style);
  return text;
}

std::string text_report(const VerifyAnswer& answer, const Style& /*style*/) {
  const std::string size = fmt::format("{}, {}, {}", counted(answer.nodes, "node"), counted(answer.streams, "stream"),
                                       counted(answer.steps, "step"));
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

std::string text_report(const ProgramCheckAnswer& answer, const Style& /*style*/) {
  const std::string size = fmt::format("{} in {}, {}, {}", counted(answer.processors, "PE"),
                                       answer.classes == 1 ? "1 class" : grouped(answer.classes) + " classes",
                                       counted(answer.colors, "color"), counted(answer.messages, "message"));
  if (!answer.not_checked.empty()) return fmt::format("not checked: {}; {}\n", answer.not_checked, size);
  if (const auto& found = answer.counterexample) {
    const std::string location = found->location.empty() ? "" : " at " + found->location;
    return fmt::format("refused ({}{}): {}\n", found->kind, location, hanging(found->message, 2));
  }
  std::string text = fmt::format("no fault found: {}\n\n", size);
  for (const std::string& check : answer.checks) text += check + "\n";
  return text;
}

std::string text_report(const EmitAnswer& answer, const Style& style) {
  const std::string by = algorithm_text(answer.algorithm, answer.parameters);
  std::string text = fmt::format("{}, for {}\n\n", question_text(answer.question, by), answer.target);
  TextTable table({{"file"}, {"bytes", kRight}});
  for (const EmitAnswer::File& file : answer.files) {
    table.add({answer.folder + "/" + file.name, grouped(file.size.value())});
  }
  text += table.text(style);
  if (!answer.question.roots_tried.empty()) text += "\n" + roots_line(answer.question);
  if (!answer.notes.empty()) text += "\n";
  for (const std::string& note : answer.notes) text += labelled("note", note);
  return answer.summary.empty() ? text : text + "\n" + hanging(answer.summary, 0) + "\n";
}

}  // namespace muster
