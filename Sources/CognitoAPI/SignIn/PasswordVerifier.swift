// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto
import SRP

/// `USER_SRP_AUTH` and its challenge `PASSWORD_VERIFIER`: the Secure Remote Password protocol as this service's clients
/// speak it. Numbers are hexadecimal without leading zeros; `SECRET_BLOCK` carries all that the server must know again,
/// since clients send no `Session`.
enum PasswordVerifier {
    /// How far a client's clock may be from ours, either way.
    private static let tolerance: Span = .minutes(5)
    private static let keyInfo = "Caldera Derived Key"

    static func challenge(_ call: DialectCall, _ parameters: Parameters) async throws -> JSONObject {
        let name = try parameters.username()
        try SecretHash.require(parameters["SECRET_HASH"], username: name, client: try call.client())
        guard let clientPublic = bytes(ofDigits: try parameters.required("SRP_A")) else {
            throw WireError.parameter("SRP_A is not a number in hexadecimal digits.")
        }
        let identifier = try call.identifier(ofUsername: name)
        if !call.concealsUsers, try await call.find(identifier) == nil { throw WireError.userNotFound }
        let challenge = try await call.accounts.srpSignIn.begin(
            identifier, clientPublic: clientPublic, call: call.flow)
        // The name is the identity for everybody: another one would tell who has an account.
        return [
            "ChallengeName": "PASSWORD_VERIFIER",
            "ChallengeParameters": [
                "SALT": .string(digits(of: challenge.salt)),
                "SECRET_BLOCK": .string(Base64.encode(challenge.state)),
                "SRP_B": .string(digits(of: challenge.serverPublic)),
                "USERNAME": .string(challenge.identity),
                "USER_ID_FOR_SRP": .string(challenge.identity),
            ],
        ]
    }

    static func answer(_ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        let name = try responses.username()
        let identifier = try call.identifier(ofUsername: name)
        let user = try await call.find(identifier)
        // Clients answer as `USER_ID_FOR_SRP`, and some of them prove their secret for the name that was typed.
        try SecretHash.require(
            responses["SECRET_HASH"], usernames: [name] + (user.map(UserWire.names) ?? []), client: try call.client())
        let block = try responses.required("PASSWORD_CLAIM_SECRET_BLOCK")
        let signature = Base64.decode(try responses.required("PASSWORD_CLAIM_SIGNATURE")) ?? []
        let timestamp = try responses.required("TIMESTAMP")
        guard let signedAt = ClaimTime.instant(timestamp) else {
            throw WireError.parameter("TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.")
        }
        guard try call.client().settings.flows.contains(.srp) else {
            throw WireError.parameter("USER_SRP_AUTH flow not enabled for this client")
        }
        // One challenge may be answered wrongly often: each answer is an attempt.
        let isNear = signedAt >= call.now - tolerance && signedAt <= call.now + tolerance
        let state = Base64.decode(block) ?? []
        let realm = call.directory.id.base62
        let claim = ClaimedProof(realm: realm, secretBlock: state, timestamp: timestamp, signature: signature)
        let next = try await call.guessing {
            try await call.accounts.srpSignIn.finish(state: state, call: call.flow) { result in
                // The challenge must be that of the user named.
                let isRight = claim.isRight(
                    identity: result.identity,
                    key: SRP.deriveKey(
                        sharedSecret: result.sharedSecret, scrambling: result.scrambling, info: keyInfo))
                return isRight && isNear && user?.id.rawValue == result.identity
            }
        }
        return try await call.answer(next)
    }

    /// What the client signed with the shared key: HMAC-SHA256(K, realm ‖ identity ‖ secret block ‖ timestamp).
    private struct ClaimedProof: Sendable {
        let realm: String
        let secretBlock: [UInt8]
        let timestamp: String
        let signature: [UInt8]

        func isRight(identity: String, key: [UInt8]) -> Bool {
            let message = Array((realm + identity).utf8) + secretBlock + Array(timestamp.utf8)
            let expected = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
            return constantTimeEqual(Array(expected), signature)
        }
    }

    // MARK: Numbers

    /// Without leading zeros: some clients hash the digits, and others the number.
    private static func digits(of number: [UInt8]) -> String {
        let digits = Hex.encode(number).drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }

    /// Digits of either case, odd in number or not, at most twice as many as the group's numbers have.
    private static func bytes(ofDigits text: String) -> [UInt8]? {
        guard text.utf8.count <= 4 * SRPGroup.byteCount else { return nil }
        return Hex.decode(text.utf8.count % 2 == 0 ? text : "0" + text).map { Array($0.drop { $0 == 0 }) }
    }
}
