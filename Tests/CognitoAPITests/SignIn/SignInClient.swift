// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import Foundation

@testable import CognitoAPI
@testable import SRP

/// An app that signs users in, as the service's own clients do.
struct SignInClient {
    let bench: CognitoBench
    let pool: String
    let id: String
    var secret: String?

    /// `SECRET_HASH`, where the client has a secret.
    func hash(_ username: String) -> JSONObject {
        guard let secret else { return [:] }
        return [
            "SECRET_HASH": .string(
                SecretHash.compute(username: username, client: ClientID(id), secret: Secret(secret)))
        ]
    }

    func initiate(_ flow: String, _ parameters: JSONObject) async throws -> CognitoBench.Reply {
        try await bench.send(
            "InitiateAuth",
            ["AuthFlow": .string(flow), "ClientId": .string(id), "AuthParameters": .object(parameters)], signed: false)
    }

    func respond(
        _ challenge: String, _ responses: JSONObject, session: String? = nil
    ) async throws -> CognitoBench.Reply {
        var body: JSONObject = [
            "ChallengeName": .string(challenge), "ClientId": .string(id), "ChallengeResponses": .object(responses),
        ]
        body["Session"] = session.map { .string($0) }
        return try await bench.send("RespondToAuthChallenge", body, signed: false)
    }

    func password(_ username: String, _ password: String) async throws -> CognitoBench.Reply {
        let parameters: JSONObject = ["USERNAME": .string(username), "PASSWORD": .string(password)]
        return try await initiate("USER_PASSWORD_AUTH", parameters.merging(hash(username)))
    }

    // MARK: SRP

    /// A begun sign-in: the challenge's parameters, and a.
    struct Begun {
        var parameters: JSONObject
        var secret: [UInt8]
        var publicValue: [UInt8]

        subscript(name: String) -> String { parameters[name]?.stringValue ?? "" }
    }

    func begin(_ username: String) async throws -> Begun {
        let (secret, publicValue) = try Self.ephemeral()
        let parameters: JSONObject = [
            "USERNAME": .string(username), "SRP_A": .string(Self.digits(publicValue)),
        ]
        let reply = try await initiate("USER_SRP_AUTH", parameters.merging(hash(username)))
        guard let challenge = reply.json["ChallengeParameters"]?.objectValue else {
            throw CognitoBench.Refused(exception: reply.exception ?? "", message: reply.message ?? "")
        }
        return Begun(parameters: challenge, secret: secret, publicValue: publicValue)
    }

    /// The responses that a client computes from the challenge.
    func responses(_ begun: Begun, _ password: String, at time: Instant? = nil) throws -> JSONObject {
        let realm = String(pool.split(separator: "_").last ?? "")
        let responses = try Self.claim(
            begun, realm: realm, identity: begun["USER_ID_FOR_SRP"], password, at: time ?? bench.now)
        return responses.merging(hash(begun["USERNAME"]))
    }

    /// The same, without what proves the client's own secret.
    static func claim(
        _ begun: Begun, realm: String, identity: String, _ password: String, at time: Instant
    ) throws -> JSONObject {
        let group = try GroupArithmetic.shared()
        let scratch = try ScratchSpace()
        let salt = Self.bytes(begun["SALT"])
        let serverPublic = Self.bytes(begun["SRP_B"])
        let x = SRP.passwordExponent(realm: realm, identity: identity, password: password, salt: salt)
        let u = SRP.scrambling(clientPublic: begun.publicValue, serverPublic: serverPublic)
        let verifier = try group.power(.read([SRPGroup.generator]), .read(x), scratch)
        let masked = try group.product(verifier, .read(SRPGroup.multiplier), scratch).bytes()
        let base = try group.sum(.read(serverPublic), .read(Self.negated(masked)))
        let left = try group.power(base, .read(begun.secret), scratch)
        let right = try group.power(group.power(base, .read(u), scratch), .read(x), scratch)
        let shared = try group.product(left, right, scratch).bytes()
        let key = SRP.deriveKey(sharedSecret: shared, scrambling: u, info: "Caldera Derived Key")
        let timestamp = Self.timestamp(time)
        let block = Base64.decode(begun["SECRET_BLOCK"]) ?? []
        let message = Array((realm + identity).utf8) + block + Array(timestamp.utf8)
        let signature = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
        return [
            "USERNAME": .string(begun["USERNAME"]), "TIMESTAMP": .string(timestamp),
            "PASSWORD_CLAIM_SECRET_BLOCK": .string(begun["SECRET_BLOCK"]),
            "PASSWORD_CLAIM_SIGNATURE": .string(Base64.encode(Array(signature))),
        ]
    }

    /// a, and A = g^a.
    static func ephemeral() throws -> (secret: [UInt8], publicValue: [UInt8]) {
        let secret = SystemRandomSource().bytes(128)
        let publicValue = try GroupArithmetic.shared()
            .power(.read([SRPGroup.generator]), .read(secret), ScratchSpace()).bytes()
        return (secret, publicValue)
    }

    func srp(_ username: String, _ password: String) async throws -> CognitoBench.Reply {
        let begun = try await begin(username)
        return try await respond("PASSWORD_VERIFIER", try responses(begun, password))
    }

    static func timestamp(_ time: Instant) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE MMM d HH:mm:ss 'UTC' yyyy"
        return formatter.string(from: Date(timeIntervalSince1970: Double(time.seconds)))
    }

    static func digits(_ number: [UInt8]) -> String { String(Hex.encode(number).drop { $0 == "0" }) }

    private static func bytes(_ digits: String) -> [UInt8] {
        Hex.decode(digits.utf8.count % 2 == 0 ? digits : "0" + digits) ?? []
    }

    /// N − number, digit by digit.
    private static func negated(_ number: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var borrow = 0
        for (digit, prime) in zip(number, SRPGroup.prime).reversed() {
            let difference = Int(prime) - Int(digit) - borrow
            borrow = difference < 0 ? 1 : 0
            result.append(UInt8(truncatingIfNeeded: difference))
        }
        return result.reversed()
    }
}

extension CognitoBench.Reply {
    /// A member of `AuthenticationResult`.
    func result(_ name: String) -> String? {
        json["AuthenticationResult"]?.objectValue?[name]?.stringValue
    }

    var refusal: String { "\(exception ?? "none"): \(message ?? "")" }
}
