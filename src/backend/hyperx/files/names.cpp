// Names in registers.json.
#include "backend/hyperx/files/names.h"

#include "machine/hyperx.h"

namespace muster::hyperx {

std::string wiring_name(const Machine& machine) {
  const HyperX& hyperx = *as<HyperX>(machine);
  return fmt::format("{}, {} socket{} of {}x{} cores", family_and_shape(machine), hyperx.sockets,
                     hyperx.sockets == 1 ? "" : "s", hyperx.core_columns, hyperx.core_rows);
}

std::optional<Channel> channel_from_name(std::string_view name) {
  for (const Channel channel : {Channel::request, Channel::response}) {
    if (name == channel_name(channel)) return channel;
  }
  return std::nullopt;
}

}  // namespace muster::hyperx
