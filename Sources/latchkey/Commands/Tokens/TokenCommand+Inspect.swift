// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthTypes
import JOSE
import TokenVerifier

extension TokenCommand {
    struct Inspect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what each token says, whoever wrote it; one JSON object a line.",
            discussion: """
                {"trusted":false,"header":{…},"claims":{…}} or {"error":"malformed","message":"…"}. Nothing is checked: \
                use `token verify` for that.
                """)

        func run() async throws {
            try await reporting {
                try StandardInput.forEachLine(limit: ParsedJWS.defaultLimit) { line in
                    do throws(TokenError) {
                        let (header, claims) = try Self.decode(line)
                        Output.json(["trusted": false, "header": .object(header), "claims": .object(claims)])
                    } catch {
                        Output.json(["error": .string(error.code.rawValue), "message": .string(error.message)])
                    }
                }
            }
        }

        /// Header and claims of a JWS in compact form, whatever its algorithm: one that would never be accepted is what
        /// an operator wants to look at.
        static func decode(_ line: StandardInput.Line) throws(TokenError) -> (header: JSONObject, claims: JSONObject) {
            guard case .whole(let bytes) = line else { throw .tooLong }
            let segments = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
            guard segments.count == 3 else { throw TokenError(.malformed, "not three segments") }
            guard let header = Base64URL.decode(segments[0]), let payload = Base64URL.decode(segments[1]),
                Base64URL.decode(segments[2]) != nil
            else { throw TokenError(.malformed, "a segment is not base64url") }
            do {
                return (try JSONObject(parsing: header), try JSONObject(parsing: payload))
            } catch {
                throw TokenError(.malformed, "a segment is not a JSON object: \(error)")
            }
        }
    }
}
