#include "gate/earlier_source.hpp"

#include <algorithm>

#include "model/error.hpp"
#include "model/one_line.hpp"
#include "spec/spec_reader.hpp"
#include "system/program_output.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_message_bytes = 300;

/// Runs git in a folder, without prompts. A hook's variables would name another repository.
ProgramOutput git(const fs::path& folder, const std::vector<std::string>& words,
                  const std::optional<fs::path>& index = std::nullopt) {
  ProgramStart start;
  start.command = {"git", "-C", folder.string()};
  start.command.insert(start.command.end(), words.begin(), words.end());
  start.environment = {{"GIT_DIR", std::nullopt},
                       {"GIT_WORK_TREE", std::nullopt},
                       {"GIT_INDEX_FILE", std::nullopt},
                       {"GIT_TERMINAL_PROMPT", "0"},
                       {"LC_ALL", "C"}};
  if (index) start.environment[2].second = index->string();
  start.limit = std::chrono::minutes(10);
  return run_to_end(start);
}

std::string first_line(const ProgramOutput& output) {
  const std::string line = output.text.substr(0, output.text.find('\n'));
  return line.empty() ? output.end : one_line(line, most_message_bytes);
}

/// The root of the repository that has the folder, or git's reason why there is none.
struct Toplevel {
  std::optional<fs::path> root;
  std::string why_none;
};

Toplevel toplevel_of(const fs::path& folder) {
  const ProgramOutput output = git(folder, {"rev-parse", "--show-toplevel"});
  if (!output.succeeded) return {std::nullopt, first_line(output)};
  std::string path = output.text;
  while (path.ends_with('\n')) path.pop_back();
  return {fs::weakly_canonical(path), ""};
}

fs::path folder_of(const fs::path& file) { return fs::weakly_canonical(file).parent_path(); }

/// `path` relative to `root`; absent if it is not below.
std::optional<fs::path> below(const fs::path& path, const fs::path& root) {
  fs::path relative = fs::weakly_canonical(path).lexically_relative(root);
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative;
}

}  // namespace

EarlierSource::EarlierSource(std::string asked, fs::path home)
    : m_asked(std::move(asked)), m_home(std::move(home)) {
  std::error_code ignored;
  if (fs::is_directory(m_asked, ignored)) {
    m_folder = fs::weakly_canonical(m_asked);
    m_text = "the folder " + m_asked;
  } else {
    m_text = m_asked;
  }
}

const EarlierSource::Tree& EarlierSource::tree_of(const fs::path& spec_file) {
  const Toplevel top = toplevel_of(folder_of(spec_file));
  if (!top.root && !m_folder) {
    throw UserError(ExitCode::usage, "--against " + m_asked + ": it is no folder, and " +
                                         spec_file.string() +
                                         " is in no git repository whose commit it could name (" +
                                         top.why_none + ")");
  }
  const fs::path root = top.root.value_or(fs::weakly_canonical(m_home));
  if (const auto known = m_trees.find(root); known != m_trees.end()) return known->second;
  Tree tree{root, m_folder.value_or(""), nullptr};
  if (!m_folder) extract(tree);
  return m_trees.emplace(root, std::move(tree)).first->second;
}

void EarlierSource::extract(Tree& tree) {
  const ProgramOutput commit = git(
      tree.now, {"rev-parse", "--verify", "--quiet", "--end-of-options", m_asked + "^{commit}"});
  if (!commit.succeeded) {
    throw UserError(ExitCode::usage, "--against " + m_asked +
                                         ": no such folder, and no commit of " + tree.now.string() +
                                         " has that name");
  }
  const std::string id = commit.text.substr(0, commit.text.find('\n'));
  constexpr std::size_t short_id = 12;
  m_text =
      "commit " + id.substr(0, short_id) + (id.starts_with(m_asked) ? "" : " (" + m_asked + ")");
  tree.scratch = std::make_unique<ScratchFolder>();
  const fs::path index = tree.scratch->path() / "index";
  tree.before = tree.scratch->path() / "tree";
  fs::create_directory(tree.before);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"read-tree", id},
        {"checkout-index", "--all", "--quiet", "--prefix=" + tree.before.string() + '/'}}) {
    const ProgramOutput output = git(tree.now, words, index);
    if (output.succeeded) continue;
    throw UserError(ExitCode::failed, "--against " + m_asked + ": git " + words.front() +
                                          " failed: " + first_line(output));
  }
}

/// In a folder that does not have the same structure, the file may be at the top.
fs::path EarlierSource::earlier_file(const Tree& tree, const fs::path& file) const {
  const std::optional<fs::path> relative = below(file, tree.now);
  fs::path same = tree.before / relative.value_or(file.filename());
  std::error_code ignored;
  if (fs::exists(same, ignored) || !m_folder) return same;
  return tree.before / file.filename();
}

bool EarlierSource::has_file_of(const KernelSpec& present) {
  std::error_code ignored;
  return fs::exists(earlier_file(tree_of(present.file), present.file), ignored);
}

KernelSpec EarlierSource::spec_of(const KernelSpec& present,
                                  std::span<const fs::path> kernel_folders) {
  const Tree& tree = tree_of(present.file);
  const fs::path file = earlier_file(tree, present.file);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    const fs::path shown = below(file, tree.before).value_or(file);
    throw UserError(ExitCode::nothing_stored, m_text + " has no " + shown.string());
  }
  std::vector<fs::path> folders;
  for (const fs::path& folder : kernel_folders) {
    // A folder outside of the tree is the same in both versions.
    const std::optional<fs::path> relative = below(folder, tree.now);
    folders.push_back(relative ? tree.before / *relative : folder);
  }
  try {
    return read_spec(file, folders);
  } catch (const UserError& error) {
    throw UserError(ExitCode::nothing_stored, m_text + ": " + error.what());
  }
}

}  // namespace gtune
