-- SPDX-License-Identifier: Apache-2.0
-- Each line of a file is one request: path, access token (or nothing), body, with tabs between. Thread N of M sends every
-- M-th of them, once, and waits when it has none left; the time that is printed is the one in which it had.
local threads = 0

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(args)
    rows, next_one = {}, 1
    local at, count = 0, tonumber(os.getenv("BENCH_THREADS"))
    for line in io.lines(os.getenv("BENCH_ROWS")) do
        if at % count == number then table.insert(rows, line) end
        at = at + 1
    end
end

function delay()
    return rows[next_one] and 0 or 3600000
end

function request()
    local path, token, body = string.match(rows[next_one] or "/health/live\t\t", "^([^\t]*)\t([^\t]*)\t(.*)$")
    next_one = next_one + 1
    local headers = { ["Content-Type"] = "application/json", ["apikey"] = os.getenv("BENCH_APIKEY") }
    if token ~= "" then headers["Authorization"] = "Bearer " .. token end
    return wrk.format("POST", path, headers, body)
end

function done(summary, latency, requests)
    local busy = latency.mean * summary.requests / threads
    io.write(string.format("RESULT %d %d %d\n", summary.requests, busy, summary.errors.status))
end
