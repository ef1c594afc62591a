# SPDX-License-Identifier: Apache-2.0
"""What the time of an answer tells about an address."""

import http.client
import json
import random
import time
import urllib.parse

from bench.report import line
from bench.server import Server, sign_up


def measure_enumeration(binaries, blocks=400):
    """How much later a recovery and a sign-in code are answered for known addresses than for unknown ones, as somebody on
    the same machine sees it: the difference of the medians and of the 20th percentiles, each with what 95 of 100
    resamplings of the blocks give. A second pool of unknown addresses shows what the method itself can't tell apart."""
    def percentile(values, share):
        values = sorted(values)
        return values[int(share * (len(values) - 1))]

    def interval(first, second, share):
        differences = []
        for _ in range(1000):
            picked = [random.randrange(len(first)) for _ in first]
            differences.append(percentile([first[i] for i in picked], share)
                               - percentile([second[i] for i in picked], share))
        return percentile(differences, 0.025) * 1e3, percentile(differences, 0.975) * 1e3

    ok = True
    with Server(binaries, LATCHKEY_DIRECTORY_LIMITS_ONE_TIME_TOKEN=1_000_000_000,
                LATCHKEY_DIRECTORY_LIMITS_MESSAGES_PER_RECIPIENT=1_000_000_000) as server:
        for number in range(blocks):
            sign_up(server, number)
        place = urllib.parse.urlparse(server.url)
        connection = http.client.HTTPConnection(place.hostname, place.port)
        headers = {"apikey": server.key, "Content-Type": "application/json"}
        for path, extra in (("/auth/v1/recover", {}), ("/auth/v1/otp", {"create_user": False})):
            times = {"known": [], "unknown": [], "control": []}
            for number in range(-20, blocks):
                for kind in random.sample(sorted(times), 3):
                    name = "bench" if kind == "known" else kind
                    body = json.dumps({"email": f"{name}{number % blocks}@example.com"} | extra)
                    began = time.perf_counter()
                    connection.request("POST", path, body, headers)
                    answer = connection.getresponse()
                    answer.read()
                    if number >= 0:
                        times[kind].append(time.perf_counter() - began)
                    assert answer.status == 200, answer.status
            for kind in ("known", "control"):
                ends = [interval(times[kind], times["unknown"], share) for share in (0.5, 0.2)]
                text = ", ".join(f"[{low:+.3f}, {high:+.3f}] ms" for low, high in ends)
                alike, close = (all(low < bound and high > -bound for low, high in ends) for bound in (0.05, 0.2))
                ok = line(f"{path}, {kind} against unknown", f"median, 20th percentile: {text} of "
                          f"{percentile(times['unknown'], 0.5) * 1e3:.2f} ms", "", "within 0.05 ms", alike, healthy=close) and ok
    return ok
