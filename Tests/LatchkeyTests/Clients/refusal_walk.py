# SPDX-License-Identifier: Apache-2.0
"""Calls beyond a limit in each dialect: what the metrics say of them."""

import re
import sys

from support import PASSWORD, http, served, settings, steps

METRICS = f"http://127.0.0.1:{sys.argv[2]}/metrics"
config = settings()
ANON, KEY, CLIENT = config["supabase"]["anonKey"], config["firebase"]["apiKey"], config["cognito"]["clientId"]
VICTIM = "victim@example.com"


def supabase():
    return http("POST", "/auth/v1/token?grant_type=password", {"email": VICTIM, "password": PASSWORD}, {"apikey": ANON})[0]


def firebase():
    path = f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={KEY}"
    return http("POST", path, {"email": VICTIM, "password": PASSWORD, "returnSecureToken": True})[0]


def cognito():
    return http("POST", "/", {"ClientId": CLIENT, "AuthFlow": "USER_PASSWORD_AUTH",
                              "AuthParameters": {"USERNAME": VICTIM, "PASSWORD": PASSWORD}},
                {"X-Amz-Target": "AWSCognitoIdentityProviderService.InitiateAuth",
                 "Content-Type": "application/x-amz-json-1.1"})[0]


def refusals_are_counted_by_limit_and_dialect():
    # One count for all dialects: whoever has used it up in one has none in the others.
    for call in [supabase, supabase, supabase, supabase, firebase, cognito]:
        call()
    text = served(METRICS)[2]
    found = dict(re.findall(r'latchkey_rate_limit_refusals_total\{dialect="(\w+)",limit="[^"]+"\} (\d+)', text))
    assert set(found) == {"supabase", "firebase", "cognito"}, text
    assert all(int(count) >= 1 for count in found.values()), found
    assert "victim" not in text and "127.0.0.1" not in text


steps(refusals_are_counted_by_limit_and_dialect)
