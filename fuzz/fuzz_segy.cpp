// Any bytes are a gather or a cube in SEG-Y, or are refused with an InputError.
#include "seismic_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::seismic::fuzz_format(muster::seismic::segy_codec(), data, size);
  return 0;
}
