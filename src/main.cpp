#include "cli/app.hpp"

int main(int argc, char** argv) { return gtune::run_app(argc, argv); }
