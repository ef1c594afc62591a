// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE
import JWTKit

/// jwt-kit doing the same: signature, issuer, audience, times.
struct JWTKitVerification {
    private struct Claims: JWTPayload {
        var iss: IssuerClaim
        var sub: SubjectClaim
        var aud: AudienceClaim
        var exp: ExpirationClaim
        var iat: IssuedAtClaim
        var email: String
        var role: String
        var aal: String
        var session_id: String
        var is_anonymous: Bool

        func verify(using _: some JWTAlgorithm) async throws {
            guard iss.value == Fixture.issuer else {
                throw JWTError.claimVerificationFailure(failedClaim: iss, reason: "issuer")
            }
            try aud.verifyIntendedAudience(includes: Fixture.audience)
            try exp.verifyNotExpired(currentDate: Date(timeIntervalSince1970: Double(Fixture.now.seconds)))
        }
    }

    private let keys = JWTKeyCollection()
    private let token: String

    init(_ entry: Fixture.Entry) async throws {
        token = entry.token
        if let secret = entry.jwk["k"]?.stringValue, let bytes = Base64URL.decode(Array(secret.utf8)) {
            await keys.add(
                hmac: HMACKey(from: Data(bytes)), digestAlgorithm: .sha256, kid: "key-HS256")
        } else {
            try await keys.add(
                jwksJSON: String(decoding: (["keys": [.object(entry.jwk)]] as JSONObject).serialized(), as: UTF8.self))
        }
    }

    func verify() async throws {
        _ = try await keys.verify(token, as: Claims.self)
    }
}
