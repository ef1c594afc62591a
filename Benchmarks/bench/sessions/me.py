# SPDX-License-Identifier: Apache-2.0
"""`GET /v1/me` against an empty route, and with an access log."""

from bench.report import line
from bench.server import Server, sign_up


def measure_me(binaries, seconds):
    with Server(binaries) as server:
        token = sign_up(server, 0)["access_token"]
        empty, me = [], []
        for _ in range(2):
            empty.append(server.wrk("get.lua", "/health/live", 64, 1, seconds))
            me.append(server.wrk("get.lua", "/v1/me", 64, 1, seconds, BENCH_TOKEN=token))
    empty_rate, me_rate = (sum(run[0] for run in runs) / len(runs) for runs in (empty, me))
    failures = sum(run[1] for run in me)
    return line("GET /v1/me", f"{me_rate:.0f}/s against {empty_rate:.0f}/s of GET /health/live, {failures} failures",
                f"ratio {me_rate / empty_rate:.3f}", ">= 0.50", me_rate / empty_rate >= 0.5 and failures == 0)


def measure_log(binaries, seconds):
    """What a line a request costs: `/v1/me` at the default log level against `notice`, in turns."""
    with Server(binaries) as quiet, Server(binaries, LATCHKEY_LOG_LEVEL="info") as usual:
        servers = [(server, sign_up(server, 0)["access_token"]) for server in (quiet, usual)]
        runs = [[server.wrk("get.lua", "/v1/me", 64, 1, seconds, BENCH_TOKEN=token) for server, token in servers]
                for _ in range(3)]
    notice, info = (sorted(run[index][0] for run in runs)[1] for index in (0, 1))
    failures = sum(result[1] for run in runs for result in run)
    return line("GET /v1/me with an access log", f"{info:.0f}/s against {notice:.0f}/s at the level notice, {failures} "
                f"failures", f"ratio {info / notice:.3f}", ">= 0.85", info / notice >= 0.85 and failures == 0)
