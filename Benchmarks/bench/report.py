# SPDX-License-Identifier: Apache-2.0
"""What a measurement prints."""


def line(name, text, ratio, bound, ok):
    print(f"{name:<34} {text}\n{'':<34} {ratio}   wanted {bound}   {'ok' if ok else 'NOT MET'}", flush=True)
    return ok


def told(name, text):
    """What is worth knowing and is not judged."""
    print(f"{name:<34} {text}", flush=True)
