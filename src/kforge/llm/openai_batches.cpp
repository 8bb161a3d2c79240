// OpenAI's Batch API: a file of requests goes up, a file of answers and one of errors come down.
#include <fmt/format.h>

#include "kforge/llm/api_error.hpp"
#include "kforge/llm/batch_dialect.hpp"
#include "kforge/llm/json_reading.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using nlohmann::json;

constexpr std::string_view k_boundary = "kforge-9f86d081884c7d65-9a2feaa0c55ad015";

std::string upload_body(const std::string& lines) {
    return fmt::format(
        "--{0}\r\ncontent-disposition: form-data; "
        "name=\"purpose\"\r\n\r\nbatch\r\n--{0}\r\ncontent-disposition: "
        "form-data; name=\"file\"; filename=\"batch.jsonl\"\r\ncontent-type: "
        "application/jsonl\r\n\r\n{1}\r\n--{0}--\r\n",
        k_boundary, lines);
}

void read_result_lines(const std::string& lines, std::vector<BatchResult>& found) {
    for (const std::string& line : split_lines(lines)) {
        const json value = parse_json(line);
        BatchResult result{text_at(value, {"custom_id"}), nullptr, "", {}};
        const long status = number_at(value, {"response", "status_code"});
        if (status == 200) {
            result.answer = json_at(value, {"response", "body"});
        } else {
            result.problem = fmt::format("{} {}", text_at(value, {"error", "message"}),
                                         text_at(value, {"response", "body", "error", "message"}));
            if (status == 400 || status == 422)
                result.error = read_api_error(json_at(value, {"response", "body"}));
        }
        found.push_back(std::move(result));
    }
}

class OpenAiBatches : public BatchDialect {
  public:
    explicit OpenAiBatches(std::string endpoint) : m_endpoint(std::move(endpoint)) {}

    Result<std::string> submit(const ApiClient& client, const std::vector<BatchBody>& items) const override {
        std::string lines;
        for (const BatchBody& item : items)
            lines +=
                dump_json(
                    {{"custom_id", item.id}, {"method", "POST"}, {"url", m_endpoint}, {"body", item.body}}) +
                "\n";
        TRY_ASSIGN(const std::string file,
                   client.post("/files", upload_body(lines),
                               fmt::format("multipart/form-data; boundary={}", k_boundary)));
        TRY_ASSIGN(const std::string made,
                   client.post("/batches", dump_json({{"input_file_id", text_at(parse_json(file), {"id"})},
                                                      {"endpoint", m_endpoint},
                                                      {"completion_window", "24h"}})));
        return text_at(parse_json(made), {"id"});
    }

    // An expired or cancelled batch has answers all the same, to what was done by then.
    Result<std::optional<std::vector<BatchResult>>> results(const ApiClient& client,
                                                            const std::string& batch) const override {
        TRY_ASSIGN(const std::string text, client.get("/batches/" + batch));
        const json state = parse_json(text);
        const std::string status = text_at(state, {"status"});
        if (status != "completed" && status != "failed" && status != "expired" && status != "cancelled")
            return std::optional<std::vector<BatchResult>>();
        std::vector<BatchResult> found;
        for (const char* file : {"output_file_id", "error_file_id"})
            if (const std::string id = text_at(state, {file}); !id.empty()) {
                TRY_ASSIGN(const std::string lines, client.get("/files/" + id + "/content"));
                read_result_lines(lines, found);
            }
        return std::optional(std::move(found));
    }

  private:
    const std::string m_endpoint;
};

}  // namespace

std::unique_ptr<BatchDialect> make_openai_batches(std::string endpoint) {
    return std::make_unique<OpenAiBatches>(std::move(endpoint));
}

}  // namespace kforge
