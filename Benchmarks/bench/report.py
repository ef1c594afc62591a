# SPDX-License-Identifier: Apache-2.0
"""What a measurement prints, and what it says of the build."""

missed = []


def line(name, text, ratio, bound, ok, healthy=False):
    """One figure against its goal. False where it shows that the build is ill, which is where the goal is missed; or, where the goal is one
    that no build has met so far (docs/performance.md says why of each), where not even `healthy` holds: what such a build does on slow
    machines too, with some room."""
    print(f"{name:<34} {text}\n{'':<34} {ratio}   wanted {bound}   {'ok' if ok else 'NOT MET'}", flush=True)
    if not ok:
        missed.append((name, bound, healthy))
    return ok or healthy


def told(name, text):
    """What is worth knowing and is not judged."""
    print(f"{name:<34} {text}", flush=True)


def summary():
    """Which goals were missed, those first that the build itself is to blame for."""
    for name, bound, healthy in sorted(missed, key=lambda row: row[2]):
        print(f"{'missed, as is known' if healthy else 'MISSED':<20} {name.lstrip('. ')}: {bound}", flush=True)
