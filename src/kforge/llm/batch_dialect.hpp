// BatchDialect: how one API takes many requests at once. It sees names and JSON; sending, retrying and keys
// are the ApiClient's.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kforge/llm/dialect.hpp"

namespace kforge {

// Small requests around the API's main one. An Error when it stays in vain.
class ApiClient {
  public:
    virtual ~ApiClient() = default;
    virtual Result<std::string> get(const std::string& path) const = 0;
    virtual Result<std::string> post(const std::string& path, const std::string& body,
                                     const std::string& content_type = "application/json") const = 0;
};

struct BatchBody {
    std::string id;
    nlohmann::json body;
};

struct BatchResult {
    std::string id;
    nlohmann::json answer;  // as of a single request; null when there is none
    std::string problem;
    std::optional<ApiError> error;  // where the request itself was refused
};

class BatchDialect {
  public:
    virtual ~BatchDialect() = default;
    virtual Result<std::string> submit(const ApiClient& client,
                                       const std::vector<BatchBody>& items) const = 0;
    // Nothing while it is being worked on.
    virtual Result<std::optional<std::vector<BatchResult>>> results(const ApiClient& client,
                                                                    const std::string& batch) const = 0;
};

// OpenAI's, for each of its endpoints.
std::unique_ptr<BatchDialect> make_openai_batches(std::string endpoint);

class RefusedParameters;
// Both must outlive it.
std::unique_ptr<LlmBatches> make_http_batches(const Dialect& dialect, RefusedParameters& refused);

}  // namespace kforge
