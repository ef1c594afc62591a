// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import SRP

/// The Secure Remote Password protocol as this service's clients speak it, of a user's password and of a device's:
/// numbers are hexadecimal without leading zeros.
enum SRPWire {
    /// How far a client's clock may be from ours, either way.
    static let tolerance: TimeSpan = .minutes(5)
    static let keyInfo = "Caldera Derived Key"

    /// Without leading zeros: some clients hash the digits, and others the number.
    static func digits(of number: [UInt8]) -> String {
        let digits = Hex.encode(number).drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }

    /// Digits of either case, odd in number or not, at most twice as many as the group's numbers have.
    static func bytes(ofDigits text: String) -> [UInt8]? {
        guard text.utf8.count <= 4 * SRPGroup.byteCount else { return nil }
        return Hex.decode(text.utf8.count % 2 == 0 ? text : "0" + text).map { Array($0.drop { $0 == 0 }) }
    }

    /// `SRP_A` of a call.
    ///
    /// - Throws: `InvalidParameterException`.
    static func clientPublic(_ parameters: Parameters) throws(WireError) -> [UInt8] {
        guard let number = bytes(ofDigits: try parameters.required("SRP_A")) else {
            throw .parameter("SRP_A is not a number in hexadecimal digits.")
        }
        return number
    }
}

/// What a client signed with the shared key: HMAC-SHA256(K, realm ‖ identity ‖ secret block ‖ timestamp).
struct SRPClaim: Sendable {
    /// What the challenge gave as `SECRET_BLOCK`, which carries all that the server must know again: clients send no
    /// `Session`.
    let secretBlock: [UInt8]
    private let timestamp: String
    private let signature: [UInt8]
    private let isNear: Bool

    /// - Throws: `InvalidParameterException` for what is missing, and for a time of another form.
    init(_ responses: Parameters, at now: Instant) throws(WireError) {
        secretBlock = Base64.decode(try responses.required("PASSWORD_CLAIM_SECRET_BLOCK")) ?? []
        signature = Base64.decode(try responses.required("PASSWORD_CLAIM_SIGNATURE")) ?? []
        timestamp = try responses.required("TIMESTAMP")
        guard let signedAt = ClaimTime.instant(timestamp) else {
            throw .parameter("TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.")
        }
        isNear = signedAt >= now - SRPWire.tolerance && signedAt <= now + SRPWire.tolerance
    }

    /// Whether it was made with the key that follows from the shared secret, and now.
    func isRight(realm: String, identity: String, sharedSecret: [UInt8], scrambling: [UInt8]) -> Bool {
        let key = SRP.deriveKey(sharedSecret: sharedSecret, scrambling: scrambling, info: SRPWire.keyInfo)
        let message = Array((realm + identity).utf8) + secretBlock + Array(timestamp.utf8)
        let expected = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
        return constantTimeEqual(Array(expected), signature) && isNear
    }
}
