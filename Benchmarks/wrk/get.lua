-- SPDX-License-Identifier: Apache-2.0
-- Asks for one resource with one access token, over and over.
local token = os.getenv("BENCH_TOKEN")
if token then wrk.headers["Authorization"] = "Bearer " .. token end
if os.getenv("BENCH_APIKEY") then wrk.headers["apikey"] = os.getenv("BENCH_APIKEY") end

function done(summary, latency, requests)
    for _, percentile in ipairs({50, 99}) do
        io.write(string.format("P%d %d\n", percentile, latency:percentile(percentile)))
    end
    io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, summary.errors.status))
end
