-- SPDX-License-Identifier: Apache-2.0
-- Each thread is one client with a session of its own: it presents the token that its last answer gave it.
local count = 0

function setup(thread)
    local number = 0
    for line in io.lines(os.getenv("BENCH_TOKENS")) do
        if number == count then thread:set("token", line) end
        number = number + 1
    end
    count = count + 1
end

function init(args)
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["apikey"] = os.getenv("BENCH_APIKEY")
end

function request()
    return wrk.format("POST", "/auth/v1/token?grant_type=refresh_token", nil, '{"refresh_token":"' .. token .. '"}')
end

function response(status, headers, body)
    token = string.match(body, '"refresh_token":"([^"]+)"') or token
end

function done(summary, latency, requests)
    for _, percentile in ipairs({50, 99}) do
        io.write(string.format("P%d %d\n", percentile, latency:percentile(percentile)))
    end
    io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, summary.errors.status))
end
