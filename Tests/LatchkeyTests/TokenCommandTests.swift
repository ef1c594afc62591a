// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE
import Testing

/// `latchkey token`, as a script uses it.
@Suite struct TokenCommandTests {
    private let directory: URL
    private let key: SigningKey
    private let now: Int64 = 1_800_000_000

    init() throws {
        directory = try Paths.temporaryDirectory()
        key = try SigningKey.generate(.es256, keyID: "k1")
        try write(try keySet([key]), to: "keys.json")
    }

    private func keySet(_ keys: [SigningKey]) throws -> [UInt8] {
        let published: JSONObject = ["keys": .array(keys.compactMap { $0.publicJWK?.publicObject }.map { .object($0) })]
        return published.serialized()
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: directory.appendingPathComponent(name))
    }

    private func claims(_ changes: JSONObject = [:]) -> JSONObject {
        let usual: JSONObject = [
            "iss": "https://id.example", "aud": "api", "sub": "u", "iat": .integer(now), "exp": .integer(now + 600),
        ]
        return usual.merging(changes)
    }

    private func run(_ arguments: [String], input: String) async throws -> CommandResult {
        try await Command.run(Paths.latchkey, ["token"] + arguments, in: directory, input: input)
    }

    private func verify(
        _ tokens: [String], keys: [String] = ["--jwks", "keys.json"], _ more: [String] = []
    ) async throws -> [JSONObject] {
        let fixed = ["verify", "--issuer", "https://id.example", "--audience", "api", "--now", "\(now)"]
        let result = try await run(fixed + keys + more, input: tokens.map { $0 + "\n" }.joined())
        try #require(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == tokens.count)
        return try lines.map { try JSONObject(parsing: $0.utf8) }
    }

    private func errors(
        _ tokens: [String], keys: [String] = ["--jwks", "keys.json"], _ more: [String] = []
    ) async throws -> [String] {
        try await verify(tokens, keys: keys, more).map { answer in
            #expect(answer["valid"] == (answer["error"] == nil ? true : false))
            #expect((answer["claims"] != nil) == (answer["error"] == nil))
            #expect((answer["message"]?.stringValue).map { !$0.isEmpty } ?? (answer["error"] == nil))
            return answer["error"]?.stringValue ?? "valid"
        }
    }

    @Test("A valid token's claims are printed; each refused one has its error, and signature comes before expiry")
    func answers() async throws {
        let forger = try SigningKey.generate(.es256, keyID: "k1")
        let stranger = try SigningKey.generate(.es256, keyID: "k2")
        let rsa = try SigningKey.generate(.rs256, keyID: "k1")
        let good = try JWS.sign(claims(), with: key)
        #expect(try await verify([good]) == [["valid": true, "claims": .object(claims())]])
        let cases: [(String, String)] = [
            (good, "valid"), ("", "malformed"), ("x", "malformed"), (good + " ", "malformed"),
            (good + "\r", "malformed"),
            (try JWS.sign(claims(["exp": .integer(now)]), with: key), "expired"),
            (try JWS.sign(claims(["exp": 1]), with: forger), "bad_signature"),
            (try JWS.sign(claims(), with: stranger), "unknown_key"),
            (try JWS.sign(claims(), with: rsa), "wrong_algorithm"),
            (try JWS.sign(claims(["iss": "https://id.example/"]), with: key), "unknown_issuer"),
            (try JWS.sign(claims(["iss": nil]), with: key), "unknown_issuer"),
            (try JWS.sign(claims(["aud": "ap"]), with: key), "wrong_audience"),
            (try JWS.sign(claims(["aud": nil]), with: key), "wrong_audience"),
            (try JWS.sign(claims(["aud": ["x", "api"]]), with: key), "valid"),
            (try JWS.sign(claims(["nbf": .integer(now + 1)]), with: key), "not_yet_valid"),
            (try JWS.sign(claims(["iat": .integer(now + 1)]), with: key), "not_yet_valid"),
            (try JWS.sign(claims(["exp": nil]), with: key), "malformed"),
            (try JWS.sign(claims(["exp": "1"]), with: key), "malformed"),
            (try JWS.sign(claims(), header: ["cty": "JWT"], with: key), "malformed"),
            (try JWS.sign(claims(), header: ["crit": ["x"]], with: key), "malformed"),
            ("eyJhbGciOiJub25lIn0.e30.", "malformed"), ("eyJhbGciOiJub25lIn0.e30.AA", "wrong_algorithm"),
        ]
        for ((token, expected), error) in zip(cases, try await errors(cases.map(\.0))) {
            #expect(error == expected, "\(token)")
        }
    }

    @Test("Kinds are told apart by token_use, typ and claims; an audience may be a client_id")
    func kinds() async throws {
        func sign(_ changes: JSONObject, type: String = "JWT") throws -> String {
            try JWS.sign(claims(changes), type: type, with: key)
        }
        let tokens = try [
            sign(["token_use": "access", "client_id": "api", "aud": nil]), sign(["token_use": "id"]),
            sign([:], type: "at+jwt"), sign(["at_hash": "n"]), sign(["token_use": "refresh"]), sign([:]),
            sign([:], type: "logout+jwt"),
        ]
        let wrong = "wrong_kind"
        #expect(
            try await errors(tokens, ["--kind", "access"])
                == ["valid", wrong, "valid", wrong, wrong, "valid", wrong])
        #expect(try await errors(tokens, ["--kind", "id"]) == [wrong, "valid", wrong, "valid", wrong, "valid", wrong])
        // R8.15: any of those that say who somebody is or what they may; never what is the issuer's own.
        let any = ["valid", "valid", "valid", "valid", wrong, "valid", wrong]
        #expect(try await errors(tokens, ["--kind", "any"]) == any)
        #expect(try await errors(tokens) == any)
    }

    @Test("R8.15 what is no access or ID token, and a token of nobody, is refused with its reason")
    func others() async throws {
        let logout: JSONObject = ["events": ["http://schemas.openid.net/event/backchannel-logout": [:]], "jti": "j"]
        var cases: [(String, String)] = []
        for type in ["logout+jwt", "secevent+jwt", "dpop+jwt", "application/logout+jwt", "refresh+jwt"] {
            cases.append((try JWS.sign(claims(), type: type, with: key), "wrong_kind"))
        }
        for changes in [logout, ["typ": "Refresh"], ["typ": "Offline"], ["typ": "Logout"], ["token_use": "refresh"]] {
            cases.append((try JWS.sign(claims(changes), type: "JWT", with: key), "wrong_kind"))
        }
        for type in ["JWT", "at+jwt"] {
            for subject in [JSONValue.null, "", .integer(1)] {
                cases.append((try JWS.sign(claims(["sub": subject]), type: type, with: key), "malformed"))
            }
        }
        for kind in ["any", "access", "id"] {
            for ((token, expected), error) in zip(cases, try await errors(cases.map(\.0), ["--kind", kind])) {
                // An access token is refused as an ID token for that first.
                #expect(error == expected || kind == "id" && error == "wrong_kind", "\(kind): \(token)")
            }
        }
    }

    @Test("A leeway reaches to the last second it says; more than 60 s cannot be asked for")
    func leeway() async throws {
        let tokens = try [now - 59, now - 60].map { try JWS.sign(claims(["exp": .integer($0)]), with: key) }
        #expect(try await errors(tokens, ["--leeway", "60"]) == ["valid", "expired"])
        let missing = ["verify", "--issuer", "i", "--audience", "a"]
        let keys = ["--jwks", "keys.json"]
        for arguments in [
            missing + keys + ["--leeway", "61"], missing, missing + keys + ["--hs256-secret-file", "x"],
            ["verify", "--issuer", "i"] + keys, ["verify", "--audience", "a"] + keys,
            missing + keys + ["--algorithms", "none"], missing + keys + ["--algorithms", ""],
            missing + keys + ["--kind", "refresh"],
        ] { #expect(try await run(arguments, input: "").status == 64, "\(arguments)") }
        #expect(try await run(missing + ["--jwks", "no-such-file"], input: "").status == 66)
        try write(Array("{}".utf8), to: "empty.json")
        #expect(try await run(missing + ["--jwks", "empty.json"], input: "").status == 65)
    }

    @Test("R1 R3 the algorithms allowed are the keys' own, and no secret is taken from public keys")
    func algorithms() async throws {
        let secret = Secret(Array("a secret of at least thirty-two bytes".utf8))
        try write(secret.reveal() + [0x0A], to: "secret")
        let fromFile = ["--hs256-secret-file", "secret"]
        let shared = try SigningKey(secret: secret, algorithm: .hs256, keyID: "any")
        let longer = try SigningKey(secret: Secret([UInt8](repeating: 1, count: 64)), algorithm: .hs512)
        let tokens = try [shared, longer, key].map { try JWS.sign(claims(), with: $0) }
        #expect(try await errors(tokens, keys: fromFile) == ["valid", "wrong_algorithm", "wrong_algorithm"])
        let published = try #require(key.publicJWK?.publicObject).serialized()
        let confused = try SigningKey(secret: Secret(published), algorithm: .hs256, keyID: "k1")
        #expect(try await errors([JWS.sign(claims(), with: confused)]) == ["wrong_algorithm"])
        #expect(try await errors([tokens[2]], ["--algorithms", "RS256,PS256"]) == ["wrong_algorithm"])
        #expect(try await errors([tokens[2]], ["--algorithms", "RS256,ES256"]) == ["valid"])
        try write(Array("short".utf8), to: "short")
        let arguments = ["verify", "--issuer", "i", "--audience", "a", "--hs256-secret-file", "short"]
        #expect(try await run(arguments, input: "").status == 65)
    }

    @Test("R14 a million dots, 8 MiB of header, and bytes of any kind are answered at once, and so is what follows")
    func floods() async throws {
        let good = try JWS.sign(claims(), with: key)
        let lines = [
            String(repeating: ".", count: 1_000_000), String(repeating: "A", count: 8 << 20) + ".e30.AA", "\0\u{7F}é🔑",
            good,
        ]
        try write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "lines")
        let arguments = "--issuer https://id.example --audience api --now \(now) --jwks keys.json"
        for (command, last) in [("verify \(arguments)", "\"valid\":true"), ("inspect", "\"claims\"")] {
            // The shell says how long the command alone took: 2 s of processor time, and it is killed.
            let line = "ulimit -t 2; '\(Paths.latchkey.path)' token \(command) < lines"
            let result = try await Command.run(URL(fileURLWithPath: "/bin/sh"), ["-c", line], in: directory)
            let answers = result.output.split(separator: "\n")
            try #require(result.status == 0 && answers.count == 4, "\(result.errors)")
            #expect(answers.prefix(3).allSatisfy { $0.contains("\"error\":\"malformed\"") })
            #expect(answers[3].contains(last))
        }
    }

    @Test("Keys that cannot be fetched: what can be said of a token is said, and no key is made up")
    func unreachable() async throws {
        let port = try Paths.freePort()
        let good = try JWS.sign(claims(), with: key)
        for url in ["http://127.0.0.1:\(port)/keys", "http://id.example/keys"] {
            #expect(try await errors([good, "x"], keys: ["--jwks", url]) == ["keys_unavailable", "malformed"])
        }
    }

    @Test("Inspecting shows header and claims of any token, and says that nothing is trusted")
    func inspect() async throws {
        let good = try JWS.sign(claims(), with: key)
        let tokens = [good, "eyJhbGciOiJub25lIn0.e30.", "a.b.c.d.e", "e30.e30"]
        let result = try await run(["inspect"], input: tokens.joined(separator: "\n"))
        let answers = try result.output.split(separator: "\n").map { try JSONObject(parsing: $0.utf8) }
        try #require(answers.count == 4)
        #expect(answers[0]["claims"] == .object(claims()) && answers[0]["trusted"] == false)
        #expect(answers[0]["header"] == ["alg": "ES256", "kid": "k1", "typ": "JWT"])
        #expect(answers[1]["header"] == ["alg": "none"])
        #expect(answers.suffix(2).allSatisfy { $0["error"] == "malformed" })
    }
}
