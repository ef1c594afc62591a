// SPDX-License-Identifier: Apache-2.0
// The same work in Node: parse, verify the signature with node:crypto, decode the claims, judge issuer, audience and time.
// Reads what `token-bench prepare` wrote; prints {"RS256": microseconds, …}, medians over batches.
import { createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const input = JSON.parse(readFileSync(process.argv[2], "utf8"));
const now = 1_800_000_000;

function judge(token, algorithm, key) {
    const parts = token.split(".");
    if (parts.length !== 3) throw new Error("malformed");
    const header = JSON.parse(Buffer.from(parts[0], "base64url").toString());
    if (header.alg !== algorithm) throw new Error("algorithm");
    const signed = Buffer.from(parts[0] + "." + parts[1]);
    const signature = Buffer.from(parts[2], "base64url");
    let good;
    switch (algorithm) {
        case "RS256": good = verify("sha256", signed, key, signature); break;
        case "ES256": good = verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, signature); break;
        case "EdDSA": good = verify(null, signed, key, signature); break;
        case "HS256": {
            const code = createHmac("sha256", key).update(signed).digest();
            good = code.length === signature.length && timingSafeEqual(code, signature);
        }
    }
    if (!good) throw new Error("signature");
    const claims = JSON.parse(Buffer.from(parts[1], "base64url").toString());
    if (claims.iss !== input.issuer || claims.aud !== input.audience || claims.exp <= now || claims.iat > now)
        throw new Error("claims");
    return claims;
}

const result = {};
for (const { algorithm, token, jwk } of input.tokens) {
    const key = algorithm === "HS256" ? Buffer.from(jwk.k, "base64url") : createPublicKey({ key: jwk, format: "jwk" });
    const times = [];
    for (let batch = 0; batch < 40; batch++) {
        const began = process.hrtime.bigint();
        for (let index = 0; index < 200; index++) judge(token, algorithm, key);
        times.push(Number(process.hrtime.bigint() - began) / 200_000);
    }
    result[algorithm] = times.sort((a, b) => a - b)[times.length / 2];
}
console.log(JSON.stringify(result));
