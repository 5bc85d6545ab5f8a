// muster algorithms: what the registry holds, filtered by collective and by the family of a machine.
#include "cli/commands.h"
#include "cli/question.h"
#include "cli/show.h"
#include "collective/algorithm.h"

namespace muster {
namespace {

AlgorithmAnswer describe(const Algorithm& algorithm) {
  AlgorithmAnswer answer{.collective = std::string(collective_name(algorithm.collective)),
                         .algorithm = algorithm.name,
                         .family = algorithm.family,
                         .summary = algorithm.summary,
                         .source = algorithm.source,
                         .parameters = {}};
  for (const ParameterSpec& parameter : algorithm.parameters) {
    answer.parameters.push_back(fmt::format("{}: {}", parameter.name, parameter.summary));
  }
  return answer;
}

}  // namespace

int run_algorithms(const Arguments& arguments) {
  std::string family;
  if (arguments.has("--machine")) {
    family = family_name(load_machine(find_machine(machine_path_of(arguments), arguments.text("--machine")).file));
  }
  const auto collective = collective_of(arguments);
  std::vector<AlgorithmAnswer> answers;
  for (const Algorithm& algorithm : algorithms()) {
    if (!family.empty() && algorithm.family != family) continue;
    if (collective && algorithm.collective != *collective) continue;
    answers.push_back(describe(algorithm));
  }
  show(arguments, answers);
  return kDone;
}

}  // namespace muster
