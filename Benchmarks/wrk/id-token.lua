-- SPDX-License-Identifier: Apache-2.0
-- Signs in by ID tokens, each once: thread N of M has every M-th line of a file, and stops when it has none left.
local threads = {}

function setup(thread)
    thread:set("number", #threads)
    table.insert(threads, thread)
end

function init(args)
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["apikey"] = os.getenv("BENCH_APIKEY")
    tokens, next_one, missing = {}, 1, 0
    local at, count = 0, tonumber(os.getenv("BENCH_THREADS"))
    for line in io.lines(os.getenv("BENCH_TOKENS")) do
        if at % count == number then table.insert(tokens, line) end
        at = at + 1
    end
end

function request()
    local token = tokens[next_one]
    if token then
        next_one = next_one + 1
    else
        missing = missing + 1
        token = ""
        wrk.thread:stop()
    end
    return wrk.format("POST", "/auth/v1/token?grant_type=id_token", nil,
        '{"provider":"custom:bench","id_token":"' .. token .. '"}')
end

function done(summary, latency, requests)
    for _, thread in ipairs(threads) do
        if thread:get("missing") > 0 then io.write("OUT OF TOKENS\n") end
    end
    io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, summary.errors.status))
end
