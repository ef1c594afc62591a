# SPDX-License-Identifier: Apache-2.0
"""Reads mails with the standard library's parser, for tests.

The argument is a file with a JSON array of mails in Base64; printed is a JSON array of what was found in them.
"""

import base64
import email
import email.policy
import json
import sys

found = []
with open(sys.argv[1], encoding="utf-8") as file:
    mails = json.load(file)
for mail in mails:
    message = email.message_from_bytes(base64.b64decode(mail), policy=email.policy.default)
    sender = message["From"].addresses[0]
    parts = message.get_payload() if message.is_multipart() else [message]
    found.append(
        {
            "fields": message.keys(),
            "subject": str(message["Subject"]),
            "senderName": sender.display_name,
            "sender": sender.addr_spec,
            "date": message["Date"].datetime.isoformat(),
            "type": message.get_content_type(),
            "parts": [{"type": part.get_content_type(), "text": part.get_content()} for part in parts],
            "defects": [str(defect) for part in [message, *parts] for defect in part.defects],
        }
    )
print(json.dumps(found))
