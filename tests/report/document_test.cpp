#include "report/document.hpp"

#include <gtest/gtest.h>

#include "model/checked_json.hpp"

namespace gtune {
namespace {

using nlohmann::json;

json data_of(const Document& document) { return json::parse(json_of(document)); }

TEST(Cell, DataKeepTheNumberThatTextScales) {
  const Document document = Document().fact("time", "ns", Quantity{2.5e6, "nanosecond"});
  EXPECT_EQ(text_of(document), "time  2.500 ms\n");
  EXPECT_EQ(data_of(document), json({{"ns", 2.5e6}}));
}

TEST(Cell, WithoutAValueIsNullInData) {
  const Document document = Document()
                                .fact("a", "a", std::optional<double>())
                                .fact("b", "b", Cell(Quantity{{}, "ms"}).or_said("not measured"));
  EXPECT_EQ(text_of(document), "a  -\nb  not measured\n");
  EXPECT_EQ(data_of(document), json({{"a", nullptr}, {"b", nullptr}}));
}

TEST(Cell, KeepsItsTypeInData) {
  const std::uint64_t large = ~std::uint64_t{0};
  const Document document = Document()
                                .data("large", large)
                                .data("bool", true)
                                .data("int", -3)
                                .data("text", "words")
                                .data("list", std::vector<Cell>{1, 2.5})
                                .data("values", NamedValues{{"B", 2}, {"A", 1}});
  EXPECT_EQ(text_of(document), "");
  EXPECT_EQ(data_of(document), json({{"large", large},
                                     {"bool", true},
                                     {"int", -3},
                                     {"text", "words"},
                                     {"list", {1, 2.5}},
                                     {"values", {{"A", 1}, {"B", 2}}}}));
}

TEST(Document, TextIndentsAPartUnderItsTitleAndAlignsLabels) {
  const Document part = Document("part").line("a", 1).line("long", 2).note("words");
  EXPECT_EQ(text_of(Document("whole").part(part)),
            "whole\n  part\n    a     1\n    long  2\n    words\n");
}

TEST(Document, DataOfAPartStandUnderItsKeyOrBesideTheOthers) {
  const Document part = Document("part").data("x", 1);
  EXPECT_EQ(data_of(Document().part(part, "key").part(part)),
            json({{"key", {{"x", 1}}}, {"x", 1}}));
  EXPECT_EQ(data_of(Document().parts({part, part}, "list")),
            json({{"list", {{{"x", 1}}, {{"x", 1}}}}}));
  EXPECT_EQ(data_of(Document().parts({part}, "")), json::parse(R"([{"x": 1}])"));
  EXPECT_EQ(data_of(Document().parts({}, "list").part(Document(), "empty")),
            json::parse(R"({"list": [], "empty": {}})"));
}

Table some_table() {
  Table table({column("name", "name"), data_column("n"), csv_columns({"A", "B"}, "asked_"),
               text_column("more")});
  table.row({"x,\"y\"", 1.5, NamedValues{{"B", 2}}, "m"});
  table.row({"z", true, NamedValues{{"A", 3}, {"B", 4}}, "longer"});
  return table.title("things").key("rows");
}

TEST(Table, IsAlignedInText) {
  EXPECT_EQ(text_of(Document().table(some_table())),
            "things\n  name   more\n  x,\"y\"  m\n  z      longer\n");
}

TEST(Table, IsAnArrayOfObjectsInJson) {
  EXPECT_EQ(data_of(Document().table(some_table())),
            json::parse(R"({"rows": [{"name": "x,\"y\"", "n": 1.5}, {"name": "z", "n": true}]})"));
}

TEST(Table, IsRfc4180InCsvWithoutTheColumnsOfOtherFormats) {
  Table quoted({csv_column("a,b")});
  quoted.row({"x,\"y\""});
  EXPECT_EQ(csv_of(Document().table(quoted)), "\"a,b\"\r\n\"x,\"\"y\"\"\"\r\n");
  EXPECT_EQ(csv_of(Document().table(some_table())), "n,asked_A,asked_B\r\n1.5,,2\r\n1,3,4\r\n");
}

TEST(Table, SeveralMakeOneCsvFile) {
  const Document part = Document().table(some_table());
  EXPECT_EQ(csv_of(Document().parts({part, part}, "parts")),
            "n,asked_A,asked_B\r\n1.5,,2\r\n1,3,4\r\n1.5,,2\r\n1,3,4\r\n");
}

TEST(Table, TextGathersGroupsAndDataKeepTheOrderOfRows) {
  Table table({column("", "n")});
  table.groups({"odd", "even", "none"}).key("n");
  for (int i = 1; i <= 4; ++i) table.row({i}, i % 2 == 0 ? 1 : 0);
  EXPECT_EQ(text_of(Document().table(table)), "odd\n  1\n  3\neven\n  2\n  4\n");
  EXPECT_EQ(data_of(Document().table(table))["n"][1]["n"], 2);
}

TEST(Table, WithoutRowsIsAnEmptyArrayAndNoText) {
  Table table({column("a", "a"), csv_column("a")});
  const Document document = Document().table(table.title("title").key("rows"));
  EXPECT_EQ(text_of(document), "");
  EXPECT_EQ(data_of(document), json::parse(R"({"rows": []})"));
  EXPECT_EQ(csv_of(document), "a\r\n");
}

}  // namespace
}  // namespace gtune
