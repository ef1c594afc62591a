# SPDX-License-Identifier: Apache-2.0
"""Makes and checks tokens with two libraries that nobody here wrote: PyJWT and joserfc.

tokens.py make       prints a JSON array of {"maker", "algorithm", "jwk", "private", "token"}
tokens.py check      reads a JSON array of {"algorithm", "jwk", "token"} from standard input and prints one of
                     {"checker", "algorithm", "claims"}, where claims is null for a token that was refused
"""
import json
import sys
import time
import warnings

import jwt as pyjwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from joserfc import jwk as joserfc_keys
from joserfc import jwt as joserfc_jwt

# joserfc recommends RFC 9864's name for EdDSA; issuers use the older one.
warnings.simplefilter("ignore")

CURVES = {"ES256": ("P-256", ec.SECP256R1), "ES384": ("P-384", ec.SECP384R1), "ES512": ("P-521", ec.SECP521R1)}
ALGORITHMS = [family + size for family in ("RS", "PS", "ES", "HS") for size in ("256", "384", "512")] + ["EdDSA"]


def claims(maker):
    now = int(time.time())
    return {"iss": maker, "aud": ["api", "other"], "sub": "Zoë \U0001f511 \"quoted\" \\ /", "iat": now, "nbf": now - 1,
            "exp": now + 600, "nested": {"list": [1, -2.5, True, None, "x"]}}


def pyjwt_key(algorithm):
    """A private key as PyJWT wants it, and its private and public JWK."""
    if algorithm[:2] == "HS":
        key = bytes(range(1, 1 + int(algorithm[2:]) // 8))
    elif algorithm in CURVES:
        key = ec.generate_private_key(CURVES[algorithm][1]())
    elif algorithm == "EdDSA":
        key = ed25519.Ed25519PrivateKey.generate()
    else:
        key = rsa.generate_private_key(65537, 2048)
    implementation = pyjwt.get_algorithm_by_name(algorithm)
    private = implementation.to_jwk(key, as_dict=True)
    public = private if algorithm[:2] == "HS" else implementation.to_jwk(key.public_key(), as_dict=True)
    return key, private, public


def joserfc_key(algorithm):
    if algorithm[:2] == "HS":
        return joserfc_keys.OctKey.generate_key(int(algorithm[2:]))
    if algorithm in CURVES:
        return joserfc_keys.ECKey.generate_key(CURVES[algorithm][0])
    if algorithm == "EdDSA":
        return joserfc_keys.OKPKey.generate_key("Ed25519")
    return joserfc_keys.RSAKey.generate_key(2048)


def named(key, algorithm):
    """The key as an issuer publishes it."""
    return {k: v for k, v in key.items() if k not in ("key_ops", "use", "kid", "alg")} | {
        "kid": "key-" + algorithm, "use": "sig", "alg": algorithm}


def make():
    made = []
    for algorithm in ALGORITHMS:
        kid = "key-" + algorithm
        key, private, public = pyjwt_key(algorithm)
        token = pyjwt.encode(claims("pyjwt"), key, algorithm=algorithm, headers={"kid": kid})
        made.append({"maker": "pyjwt", "algorithm": algorithm, "jwk": named(public, algorithm),
                     "private": named(private, algorithm), "token": token})
        key = joserfc_key(algorithm)
        secret = key.as_dict(private=True)
        public = secret if algorithm[:2] == "HS" else key.as_dict(private=False)
        header = {"alg": algorithm, "kid": kid, "typ": "JWT"}
        token = joserfc_jwt.encode(header, claims("joserfc"), key, algorithms=[algorithm])
        made.append({"maker": "joserfc", "algorithm": algorithm, "jwk": named(public, algorithm),
                     "private": named(secret, algorithm), "token": token})
    return made


def pyjwt_check(token, key, algorithm):
    return pyjwt.decode(token, pyjwt.PyJWK(key).key, algorithms=[algorithm], audience="api", issuer="latchkey",
                        options={"require": ["exp", "iat", "sub"]})


def joserfc_check(token, key, algorithm):
    decoded = joserfc_jwt.decode(token, joserfc_keys.import_key(key), algorithms=[algorithm])
    registry = joserfc_jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": "latchkey"}, aud={"essential": True, "value": "api"},
        exp={"essential": True})
    registry.validate(decoded.claims)
    return decoded.claims


def check(given):
    checked = []
    for name, function in (("pyjwt", pyjwt_check), ("joserfc", joserfc_check)):
        for each in given:
            try:
                seen = function(each["token"], each["jwk"], each["algorithm"])
            except Exception:
                seen = None
            checked.append({"checker": name, "algorithm": each["algorithm"], "claims": seen})
    return checked


print(json.dumps(make() if sys.argv[1] == "make" else check(json.load(sys.stdin))))
