// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthTypes
import JOSE
import ServerKit
import TokenVerifier

extension TokenCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say of each token whether it is valid; one JSON object a line.",
            discussion: """
                {"valid":true,"claims":{…}} or {"valid":false,"error":"expired","message":"…"}. The errors are malformed, \
                unknown_issuer, unknown_key, wrong_algorithm, bad_signature, expired, not_yet_valid, wrong_audience, \
                wrong_kind and keys_unavailable. A token is never quoted.
                """)
        @Option(help: "The issuer: `iss`, to the byte.") var issuer: String
        @Option(
            name: .customLong("audience"), help: "Whom it must be for (`aud`, or `client_id`); any number of times.")
        var audiences: [String]
        @Option(help: "The issuer's keys: a file, or an https URL that is fetched once.") var jwks: String?
        @Option(
            name: .customLong("hs256-secret-file"), help: "A file with the secret; a newline at its end is left out.")
        var secretFile: String?
        @Option(help: "Algorithms to allow, with commas between; without this option, each that the keys are for.")
        var algorithms: String?
        @Option(help: "any, access or id.") var kind = TokenCheck.Kind.any
        @Option(help: "The time to judge by, in seconds since 1970; without this option, the clock's.") var now: Int64?
        @Option(help: "Seconds that the issuer's clock may be off: 0 to 60.") var leeway: Int64 = 0

        func run() async throws {
            try await reporting {
                let check = try check()
                let keys = try await TokenKeys.load(jwks: jwks, secretFile: secretFile)
                try StandardInput.forEachLine(limit: ParsedJWS.defaultLimit) { line in
                    let now = now.map(Instant.init(seconds:)) ?? SystemClock().now()
                    do throws(TokenError) {
                        let claims = try check.claims(of: line, keys: keys, now: now)
                        Output.json(["valid": true, "claims": .object(claims.members)])
                    } catch {
                        Output.json([
                            "valid": false, "error": .string(error.code.rawValue), "message": .string(error.message),
                        ])
                    }
                }
            }
        }

        private func check() throws -> TokenCheck {
            guard !issuer.isEmpty else { throw CommandFailure("--issuer: must not be empty", .usage) }
            guard !audiences.isEmpty, !audiences.contains("") else {
                throw CommandFailure("--audience: must not be empty", .usage)
            }
            guard (jwks == nil) != (secretFile == nil) else {
                throw CommandFailure("expected either --jwks or --hs256-secret-file", .usage)
            }
            guard (0...60).contains(leeway) else { throw CommandFailure("--leeway: expected 0 to 60", .usage) }
            return TokenCheck(
                issuer: issuer, audiences: Set(audiences), algorithms: try allowed(), kind: kind,
                leeway: .seconds(leeway))
        }

        private func allowed() throws -> Set<JWSAlgorithm> {
            // A set of keys that anyone may read can hold no secret of HMAC: that must be asked for by name.
            let usual = JWSAlgorithm.allKnown.filter { secretFile == nil ? !$0.isSymmetric : $0 == .hs256 }
            guard let algorithms else { return Set(usual) }
            let names = algorithms.split(separator: ",").map { JWSAlgorithm(rawValue: String($0)) }
            guard !names.isEmpty, names.allSatisfy(JWSAlgorithm.allKnown.contains) else {
                let known = JWSAlgorithm.allKnown.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure("--algorithms: expected some of \(known)", .usage)
            }
            return Set(names)
        }
    }
}
