// The specs of examples/peers, read without the foreign sources that they tune.
#include <gtest/gtest.h>

#include <regex>

#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_file.hpp"
#include "spec/spec_text.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

const fs::path peers = fs::path(GTUNE_SOURCE_DIR) / "examples/peers";

std::vector<fs::path> peer_specs() {
  std::vector<fs::path> specs;
  for (const auto& entry : fs::directory_iterator(peers)) {
    if (entry.path().extension() == ".toml") specs.push_back(entry.path());
  }
  std::sort(specs.begin(), specs.end());
  return specs;
}

/// The specs' folder, with empty files and folders in place of those that fetch.sh downloads.
class PeerFolder : public TestFolder {
 public:
  PeerFolder() {
    for (const char* part : {"adapters", "references"}) {
      fs::copy(peers / part, path() / part, fs::copy_options::recursive);
    }
    for (const fs::path& spec : peer_specs()) {
      fs::copy(spec, path() / spec.filename());
      stand_in_for_upstream(read_spec_text(spec));
    }
  }

 private:
  void stand_in_for_upstream(const std::string& text) const {
    const std::regex quoted("(\"-I\", )?\"(?:--pre-include=)?(upstream/[^\"]*)\"");
    for (std::sregex_iterator at(text.begin(), text.end(), quoted), end; at != end; ++at) {
      const fs::path named = (*at)[2].str();
      if (!(*at)[1].matched && named.has_extension()) {
        write(named, "");
      } else {
        fs::create_directories(path() / named);
      }
    }
  }
};

TEST(PeerSpecs, AreReadWithoutMistakes) {
  const PeerFolder folder;
  for (const fs::path& spec : peer_specs()) {
    const fs::path file = folder.path() / spec.filename();
    const SpecReading reading = read_all_mistakes(read_spec_text(file), file, {});
    for (const SpecMistake& mistake : reading.mistakes) {
      ADD_FAILURE() << mistake.place.in(spec.string()) << ": " << mistake.line;
    }
    EXPECT_TRUE(reading.spec) << spec;
  }
}

TEST(PeerSpecs, HaveTheSourcesDefaultAsAValidBaselineAndAReference) {
  const PeerFolder folder;
  const DeviceFacts& device = typical_device("sm_90");
  ASSERT_FALSE(peer_specs().empty());
  for (const fs::path& file : peer_specs()) {
    const KernelSpec spec = read_spec(folder.path() / file.filename(), {});
    EXPECT_EQ(spec.name, file.stem());
    EXPECT_TRUE(spec.check.reference) << file;
    const auto is_default = [](const Baseline& each) { return each.name == "default"; };
    const auto found = std::find_if(spec.baselines.begin(), spec.baselines.end(), is_default);
    ASSERT_NE(found, spec.baselines.end()) << file;
    const Problem problem = expand_problems(spec, {}).front();
    const Case of{problem, found->params, device};
    EXPECT_EQ(find_violation(spec, of), std::nullopt) << file;
    EXPECT_FALSE(plan_baseline_steps(spec, *found, of).empty()) << file;
    EXPECT_FALSE(plan_output_checks(spec, of.problem, device).empty()) << file;
  }
}

}  // namespace
}  // namespace gtune
