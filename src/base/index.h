// Ids are signed, containers count in size_t: the one conversion between them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace muster {

/// The index of an id or number, known not to be negative, in a container.
constexpr std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace muster
