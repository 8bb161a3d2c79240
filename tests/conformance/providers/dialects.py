"""How each provider's API answers: a new provider is one class here, and every fault is tried on it."""

import json


def sse(data, name=None, end="\n"):
    text = json.dumps(data, ensure_ascii=False) if not isinstance(data, str) else data
    head = f"event: {name}{end}" if name else ""
    return f"{head}data: {text}{end}{end}".encode()


class Anthropic:
    name = "anthropic"
    key_header = ("x-api-key", "{key}")
    words = {"end": "end_turn", "length": "max_tokens", "refused": "refusal"}
    temperature_error = {"type": "error", "error": {"type": "invalid_request_error",
                                                    "message": "`temperature` is deprecated for this model."}}
    reasoning_apart = True

    def stream(self, pieces, stop="end", reasoning="", tokens=(11, 7), cached=0):
        start = {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [],
                 "stop_reason": None, "usage": {"input_tokens": tokens[0] - cached, "cache_read_input_tokens": cached,
                                                "cache_creation_input_tokens": 0, "output_tokens": 1}}}
        events = [start, {"type": "ping"}]
        index = 0
        if reasoning:
            events += [{"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
                       {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": reasoning}},
                       {"type": "content_block_stop", "index": 0}]
            index = 1
        events.append({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}})
        events += [{"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": piece}}
                   for piece in pieces]
        events += [{"type": "content_block_stop", "index": index},
                   {"type": "message_delta", "delta": {"stop_reason": self.words[stop], "stop_sequence": None},
                    "usage": {"output_tokens": tokens[1]}}, {"type": "message_stop"}]
        return [sse(event, event["type"]) for event in events]

    def whole(self, text, stop="end", tokens=(11, 7)):
        return {"id": "msg_1", "type": "message", "role": "assistant", "content": [{"type": "text", "text": text}],
                "stop_reason": self.words[stop], "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]}}

    def error(self, kind, message):
        names = {"busy": "overloaded_error", "server": "api_error", "key": "authentication_error",
                 "quota": "rate_limit_error", "bad": "invalid_request_error", "unknown": "not_found_error"}
        error = {"type": names[kind], "message": message}
        if kind == "quota":
            error["details"] = {"error_code": "enforced_spend_limit_reached"}
        return {"type": "error", "error": error, "request_id": "req_1"}

    def error_event(self, kind, message):
        return sse(self.error(kind, message), "error")

    def unknown_event(self):
        return sse({"type": "novelty", "delta": {"text": "never"}}, "novelty")

    def partial_of(self, request):
        """The cut-off answer that a request asks to be continued."""
        turns = request.json["messages"]
        return turns[1]["content"] if len(turns) > 1 else ""


class Responses:
    name = "openai-responses"
    key_header = ("authorization", "Bearer {key}")
    temperature_error = {"error": {"message": "Unsupported parameter: 'temperature' is not supported with this model.",
                                   "type": "invalid_request_error", "param": "temperature", "code": None}}

    def response(self, text, stop, tokens, cached=0, reasoning=""):
        content = [{"type": "refusal", "refusal": text}] if stop == "refused" else [{"type": "output_text", "text": text}]
        output = [{"type": "message", "role": "assistant", "content": content}]
        if reasoning:
            output.insert(0, {"type": "reasoning", "summary": [{"type": "summary_text", "text": reasoning}]})
        return {"id": "resp_1", "object": "response", "error": None, "output": output,
                "status": "incomplete" if stop == "length" else "completed",
                "incomplete_details": {"reason": "max_output_tokens"} if stop == "length" else None,
                "usage": {"input_tokens": tokens[0], "input_tokens_details": {"cached_tokens": cached},
                          "output_tokens": tokens[1], "output_tokens_details": {"reasoning_tokens": 0}}}

    def stream(self, pieces, stop="end", reasoning="", tokens=(11, 7), cached=0):
        kind = "refusal" if stop == "refused" else "output_text"
        last = "response.incomplete" if stop == "length" else "response.completed"
        events = [{"type": "response.created", "response": {"id": "resp_1", "status": "in_progress", "output": []}}]
        if reasoning:
            events.append({"type": "response.reasoning_summary_text.delta", "delta": reasoning})
        events += [{"type": f"response.{kind}.delta", "delta": piece} for piece in pieces]
        events.append({"type": last, "response": self.response("".join(pieces), stop, tokens, cached, reasoning)})
        return [sse({**event, "sequence_number": number}, event["type"]) for number, event in enumerate(events)]

    def whole(self, text, stop="end", tokens=(11, 7)):
        return self.response(text, stop, tokens)

    def error(self, kind, message):
        codes = {"busy": ("requests", "rate_limit_exceeded"), "server": ("server_error", None),
                 "key": ("invalid_request_error", "invalid_api_key"), "quota": ("insufficient_quota", "insufficient_quota"),
                 "bad": ("invalid_request_error", None), "unknown": ("invalid_request_error", "model_not_found")}
        return {"error": {"message": message, "type": codes[kind][0], "param": None, "code": codes[kind][1]}}

    def error_event(self, kind, message):
        code = {"busy": "rate_limit_exceeded", "server": "server_error"}[kind]
        return sse({"type": "error", "code": code, "message": message, "param": None, "sequence_number": 9}, "error")

    def unknown_event(self):
        return sse({"type": "response.novelty", "delta": "never"}, "response.novelty")

    def partial_of(self, request):
        items = request.json["input"]
        return items[1]["content"][0]["text"] if len(items) > 1 else ""


class Chat:
    name = "openai-chat"
    key_header = ("authorization", "Bearer {key}")
    words = {"end": "stop", "length": "length", "refused": "content_filter"}
    temperature_error = Responses.temperature_error

    def chunk(self, delta, finish=None):
        return {"id": "chat_1", "object": "chat.completion.chunk",
                "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    def usage(self, tokens, cached=0):
        return {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "prompt_tokens_details": {"cached_tokens": cached}}

    def stream(self, pieces, stop="end", reasoning="", tokens=(11, 7), cached=0):
        events = [self.chunk({"role": "assistant", "content": None})]
        if reasoning:
            events.append(self.chunk({"reasoning_content": reasoning}))
        events += [self.chunk({"content": piece}) for piece in pieces]
        events += [self.chunk({}, self.words[stop]), {"id": "chat_1", "choices": [], "usage": self.usage(tokens, cached)}]
        return [sse(event) for event in events] + [sse("[DONE]")]

    def whole(self, text, stop="end", tokens=(11, 7)):
        return {"id": "chat_1", "choices": [{"index": 0, "message": {"role": "assistant", "content": text},
                                             "finish_reason": self.words[stop]}], "usage": self.usage(tokens)}

    error = Responses.error

    def error_event(self, kind, message):
        return sse(self.error(kind, message))

    def unknown_event(self):
        return sse({"object": "novelty", "choices": [], "content": "never"}, "novelty")

    def partial_of(self, request):
        turns = request.json["messages"]
        return turns[-2]["content"] if turns[-2]["role"] == "assistant" else ""


class Gemini:
    name = "gemini"
    key_header = ("x-goog-api-key", "{key}")
    words = {"end": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY"}
    temperature_error = [{"error": {"code": 400, "status": "INVALID_ARGUMENT",
                                    "message": "Invalid value at 'generation_config.temperature'"}}]

    def chunk(self, text="", finish=None, thought=False, tokens=None, cached=0):
        part = {"text": text, **({"thought": True} if thought else {})}
        candidate = {"content": {"role": "model", "parts": [part] if text else []}, "index": 0}
        if finish:
            candidate["finishReason"] = finish
        chunk = {"candidates": [candidate], "responseId": "gem_1"}
        if tokens:
            chunk["usageMetadata"] = {"promptTokenCount": tokens[0], "candidatesTokenCount": tokens[1],
                                      "cachedContentTokenCount": cached}
        return chunk

    def stream(self, pieces, stop="end", reasoning="", tokens=(11, 7), cached=0):
        events = [self.chunk(reasoning, thought=True)] if reasoning else []
        events += [self.chunk(piece) for piece in pieces]
        return [sse(event) for event in [*events, self.chunk("", self.words[stop], tokens=tokens, cached=cached)]]

    def whole(self, text, stop="end", tokens=(11, 7)):
        return self.chunk(text, self.words[stop], tokens=tokens)

    def error(self, kind, message):
        kinds = {"busy": (429, "RESOURCE_EXHAUSTED"), "server": (500, "INTERNAL"), "key": (400, "INVALID_ARGUMENT"),
                 "quota": (429, "RESOURCE_EXHAUSTED"), "bad": (400, "INVALID_ARGUMENT"), "unknown": (404, "NOT_FOUND")}
        error = {"code": kinds[kind][0], "status": kinds[kind][1], "message": message}
        if kind == "key":
            error["details"] = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
        if kind == "quota":
            error["details"] = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure",
                                 "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}]}]
        return [{"error": error}]

    def error_event(self, kind, message):
        return sse(self.error(kind, message)[0])

    def unknown_event(self):
        return sse({"novelty": {"text": "never"}}, "novelty")

    def partial_of(self, request):
        contents = request.json["contents"]
        return contents[1]["parts"][0]["text"] if len(contents) > 1 else ""


DIALECTS = [Anthropic(), Responses(), Chat(), Gemini()]
