#include <sstream>

#include "fixture.hpp"
#include "model/checked_json.hpp"
#include "store/row_check.hpp"
#include "support/some_lines.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class StoredLineProfiles : public StoreTest {
 protected:
  MeasurementId measured(std::int64_t bm) {
    return db.insert_measurement(begin_run(), key, timed(bm, 2));
  }
};

TEST_F(StoredLineProfiles, ComeBackAndGiveWayToNewOnes) {
  const MeasurementId id = measured(64);
  EXPECT_FALSE(db.load_line_profile(id));
  db.insert_line_profile(id, {std::nullopt, "busy"});
  ASSERT_TRUE(db.load_line_profile(id));
  EXPECT_FALSE(db.load_line_profile(id)->profile);
  EXPECT_EQ(db.load_line_profile(id)->reason, "busy");
  db.insert_line_profile(id, {some_lines(), ""});
  const auto stored = db.load_line_profile(id);
  ASSERT_TRUE(stored && stored->profile);
  EXPECT_EQ(json(*stored->profile), json(some_lines()));
  EXPECT_EQ(stored->reason, "");
}

TEST_F(StoredLineProfiles, AnotherMeasurementOfTheSameConfigurationMayHaveThem) {
  const MeasurementId with = measured(64);
  const MeasurementId without = measured(64);
  const MeasurementId other = measured(128);
  EXPECT_FALSE(db.load_comparable_lines(without));
  db.insert_line_profile(with, {some_lines(), ""});
  db.insert_line_profile(without, {std::nullopt, "busy"});
  ASSERT_TRUE(db.load_comparable_lines(without));
  EXPECT_TRUE(db.load_comparable_lines(without)->profile);
  EXPECT_FALSE(db.load_comparable_lines(other));
}

TEST_F(StoredLineProfiles, AForeignOneIsRefusedWhereItIsRead) {
  const MeasurementId id = measured(64);
  for (const char* text : {"{", "[]", R"({"lines":[]})", R"({"period_cycles":1e99})"}) {
    SQLite::Statement insert(db.connection(),
                             "INSERT OR REPLACE INTO line_profile VALUES (?, 5, '', ?)");
    insert.bind(1, static_cast<std::int64_t>(id));
    insert.bind(2, std::string(text));
    insert.exec();
    EXPECT_THROW((void)db.load_line_profile(id), UserError) << text;
    EXPECT_THROW(require_sound_rows(db), UserError) << text;
  }
}

TEST(LineProfileRows, MustAgreeWithTheirNumberOfSamples) {
  const std::string text = json(some_lines()).dump();
  EXPECT_NO_THROW(
      check_row("line_profile", {{"samples", 1000}, {"reason", ""}, {"profile", text}}));
  EXPECT_NO_THROW(
      check_row("line_profile", {{"samples", nullptr}, {"reason", "x"}, {"profile", ""}}));
  for (const json& samples : {json(999), json(nullptr), json(-1)}) {
    EXPECT_ANY_THROW(
        check_row("line_profile", {{"samples", samples}, {"reason", ""}, {"profile", text}}));
  }
}

}  // namespace
}  // namespace gtune::test
