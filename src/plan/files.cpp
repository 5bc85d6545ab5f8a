// read → prove or check → simulate → compare with the contract.
#include "plan/files.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "machine/family.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "plan/stages.h"
#include "schedule/contract.h"

namespace muster {

namespace {

Contract contract_of(const Job& job, const ProgramFacts& facts) {
  Contract contract{.collective = job.collective, .ranks = facts.ranks, .count = facts.words};
  if (facts.in_place) contract.to = contract.from;
  const auto root = std::find(facts.ranks.begin(), facts.ranks.end(), job.root);
  if (has_root(job.collective) && root == facts.ranks.end()) {
    reject("root: rank {} does nothing in this program; {} {}s participate, the first is {}", job.root,
           facts.ranks.size(), facts.machine.family().words().rank, facts.ranks.front());
  }
  if (has_root(job.collective)) contract.root = static_cast<std::int32_t>(root - facts.ranks.begin());
  const auto ranks = static_cast<std::int64_t>(facts.ranks.size());
  if (job.collective == Collective::all_to_all && facts.words % ranks != 0) {
    reject("count: {} words are not a multiple of the {} participating {}s, as an all-to-all needs", facts.words, ranks,
           facts.machine.family().words().rank);
  }
  return contract;
}

/// What a rank owes, computed from the inputs of a call.
class Expectation {
 public:
  Expectation(const Contract& contract, const Arithmetic& arithmetic, std::uint64_t seed)
      : contract_(contract), arithmetic_(arithmetic), seed_(seed) {}

  /// Of ranks in ascending order.
  Word at_element(std::int32_t rank, const Owed& owed, std::int64_t element) {
    const std::int64_t from = element + owed.displacement;
    const std::span<const NodeId> sources = sources_of(contract_, rank, owed);
    return owed.source < 0 ? combination(sources, from) : arithmetic_.input(sources.front(), from, seed_);
  }

 private:
  /// The sources are the first ranks, and never fewer than before.
  Word combination(std::span<const NodeId> sources, std::int64_t element) {
    std::vector<Word> inputs(combined_ < sources.size() ? at(contract_.count) : 0);
    for (; combined_ < sources.size(); ++combined_) {
      arithmetic_.inputs(sources[combined_], 0, seed_, inputs);
      if (combined_ == 0) {
        sum_ = inputs;
      } else {
        arithmetic_.combine(sum_, inputs);
      }
    }
    return sum_[at(element)];
  }

  const Contract& contract_;
  const Arithmetic& arithmetic_;
  std::uint64_t seed_;
  std::vector<Word> sum_;
  std::size_t combined_ = 0;  ///< ranks in it
};

struct Compared {
  std::int64_t words = 0;
  std::string difference;
};

/// Where the root of a reduce or gather has nothing and one other rank has something: that may be the root.
std::string other_root(const Contract& contract, const std::vector<std::vector<Word>>& outputs) {
  if (contract.collective != Collective::reduce && contract.collective != Collective::gather) return "";
  std::vector<std::size_t> filled;
  for (std::size_t n = 0; n < outputs.size(); ++n) {
    if (!outputs[n].empty()) filled.push_back(n);
  }
  if (filled.size() != 1) return "";
  return fmt::format("; only rank {} has a result; if it is the root, use --root {}", filled[0], filled[0]);
}

/// One call's outputs against what the contract owes; stops at the first difference.
void compare(const Contract& contract, const Arithmetic& arithmetic, const std::vector<std::vector<Word>>& outputs,
             std::uint64_t seed, Compared& compared) {
  Expectation expected(contract, arithmetic, seed);
  for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
    const auto node = at(contract.ranks[i]);
    for (const Owed& owed : owed_after(contract, static_cast<std::int32_t>(i))) {
      for (std::int64_t e = owed.range.first; e < owed.range.end(); ++e) {
        const bool there = node < outputs.size() && at(e) < outputs[node].size();
        const Word want = expected.at_element(static_cast<std::int32_t>(i), owed, e);
        ++compared.words;
        if (there && outputs[node][at(e)] == want) continue;
        compared.difference =
            fmt::format("rank {}, word {}: {}, expected {} (checked with whole numbers)", node, e,
                        there ? arithmetic.text(outputs[node][at(e)]) : "nothing", arithmetic.text(want));
        if (!there) compared.difference += other_root(contract, outputs);
        return;
      }
    }
  }
}

/// Simulates what the static checks let pass. An engine that follows messages has made these checks when it ends well.
void run_checked(const Job& job, const Program& program, SimulationAnswer& answer) {
  const Simulator& simulator = simulator_of(job);
  const Checker* const checker = checker_for(job.machine);
  SimulateOptions options = simulate_options(job);
  if (simulator.includes_checks()) {
    tell(job, "simulating the program");
    options.streams_only = true;
    answer.result = simulator.simulate(program, options);
    answer.checked = !answer.result.engine.empty();
    if (answer.checked) return;
  }
  if (checker != nullptr) {
    tell(job, "checking the program");
    note_check(checker->check(program), answer);
    if (answer.result.fault) return;
  }
  tell(job, "simulating the program");
  options.streams_only = false;
  answer.result = simulator.simulate(program, options);
}

/// A program whose files do not say which collective it performs.
SimulationAnswer simulate_held(const Job& job, const ReadFiles& read) {
  const Contract contract = contract_of(job, *read.facts);
  const Arithmetic whole{.type = ElementType::i32, .op = job.arithmetic.op};
  const auto program = read.reader->with_contract(*read.contents.program, contract, whole);
  if (!program) reject("{}", program.reason());
  SimulationAnswer answer{.question = question_of(job), .algorithm = ""};
  answer.question.in_place = read.facts->in_place;
  answer.calls = job.calls;
  answer.from_files = true;
  run_checked(job, *program.value(), answer);
  for (const Ticks end : answer.result.call_cycles) answer.call_ends.push_back(seconds_of(job.machine, end));
  if (answer.result.fault) return answer;
  Compared compared;
  for (std::size_t call = 0; call < answer.result.outputs.size() && compared.difference.empty(); ++call) {
    compare(contract, whole, answer.result.outputs[call], job.seed + call, compared);
  }
  answer.difference = compared.difference;
  answer.checked_elements = compared.words * elements_per_word(job.arithmetic.type);
  answer.result_correct = compared.difference.empty();
  return answer;
}

}  // namespace

