// A line of processors and the messages between them, as data for a picture.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace muster {

struct LinePicture {
  std::string title;
  std::vector<std::string> names;          ///< names of the processors, along the line
  std::vector<std::optional<Ticks>> ends;  ///< when each finished; none: it did nothing
  std::vector<std::size_t> owing;          ///< indices of the processors that need a result
  struct Message {
    std::size_t from = 0;
    std::size_t to = 0;
    int channel = 0;
    bool multicast = false;  ///< it delivers a copy to every processor on its path
  };
  std::vector<Message> messages;
};

}  // namespace muster
