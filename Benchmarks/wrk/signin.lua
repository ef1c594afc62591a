-- SPDX-License-Identifier: Apache-2.0
-- Signs one user in, over and over.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["apikey"] = os.getenv("BENCH_APIKEY")
wrk.body = os.getenv("BENCH_BODY")

function done(summary, latency, requests)
    for _, percentile in ipairs({50, 99}) do
        io.write(string.format("P%d %d\n", percentile, latency:percentile(percentile)))
    end
    io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, summary.errors.status))
end
