# SPDX-License-Identifier: Apache-2.0
"""An authenticator app (RFC 6238), which shows each code once, as a server takes it."""

import base64
import hashlib
import hmac
import struct
import time


class Authenticator:
    def __init__(self, secret):
        self._key = base64.b32decode(secret + "=" * (-len(secret) % 8))
        self._last = 0

    def _at(self, step):
        mac = hmac.new(self._key, struct.pack(">Q", step), hashlib.sha1).digest()
        offset = mac[-1] & 15
        return f"{(struct.unpack('>I', mac[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"

    def code(self):
        """The next one that was not shown: servers look one step back and ahead, so that this waits after the third."""
        self._last = max(self._last + 1, int(time.time()) // 30 - 1)
        while self._last > int(time.time()) // 30 + 1:
            time.sleep(0.2)
        return self._at(self._last)

    def wrong(self):
        near = {self._at(int(time.time()) // 30 + step) for step in range(-3, 4)}
        return next(code for code in (f"{digit}" * 6 for digit in range(10)) if code not in near)
