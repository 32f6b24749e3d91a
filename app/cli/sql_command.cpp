// weftscope sql: SQL over a trace.
#include <cmath>
#include <memory>

#include "app/base/json_text.h"
#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "app/cli/table.h"
#include "core/base/text.h"
#include "core/query/sql/sql.h"

namespace weft::cli {
namespace {

using query::SqlStatement;

struct SqlOptions {
  Input input;
  std::string query;
  std::string format = "table";
};

// Prints the rows of one statement.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void write(const SqlStatement& row) = 0;
  virtual void finish() {}
};

// Columns are as wide as in the first rows; a long answer is printed on the way, in blocks of as
// many rows.
class TableWriter final : public RowWriter {
 public:
  TableWriter(const SqlStatement& statement, Output& output) : output_(output) {
    for (int i = 0; i < statement.columns(); ++i) {
      columns_.push_back({printable(statement.column_name(i))});
    }
  }
  void write(const SqlStatement& row) override {
    std::vector<std::string> cells;
    for (int i = 0; i < row.columns(); ++i) {
      const bool is_number =
          row.kind(i) == SqlStatement::Kind::kInteger || row.kind(i) == SqlStatement::Kind::kReal;
      if (is_number && rows_.empty()) columns_[static_cast<size_t>(i)].align = Align::kRight;
      cells.push_back(row.plain_text(i));
    }
    rows_.push_back(std::move(cells));
    if (rows_.size() >= kBlock) print();
  }
  void finish() override {
    if (!rows_.empty() || !has_printed_) print();
  }

 private:
  static constexpr size_t kBlock = 10000;
  void print() {
    Table table(columns_);
    for (auto& row : rows_) table.add(std::move(row));
    table.print(output_);
    rows_.clear();
    has_printed_ = true;
    for (Table::Column& column : columns_) column.title.clear();
  }
  Output& output_;
  std::vector<Table::Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  bool has_printed_ = false;
};

class CsvWriter final : public RowWriter {
 public:
  CsvWriter(const SqlStatement& statement, Output& output) : output_(output) {
    for (int i = 0; i < statement.columns(); ++i) cell(i, statement.column_name(i));
    output_.text("\n");
  }
  void write(const SqlStatement& row) override {
    for (int i = 0; i < row.columns(); ++i) cell(i, row.plain_text(i));
    output_.text("\n");
  }

 private:
  void cell(int i, std::string_view text) {
    if (i > 0) output_.text(",");
    output_.text(csv_cell(text));
  }
  Output& output_;
};

class JsonLinesWriter final : public RowWriter {
 public:
  JsonLinesWriter(const SqlStatement& statement, Output& output) : output_(output) {
    for (int i = 0; i < statement.columns(); ++i) {
      names_.push_back(app::json_string(statement.column_name(i)));
    }
  }
  void write(const SqlStatement& row) override {
    for (int i = 0; i < row.columns(); ++i) {
      output_.print("{}{}:{}", i == 0 ? '{' : ',', names_[static_cast<size_t>(i)], value(row, i));
    }
    output_.text("}\n");
  }

 private:
  static std::string value(const SqlStatement& row, int column) {
    switch (row.kind(column)) {
      case SqlStatement::Kind::kNull:
        return "null";
      case SqlStatement::Kind::kInteger:
        return std::to_string(row.integer(column));
      case SqlStatement::Kind::kReal:
        // JSON has no infinity.
        return std::isfinite(row.real(column)) ? fmt::format("{}", row.real(column)) : "null";
      default:
        return app::json_string(row.plain_text(column));
    }
  }
  Output& output_;
  std::vector<std::string> names_;
};

std::unique_ptr<RowWriter> make_writer(std::string_view format, const SqlStatement& statement,
                                       Output& output) {
  if (format == "csv") return std::make_unique<CsvWriter>(statement, output);
  if (format == "jsonl") return std::make_unique<JsonLinesWriter>(statement, output);
  return std::make_unique<TableWriter>(statement, output);
}

Result<int> run_sql(const SqlOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const store::TracePtr trace, options.input.open(pool));
  const auto in_file = [&](Error error) {
    return fail(std::move(error).context(options.input.shown_file()));
  };
  auto database = query::SqlDatabase::open(trace);
  if (!database) return in_file(std::move(database).error());
  Output output;
  for (size_t at = 0; output.is_open();) {
    auto statement = (*database)->prepare(options.query, at);
    if (!statement) return in_file(std::move(statement).error());
    if (*statement == nullptr) break;
    const auto writer = make_writer(options.format, **statement, output);
    while (output.is_open()) {
      const auto has_row = (*statement)->next();
      if (!has_row) return in_file(has_row.error());
      if (!*has_row) break;
      writer->write(**statement);
    }
    writer->finish();
  }
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_sql(CLI::App& app) {
  auto options = std::make_shared<SqlOptions>();
  options->input.declare(app, "--input-format");
  app.add_option("QUERY", options->query, "Statements, separated by ;")->required();
  declare_print_format(app, "How to print rows: table (default), csv or jsonl",
                       {"table", "csv", "jsonl"}, "jsonl", options->format);
  return [options] { return run_sql(*options); };
}

}  // namespace weft::cli
