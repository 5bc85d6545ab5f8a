// The best Reduce over a row of 512 processors: planned, proven, simulated, and written as code into this folder.
#include <muster/muster.h>

#include <fstream>
#include <iostream>

int main() {
  try {
    const muster::Machine row = muster::load_machine("wse2").with_grid(512, 1);
    muster::Question question{.machine = row, .collective = "reduce", .count = 256};
    const muster::Plan plan = muster::plan(question);
    std::cout << plan.best() << '\n' << (plan.verified ? "proven" : "not proven") << '\n';

    question.algorithm = plan.best().algorithm;
    question.parameters = plan.best().parameters;
    for (const muster::File& file : muster::emit(question, "csl").files) {
      std::ofstream(file.name) << file.text;
      std::cout << "wrote " << file.name << '\n';
    }
  } catch (const muster::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
