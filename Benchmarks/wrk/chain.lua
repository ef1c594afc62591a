-- SPDX-License-Identifier: Apache-2.0
-- Each thread is one client with a session of its own: it posts a body whose "@@" is the refresh token of its last answer.
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
    before, after = string.match(os.getenv("BENCH_BODY"), "^(.*)@@(.*)$")
    for name, value in string.gmatch(os.getenv("BENCH_HEADERS"), "([^:\n]+): ([^\n]+)") do
        wrk.headers[name] = value
    end
end

function request()
    return wrk.format("POST", nil, nil, before .. token .. after)
end

function response(status, headers, body)
    token = string.match(body, '"refresh_token":"([^"]+)"') or token
end

function done(summary, latency, requests)
    io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, summary.errors.status))
end
