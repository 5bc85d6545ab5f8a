// The summary of a register program.
#include "backend/hyperx/program.h"

#include "base/counted.h"
#include "base/saturating.h"
#include "machine/hyperx.h"
#include "machine/routing.h"

namespace muster::hyperx {

std::string HyperXProgram::summary() const {
  std::int64_t switches = 0;
  std::int64_t most_inputs = 0;
  NodeId last = -1;
  for (const Row& row : registers.rows) {
    switches += row.at != last ? 1 : 0;
    last = row.at;
    most_inputs = std::max<std::int64_t>(most_inputs, row.inputs.count);
  }
  return fmt::format(
      "{} of registers in {}; {}; at most {} combined at once",
      counted(static_cast<std::int64_t>(registers.rows.size()), "row"), counted(switches, "switch", "switches"),
      counted(static_cast<std::int64_t>(registers.segments.size()), "collective id"), counted(most_inputs, "input"));
}

std::vector<int> HyperXProgram::channels_sent(NodeId /*node*/) const { return {}; }

ProgramFacts HyperXProgram::facts() const {
  ProgramFacts facts{.machine = machine, .arithmetic = arithmetic};
  for (const Contract& contract : contracts) {
    facts.ranks.insert(facts.ranks.end(), contract.ranks.begin(), contract.ranks.end());
    facts.words = std::max(facts.words, contract.count);
    facts.in_place = contract.from == contract.to;
  }
  facts.channels = static_cast<std::int64_t>(registers.segments.size());
  return facts;
}

std::string_view channel_name(Channel channel) { return channel == Channel::request ? "request" : "response"; }

std::string row_text(const Machine& machine, const Row& row) {
  return fmt::format("{}, id {}, {}", node_text(machine, row.at), row.id, channel_name(row.channel));
}

/// `packet` words fill `kWordBytes` packets: so counted, nothing overflows.
std::int64_t packets_of(const Segment& segment, const HyperX& network) {
  const std::int64_t packet = network.packet.value();
  const std::int64_t rest = segment.elements.count % packet * kWordBytes;
  return saturating_sum(saturating_product(segment.elements.count / packet, kWordBytes), (rest + packet - 1) / packet);
}

}  // namespace muster::hyperx
