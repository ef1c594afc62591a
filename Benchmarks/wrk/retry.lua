-- SPDX-License-Identifier: Apache-2.0
-- Signs one user in, over and over, each time for another client of a proxy's.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["apikey"] = os.getenv("BENCH_APIKEY")
wrk.body = os.getenv("BENCH_BODY")

local number = 0

function request()
    number = number + 1
    wrk.headers["X-Forwarded-For"] = string.format("10.%d.%d.%d", number / 65536 % 256, number / 256 % 256, number % 256)
    return wrk.format()
end

function done(summary, latency, requests)
    io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, summary.errors.status))
end
