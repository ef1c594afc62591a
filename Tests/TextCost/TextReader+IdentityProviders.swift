// SPDX-License-Identifier: Apache-2.0

import AccountModel

#if DEBUG
    @testable import AccountModel
    @testable import Accounts
    import AuthTypes
    @testable import CognitoAPI
    @testable import FirebaseAPI
    @testable import IdentityProviders
    @testable import JOSE
    @testable import ServerKit
    @testable import SupabaseAPI
    import TokenVerifier

    extension TextReader {
        /// What other people's identity providers answer, and what apps and operators say of them.
        static var identityProviders: [TextReader] { answers + statements + requests }

        private static let now = Instant(seconds: 1_700_000_000)

        private static func provider(_ kind: IdentityProvider.Kind) -> IdentityProvider {
            IdentityProvider(
                id: IdentityProviderID("p"), directoryID: DirectoryID("home"), name: "provider", kind: kind,
                issuer: kind == .openID ? "https://id.example" : nil, clientIDs: ["app"], secret: Secret("s"),
                createdAt: now, updatedAt: now)
        }

        /// As it comes by: written, and read by the parser that refuses what no text should be.
        private static func read(_ object: JSONObject) throws -> JSONObject {
            try JSONObject(parsing: object.serialized(), limits: OutwardAnswer.limits)
        }

        private static func answer(_ body: JSONObject) -> OutwardAnswer {
            OutwardAnswer(status: 200, body: body.serialized())
        }

        /// What is fetched: up to 256 KiB of it.
        private static var answers: [TextReader] {
            [
                TextReader("answer of a provider", 16 << 10) {
                    _ = try OutwardAnswer(status: 200, body: Array($0.utf8)).object()
                },
                TextReader("token answer", 8 << 10) { text in
                    for name in ["access_token", "error", "expires_in"] {
                        _ = try? TokenAnswer(answer([name: .string(text), "id_token": .string(text)])).tokens(at: now)
                    }
                },
                TextReader("metadata of a provider", 4096) { text in
                    let good: JSONObject = [
                        "issuer": "https://id.example", "authorization_endpoint": "https://id.example/a",
                        "token_endpoint": "https://id.example/t", "jwks_uri": "https://id.example/k",
                    ]
                    for name in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"] {
                        for value in [text, "https://id.example/" + text] {
                            _ = try? ProviderMetadata(
                                read(good.merging([name: .string(value)])), of: "https://id.example")
                        }
                    }
                    let methods: JSONObject = ["token_endpoint_auth_methods_supported": .array(words(text))]
                    _ = try ProviderMetadata(read(good.merging(methods)), of: "https://id.example")
                },
                TextReader("keys of a provider", 16 << 10) { text in
                    let key: JSONObject = ["kty": .string(text), "kid": .string(text), "n": .string(text), "e": "AQAB"]
                    _ = try? FetchedKeys(keySet: Array(text.utf8), life: nil)
                    _ = try FetchedKeys(keySet: answer(["keys": [.object(key)]]).body, life: nil)
                },
                TextReader("user of GitHub's", 8 << 10) { text in
                    let user: JSONObject = ["id": 1, "login": .string(text), "name": .string(text)]
                    let address: JSONObject = ["email": .string(text), "primary": true, "verified": true]
                    prove(.github, try GitHubProfile.claims(read(user), addresses: [.object(read(address))])?.claims)
                },
                TextReader("addresses of GitHub's", 16 << 10, countsOnly: true) { text in
                    let all = words(text).map { JSONValue.object(["email": $0, "primary": false]) }
                    _ = GitHubProfile.claims(["id": 1], addresses: all)
                },
                TextReader("answer of a token service", 4096) { text in
                    for document in [
                        text, "<a>\(text)</a>", "<a b=\"\(text)\"/>", "<\(text)/>", "<a><!--\(text)--></a>",
                    ] { _ = PlainXML(Array(document.utf8))?.text(at: ["a"]) }
                },
                TextReader("elements of a token service", 16 << 10, countsOnly: true) { text in
                    let elements = words(text).prefix(1000).compactMap(\.stringValue).map { "<\($0)>&lt;</\($0)>" }
                    _ = PlainXML(Array("<a>\(elements.joined())</a>".utf8))?.text(at: ["a", "word7"])
                    _ = PlainXML(Array(String(repeating: "<a>&#x41;", count: text.utf8.count / 16).utf8))
                },
                TextReader("user of Facebook's", 8 << 10) { text in
                    let user: JSONObject = ["id": "1", "name": .string(text), "email": .string(text)]
                    prove(.facebook, try FacebookProfile.claims(read(user))?.claims)
                    let data: JSONObject = ["is_valid": true, "app_id": .string(text), "user_id": .string(text)]
                    _ = try FacebookProfile.subject(ofInspected: read(["data": .object(data)]), app: "app")
                    _ = try FacebookProfile.claims(read(["id": .string(text)]))
                },
            ]
        }

        /// What is signed, or was judged.
        private static var statements: [TextReader] {
            [
                TextReader("claims of a provider", 16 << 10) { text in
                    for (kind, name) in [
                        (IdentityProvider.Kind.google, "hd"), (.microsoft, "xms_edov"), (.apple, "email"),
                        (.openID, "given_name"),
                    ] { prove(kind, try read(["sub": "1", "email": "a@b.example", name: .string(text)])) }
                },
                // From more than a proof keeps to as many as an answer has.
                TextReader("many claims of a provider", 28 << 10, countsOnly: true) { text in
                    var claims = JSONObject()
                    for (number, word) in words(text).enumerated() { claims["claim\(number)"] = word }
                    prove(.openID, ProofMaking.merge(claims, try read(claims)))
                },
                TextReader("issuer of a token", 8 << 10) { text in
                    let claims = try JWTClaims(
                        parsing: (["iss": .string(text), "tid": .string(text)] as JSONObject).serialized())
                    for rule in rules {
                        _ = (rule.issuer(of: claims), rule.fits(text), rule.fits("https://login.example/\(text)/v2.0"))
                    }
                },
                TextReader("what a token answers to", 8 << 10) { text in
                    let claims = try JWTClaims(
                        parsing: (["nonce": .string(text), "at_hash": .string(text)] as JSONObject).serialized())
                    let header = try JOSEHeader(parsing: Array(#"{"alg":"ES256"}"#.utf8))
                    for nonce in [IDTokenExpectations.Nonce.sent("n"), .kept(text, .either), .sent(text)] {
                        try? IDTokenExpectations(nonce: nonce, accessToken: Secret(text)).check(claims, header)
                    }
                },
                TextReader("first form of Apple's", 8 << 10) { text in
                    var proof = FederatedProof(provider: "apple", issuer: "i", subject: "s", audience: "a")
                    let name: JSONObject = ["firstName": .string(text), "lastName": .string(text)]
                    for user in [text, JSONValue.object(["name": .object(name), "email": .string(text)]).text] {
                        ProofMaking.add(appleUser: user, to: &proof)
                    }
                },
                TextReader("event of a provider", 4096) { text in
                    let event: JSONObject = [
                        "subject": ["iss": .string(text), "sub": .string(text)], "reason": .string(text),
                    ]
                    let type = "https://schemas.openid.net/secevent/risc/event-type/account-disabled"
                    for events in [JSONValue.string(text), [type: .object(event)], [text: .object(event)]] {
                        let claims: JSONObject = ["jti": "j", "iat": .integer(now.seconds), "events": events]
                        let read = try JWTClaims(parsing: claims.serialized())
                        _ = try? SecurityEvents.apple(read, now: now)
                        _ = try? SecurityEvents.risc(read, issuer: rules[0], now: now)
                    }
                },
                TextReader("identity of a provider", 8 << 10) { text in
                    let claims: JSONObject = [
                        "name": .string(text), "email": .string(text), "groups": .array(words(text)),
                    ]
                    let identity = Identity(
                        id: IdentityID("i"), directoryID: DirectoryID("home"), userID: UserID("u"),
                        provider: "keycloak",
                        subject: "s", data: try read(claims), createdAt: now, updatedAt: now)
                    _ = (IdentityData(identity).json, IdentityData(identity).metadata)
                },
            ]
        }

        /// What apps and operators say.
        private static var requests: [TextReader] {
            [
                TextReader("refusal of a provider's", 16 << 10) {
                    _ = RedirectError(ofProvider: $0, description: $0).target("https://app.example/in")
                },
                TextReader("grant by an ID token", 4096) { text in
                    let token = ["e30", Base64URL.encode((["iss": .string(text)] as JSONObject).serialized()), "AA"]
                        .joined(separator: ".")
                    for body in [
                        ["provider": .string(text), "id_token": "t"], ["provider": "apple", "id_token": .string(text)],
                        ["issuer": .string(text), "client_id": "c", "id_token": "t", "nonce": .string(text)],
                        ["provider": "azure", "id_token": .string(token)],
                    ] as [JSONObject] {
                        let request = try IDTokenRequest(SupabaseAPI.Input(object: read(body)))
                        _ = try? request.place(customProviders: true)
                        _ = request.refusal(by: provider(.google))
                    }
                },
                TextReader("custom provider", 2048) { text in
                    for name in ["identifier", "name", "client_id", "issuer", "discovery_url"] {
                        var input: JSONObject = ["issuer": "https://id.example"]
                        input[name] = .string(text)
                        input["authorization_params"] = [text: .string(text)]
                        _ = try? CustomProviderInput(SupabaseAPI.Input(object: read(input))).requireComplete()
                    }
                },
                TextReader("answer that an app hands on", 4096) { text in
                    for body in [
                        ["requestUri": .string(text), "postBody": .string(text)],
                        ["requestUri": .string("https://app.example/?" + text + "#" + text)],
                    ] as [JSONObject] { _ = try? ProviderResponse(FirebaseAPI.Input(object: read(body))).provider() }
                },
                TextReader("configured provider", 2048) { text in
                    var configured = provider(.openID)
                    (configured.displayName, configured.issuer) = (text, "https://" + text)
                    configured.clientIDs = words(text).compactMap(\.stringValue) + [text]
                    configured.endpoints.token = "https://id.example/" + text
                    try? configured.requireWellFormed(DirectorySettings())
                    _ = IdentityProvider.isName(text)
                },
            ]
        }

        private static let rules: [IssuerRule] = [
            .one("https://id.example", alsoSpelled: ["id.example"]), .tenants(base: "https://login.example/", .all),
        ]

        private static func prove(_ kind: IdentityProvider.Kind, _ claims: JSONObject?) {
            _ =
                ProofMaking.proof(
                    of: provider(kind), issuer: "i", subject: "s", audience: "a", claims: claims ?? [:]
                ).fullName
        }

        /// As many words as eight octets of the text are.
        private static func words(_ text: String) -> [JSONValue] {
            (0..<text.utf8.count / 8).map { .string("word\($0)") }
        }
    }
#endif
