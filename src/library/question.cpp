// From a question of the library to a job of the pipeline.
#include <charconv>

#include "base/counted.h"
#include "base/one_line.h"
#include "collective/algorithm.h"
#include "library/state.h"
#include "machine/family.h"
#include "machine/routing.h"

namespace muster::library {
namespace {

constexpr std::int64_t kMostElements =
    1'000'000'000'000;  // more than any machine holds; products stay far from overflow

/// The value that a name stands for, in a table of names.
template <class Value>
Value named(const char* field, const std::string& name, std::optional<Value> value,
            const std::vector<std::string>& known) {
  if (!value) reject("{}: unknown name '{}'; {}", field, one_line(name), suggest(name, known));
  return *value;
}

std::int64_t count_of(const Question& question, Collective collective) {
  if (collective == Collective::barrier) {
    if (question.count > 1) reject("count: a barrier carries no vector; leave it out");
    return 1;
  }
  if (question.count < 1 || question.count > kMostElements) {
    reject("count: {} is out of range; use 1 to {}", grouped(question.count), grouped(kMostElements));
  }
  return question.count;
}

NodeId root_of(const Question& question) {
  const NodeId ranks = rank_count(question.machine.state().machine);
  if (question.root < 0 || question.root >= ranks) {
    reject("root: {} is no rank; use 0 to {}", question.root, ranks - 1);
  }
  return static_cast<NodeId>(question.root);
}

std::int64_t number_of(const std::string& parameter, const std::string& text) {
  if (const auto value = named_value(parameter, text)) return *value;
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && rest == end && !text.empty()) return number;
  const std::vector<std::string> names = value_names(parameter);
  if (names.empty()) reject("parameters: {}: '{}' is not a whole number; use e.g. '16'", parameter, one_line(text));
  reject("parameters: {}: unknown value '{}'; {}", parameter, one_line(text), suggest(text, names));
}

}  // namespace

Job job_of(const Question& question) {
  Job job;
  job.machine = question.machine.state().machine;
  job.collective =
      named("collective", question.collective, collective_from_name(question.collective), collective_names());
  job.arithmetic.type = named("type", question.type, type_from_name(question.type), type_names());
  job.arithmetic.op = named("op", question.op, operator_from_name(question.op), operator_names());
  job.count = count_of(question, job.collective);
  job.root = root_of(question);
  if (question.reserved_colors < 0) reject("reserved_colors: {} is negative; use 0 or more", question.reserved_colors);
  FlagTexts flags;
  if (question.reserved_colors > 0) flags.add("--reserve-colors", std::to_string(question.reserved_colors));
  job.options = job.machine.family().options(job.machine, flags);
  job.seed = question.seed;
  check_job(job);
  return job;
}

Choice choice_of(const Question& question, const Job& job) {
  if (question.algorithm.empty()) {
    if (!question.parameters.empty()) reject("parameters: they need an algorithm; name it, or leave them out");
    return choose_best(job);
  }
  ::muster::Parameters given;
  for (const auto& [name, value] : question.parameters) given[name] = number_of(name, value);
  return choose(job, question.algorithm, given);
}

}  // namespace muster::library