ReadFiles read_files(const Reader& reader, const std::vector<EmittedFile>& files, const Machine* machine,
                     const std::map<std::string, std::string>& parameters) {
  ReadFiles read{.reader = &reader, .contents = reader.read(files, machine, {.parameters = parameters}), .facts = {}};
  const FileFormat format = reader.format();
  MUSTER_ASSERT(read.contents.lifted.has_value() == format.has_schedule &&
                    (read.contents.program != nullptr || format.has_schedule),
                "the files of format '{}' are not what its reader says", format.name);
  if (read.contents.program == nullptr) return read;
  read.facts = read.contents.program->facts();
  if (!read.contents.lifted && read.facts->words == 0) {
    reject("the program exports no array 'input' to the host, so there is no vector");
  }
  return read;
}

VerifyAnswer verify_files(const ReadFiles& read, std::uint64_t seed) {
  const LiftedFiles& lifted = read.contents.lifted.value();
  VerifyAnswer answer = verify_schedule(lifted.schedule, lifted.machine, {.seed = seed, .step_name = lifted.step_name});
  answer.facts = lifted.facts;
  if (!lifted.stuck.empty() && answer.verified) {
    answer.verified = false;
    answer.counterexample = CounterexampleAnswer{.kind = "wait-cycle", .message = lifted.stuck};
  }
  return answer;
}

ProgramCheckAnswer check_files(const Machine& machine, const ReadFiles& read) {
  const Checker* const checker = checker_for(machine);
  if (checker == nullptr) reject("{} programs are not checked yet; simulate them instead", read.reader->format().name);
  const ProgramCheck check = checker->check(*read.contents.program);
  ProgramCheckAnswer answer{.machine = machine.name, .shape = shape_answer(read.facts->machine)};
  answer.not_checked = check.unsupported;
  if (const auto found = check.counterexample()) {
    answer.counterexample = {.kind = found->kind, .location = found->location, .message = found->message};
  }
  answer.verified = !answer.counterexample && answer.not_checked.empty();
  answer.checks = check.checks;
  answer.processors = rank_count(read.facts->machine);
  answer.classes = read.facts->classes;
  answer.colors = read.facts->channels;
  answer.messages = check.messages;
  return answer;
}

SimulationAnswer simulate_files(const Job& job, const ReadFiles& read) {
  if (!read.contents.lifted) return simulate_held(job, read);
  MUSTER_ASSERT(read.contents.program != nullptr, "a schedule without a program is not simulated as files");
  return simulate_lifted(job, read.contents.lifted->schedule, *read.contents.program,
                         std::string(read.reader->format().name));
}

}  // namespace muster
