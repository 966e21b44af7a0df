#include "input_source.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace gtune::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_rounds = 4;

std::vector<fs::path> files_of(const std::vector<fs::path>& corpus) {
  std::vector<fs::path> files;
  for (const fs::path& path : corpus) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

InputSource::InputSource(const std::vector<fs::path>& corpus, Target& target, std::uint64_t seed)
    : m_target(target), m_corpus(target.seeds()), m_seed(seed) {
  for (const fs::path& file : files_of(corpus)) m_corpus.push_back(content_of(file));
  for (const std::string& input : m_corpus) {
    if (input.size() <= largest_base) m_bases.push_back(&input);
  }
  if (m_bases.empty()) throw std::runtime_error("the corpus is empty");
}

std::string InputSource::input(std::uint64_t number) const {
  if (number < m_corpus.size()) return m_corpus[number];
  // The odd multiplier spreads the generators of neighbouring seeds and numbers.
  Random random(m_seed * 0x9e3779b97f4a7c15U + number);
  std::string input = *m_bases[random.below(m_bases.size())];
  const std::string& other = *m_bases[random.below(m_bases.size())];
  for (std::size_t round = 1 + random.below(most_rounds); round > 0; --round) {
    input = m_target.mutate(std::move(input), other, random);
  }
  return input;
}

}  // namespace gtune::fuzz
