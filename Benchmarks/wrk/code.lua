-- SPDX-License-Identifier: Apache-2.0
-- Each thread is one browser that is signed in, and the app that it is sent to: it gets a code and redeems it, over and over.
local count = 0
local threads = {}

function setup(thread)
    local number = 0
    for line in io.lines(os.getenv("BENCH_COOKIES")) do
        if number == count then thread:set("cookie", line) end
        number = number + 1
    end
    count = count + 1
    table.insert(threads, thread)
end

function init(args)
    authorize, body = os.getenv("BENCH_AUTHORIZE"), os.getenv("BENCH_BODY")
    redeeming = {["Content-Type"] = "application/x-www-form-urlencoded", ["Authorization"] = os.getenv("BENCH_BASIC")}
    finished, failed = 0, 0
end

function request()
    if code then return wrk.format("POST", "/oauth2/token", redeeming, body .. code) end
    return wrk.format("GET", authorize, {["Cookie"] = cookie})
end

function response(status, headers, body)
    if code then
        code = nil
        if status == 200 then finished = finished + 1 else failed = failed + 1 end
    else
        code = string.match(headers["Location"] or headers["location"] or "", "[?&]code=([^&]+)")
        if not code then failed = failed + 1 end
    end
end

function done(summary, latency, requests)
    local finished, failed = 0, 0
    for _, thread in ipairs(threads) do
        finished = finished + thread:get("finished")
        failed = failed + thread:get("failed")
    end
    io.write(string.format("RESULT %d %d %d\n", finished, summary.duration, failed))
end
