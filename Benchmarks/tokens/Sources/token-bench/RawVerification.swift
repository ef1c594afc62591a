// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import CryptoExtras
import Foundation
import JOSE

/// swift-crypto's signature check and nothing else: what no verifier can undercut.
struct RawVerification: Sendable {
    struct Refused: Error {}

    private let check: @Sendable () -> Bool

    init(_ entry: Fixture.Entry) throws {
        let parts = entry.token.split(separator: ".")
        guard parts.count == 3, let signature = Base64URL.decode(Array(parts[2].utf8)) else { throw Refused() }
        let message = Array((parts[0] + "." + parts[1]).utf8)
        func number(_ name: String) -> [UInt8] {
            Base64URL.decode(Array((entry.jwk[name]?.stringValue ?? "").utf8)) ?? []
        }
        switch entry.algorithm {
        case .rs256:
            let key = try _RSA.Signing.PublicKey(n: number("n"), e: number("e"))
            check = {
                key.isValidSignature(
                    .init(rawRepresentation: signature), for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
            }
        case .es256:
            let key = try P256.Signing.PublicKey(x963Representation: [4] + number("x") + number("y"))
            check = {
                guard let parsed = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
                return key.isValidSignature(parsed, for: SHA256.hash(data: message))
            }
        case .edDSA:
            let key = try Curve25519.Signing.PublicKey(rawRepresentation: number("x"))
            check = { key.isValidSignature(signature, for: message) }
        default:
            let key = SymmetricKey(data: number("k"))
            check = { HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: message, using: key) }
        }
    }

    func verify() throws {
        guard check() else { throw Refused() }
    }
}
