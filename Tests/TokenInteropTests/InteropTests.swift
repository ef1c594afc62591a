// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE
import Subprocess
import SystemPackage
import Testing

/// Tokens of PyJWT and joserfc read here, and tokens made here read by them.
@Suite(.timeLimit(.minutes(10))) struct InteropTests {
    private static let algorithms: Set<JWSAlgorithm> = Set(JWSAlgorithm.allKnown)

    private static func run(_ mode: String, input: String = "") async throws -> [JSONObject] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let package = folder.deletingLastPathComponent().deletingLastPathComponent()
        let file = FileManager.default.temporaryDirectory.appending(path: "interop-\(UUID().uuidString)")
        try Data(input.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try await Subprocess.run(
            .path(FilePath(package.appending(path: ".build-clients/bin/python").path())),
            arguments: [folder.appending(path: "Clients/tokens.py").path(), mode],
            input: .fileDescriptor(try .open(FilePath(file.path()), .readOnly), closeAfterSpawningProcess: true),
            output: .string(limit: 4 << 20), error: .string(limit: 1 << 20))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        let array = try #require(try JSONValue(parsing: result.standardOutput.utf8).arrayValue)
        return array.compactMap(\.objectValue)
    }

    @Test("Every token that they make is read here, to the last claim, and by no other key")
    func theirs() async throws {
        let made = try await Self.run("make")
        for maker in ["pyjwt", "joserfc"] {
            #expect(
                Set(made.filter { $0.string("maker") == maker }.map { $0.string("algorithm") })
                    == Set(Self.algorithms.map(\.rawValue)))
        }
        for each in made {
            let name = "\(each.string("maker")) \(each.string("algorithm"))"
            let keys = try VerificationKeySet(JWKSet(parsing: JSONObject.keySet([each["jwk"]]).serialized()))
            let parsed = try ParsedJWS(parsing: each.string("token").utf8)
            #expect(parsed.header.algorithm.rawValue == each.string("algorithm"), "\(name)")
            try parsed.verify(with: try keys.key(for: parsed.header), allowing: [parsed.header.algorithm])
            let claims = try JWTClaims(parsing: parsed.payload)
            #expect(claims.issuer == each.string("maker") && claims.audience == ["api", "other"], "\(name)")
            #expect(claims.subject == "Zoë 🔑 \"quoted\" \\ /", "\(name)")
            #expect(claims["nested"] == ["list": [1, -2.5, true, nil, "x"]], "\(name)")
            // Keys of one algorithm have one `kid` here, so that nothing but the signature tells them apart.
            for other in made where other["algorithm"] == each["algorithm"] && other["maker"] != each["maker"] {
                guard other["jwk"] != each["jwk"] else { continue }
                let key = try VerificationKey(JWK(try #require(other["jwk"]?.objectValue)))
                #expect(throws: JOSEError(.signatureInvalid), "\(name)") { try parsed.verify(with: key) }
            }
        }
    }

    @Test("Private keys of theirs sign here, and the signature is their public key's")
    func theirPrivateKeys() async throws {
        for each in try await Self.run("make") {
            let key = try SigningKey(JWK(try #require(each["private"]?.objectValue)))
            let token = try JWS.sign(["sub": "x"] as JSONObject, with: key)
            let checker = try VerificationKey(JWK(try #require(each["jwk"]?.objectValue)))
            try ParsedJWS(parsing: token.utf8).verify(with: checker)
        }
    }

    @Test("Every token made here is read by both, and refused by both once a claim or the signature is changed")
    func ours() async throws {
        let now = Int64(Date().timeIntervalSince1970)
        let claims: JSONObject = [
            "iss": "latchkey", "aud": ["api"], "sub": "Zoë 🔑 \"quoted\" \\ /\n\u{7F}", "iat": .integer(now),
            "exp": .integer(now + 600), "nested": ["list": [1, -2.5, true, nil, 1e300]],
        ]
        var changed = claims
        changed["sub"] = "another"
        var good: [JSONValue] = []
        var bad: [JSONValue] = []
        for algorithm in JWSAlgorithm.allKnown {
            let key = try SigningKey.generate(algorithm, keyID: "key-\(algorithm)")
            let shown = try key.publicJWK?.publicObject ?? JSONObject(parsing: key.exported.reveal().utf8)
            func entry(_ token: String) -> JSONValue {
                ["algorithm": .string(algorithm.rawValue), "jwk": .object(shown), "token": .string(token)]
            }
            let token = try JWS.sign(claims, with: key)
            let parts = token.split(separator: ".")
            good.append(entry(token))
            bad.append(entry("\(parts[0]).\(Base64URL.encode(changed.serialized())).\(parts[2])"))
            bad.append(entry(try JWS.sign(claims, with: SigningKey.generate(algorithm, keyID: "key-\(algorithm)"))))
        }
        let read = try await Self.run("check", input: JSONValue.array(good).text)
        #expect(read.count == 2 * good.count)
        for each in read {
            #expect(each["claims"] == .object(claims), "\(each.string("checker")) \(each.string("algorithm"))")
        }
        let refused = try await Self.run("check", input: JSONValue.array(bad).text)
        #expect(refused.count == 2 * bad.count && refused.allSatisfy { $0["claims"] == .null })
    }
}

extension JSONObject {
    fileprivate func string(_ name: String) -> String { self[name]?.stringValue ?? "" }

    fileprivate static func keySet(_ keys: [JSONValue?]) -> JSONObject { ["keys": .array(keys.compactMap(\.self))] }
}
