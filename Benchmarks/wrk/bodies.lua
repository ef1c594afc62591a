-- SPDX-License-Identifier: Apache-2.0
-- Each thread sends one line of a file as its body, over and over.
local count = 0

function setup(thread)
    local number, lines = 0, {}
    for line in io.lines(os.getenv("BENCH_BODIES")) do
        lines[number] = line
        number = number + 1
    end
    thread:set("body", lines[count % number])
    count = count + 1
end

function init(args)
    wrk.method = "POST"
    wrk.body = body
    for name, value in string.gmatch(os.getenv("BENCH_HEADERS"), "([^:\n]+): ([^\n]+)") do
        wrk.headers[name] = value
    end
end

function done(summary, latency, requests)
    io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, summary.errors.status))
end
