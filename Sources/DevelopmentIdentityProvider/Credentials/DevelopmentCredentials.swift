// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Credentials that open nothing: what a development server gives where nobody else does, so that an app's way to them
/// can be walked. Each part says what it is, and they end soon.
public struct DevelopmentCredentials: TemporaryCredentialIssuing {
    /// With which every access key of these begins: in the form of the cloud's own, and none that it gives.
    public static let prefix = "ASIALATCHKEYDEV"
    private static let lifetime: TimeSpan = .minutes(15)
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    private let random: any RandomSource

    public init(random: any RandomSource) {
        self.random = random
    }

    public func credentials(
        for request: TemporaryCredentialRequest, now: Instant
    ) async throws(TemporaryCredentialFailure) -> TemporaryCredentials {
        let end = now + min(Self.lifetime, request.lifetime)
        let word: JSONObject = [
            "issuer": "latchkey serve --dev", "opens": "nothing", "role": .string(request.role),
            "expires": .string(Instant(seconds: end.seconds).rfc3339),
        ]
        let suffix = random.bytes(5).map { Self.digits[Int($0 & 31)] }
        return TemporaryCredentials(
            keyID: Self.prefix + String(decoding: suffix, as: UTF8.self),
            secret: Secret("latchkey-development-" + Hex.encode(random.bytes(10))),
            sessionToken: Secret("latchkey-development." + Base64URL.encode(word.serialized())),
            expiresAt: Instant(seconds: end.seconds))
    }
}
