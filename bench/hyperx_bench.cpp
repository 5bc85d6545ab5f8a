// Reducing switches, as far as their speed was promised: the engine that moves packets with their data, the exact one, registers
// that are written, read back and proven, and one element on 16,384 nodes from the question to the answer. Prints processor
// time as a ratio to the target, and the peak memory. Fails if an answer is wrong: words differ from the reference, engines
// from each other or from the formula, or registers with one wrong port are accepted.
#include <cstdlib>

#include "base/error.h"
#include "base/freed_memory.h"
#include "base/source_dir.h"
#include "machine/hyperx.h"
#include "machine/loader.h"
#include "machine/routing.h"
#include "measure.h"
#include "plan/files.h"

namespace muster {
namespace {

constexpr std::int64_t kKilobyte = 1000 / sizeof(Word);  // in words

Job allreduce_on(std::int64_t nodes, std::int64_t count, Engine engine) {
  const Machine machine = load_machine(source_dir() + "/machines/piuma.toml");
  Job job{.machine = with_nodes(machine, nodes), .collective = Collective::allreduce, .count = count};
  job.engine = engine;
  return job;
}

SimulationAnswer answer_to(const Job& job) { return simulate(job, choose(job, "in-network", {})); }

/// `checked` elements were compared with the reference.
std::string wrong(const SimulationAnswer& answer, std::int64_t checked) {
  if (!answer.verified) return "the schedule was not proven";
  if (answer.result.fault) return answer.result.fault->message;
  if (answer.result.seconds != answer.predicted_seconds) return "simulated and predicted times differ";
  if (answer.checked_elements != checked) return fmt::format("{} elements were compared", answer.checked_elements);
  return checked == 0 || answer.result_correct ? "" : "a wrong result: " + answer.difference;
}

bool measure_engines() {
  constexpr std::int64_t kNodes = 16;
  const Job packets = allreduce_on(kNodes, 4 * kKilobyte, Engine::cycle);
  const Job lines = allreduce_on(kNodes, 4 * kKilobyte, Engine::stream);
  const Job longer = allreduce_on(kNodes, 128 * kKilobyte, Engine::stream);
  const std::int64_t words = rank_count(packets.machine) * packets.count;
  bool right = measure(
      "16 nodes, 4 KB, packets with their data", 2, 1, [&] { return wrong(answer_to(packets), words); }, 3);
  right &= measure(
      "16 nodes, 128 KB, exact engine", 0.5, 1, [&] { return wrong(answer_to(longer), 0); }, 5);
  const Result moved = answer_to(packets).result, followed = answer_to(lines).result;
  const bool are_equal = moved.node_times == followed.node_times && moved.outputs == followed.outputs;
  fmt::print("  4 KB by both engines, every core's times and words: {}\n", are_equal ? "equal" : "DIFFERENT");
  return right && are_equal;
}

bool measure_registers() {
  const Job job = allreduce_on(16, 4 * kKilobyte, Engine::automatic);
  const Choice choice = choose(job, "in-network", {});
  EmittedFile file;
  const auto is_proven = [&] {
    return verify_files(read_files(reader_of("registers"), {file}, &job.machine, {}), 1).verified;
  };
  const bool right = measure(
      "16 nodes, registers written, read back and proven", 0.5, 1,
      [&] {
        file = emit(job, choice, {.target = "registers", .command = "hyperx_bench"}).files.front();
        return std::string(is_proven() ? "" : "refused");
      },
      5);
  const std::string port = R"("memory"], "outputs": ["west"])";  // a core that takes no part any more
  const std::size_t position = file.text.find(port);
  if (position == std::string::npos) return false;
  file.text.replace(position, port.size(), R"("loop"], "outputs": ["west"])");
  bool is_refused = false;
  try {
    is_refused = !is_proven();
  } catch (const InputError&) {
    is_refused = true;
  }
  fmt::print("  with one wrong port: {}\n", is_refused ? "refused" : "ACCEPTED");
  return right && is_refused;
}

}  // namespace

bool run_hyperx_bench() {
  keep_freed_memory();
  bool right = measure_engines();
  right &= measure_registers();
  const Job largest = allreduce_on(16'384, 1, Engine::automatic);
  right &= measure(
      "16,384 nodes, one element, question to answer", 10, 1,
      [&] { return wrong(answer_to(largest), rank_count(largest.machine)); }, 1);
  return right;
}

}  // namespace muster

int main() { return muster::run_hyperx_bench() ? EXIT_SUCCESS : EXIT_FAILURE; }
