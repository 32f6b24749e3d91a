// The cases of a format: folders of small files, each with the text that reading it gives beside it
// (NAME.txt). WEFT_UPDATE_CASES=1 writes these texts anew, to be looked through before a commit.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::test {

// The cases in tests/core/formats/FORMAT, in order of their paths.
std::vector<std::filesystem::path> cases_of(const std::string& format);

// "succeed_flows", for the name of a test.
std::string case_name(const testing::TestParamInfo<std::filesystem::path>& info);

// A case of a binary format, whose bytes a test writes: "fxt/succeed/everything.fxt".
// WEFT_UPDATE_CASES=1 writes its file anew.
void expect_case(const std::string& name, const std::string& bytes);

void expect_as_written(const std::filesystem::path& path, const std::string& text);

}  // namespace weft::test
