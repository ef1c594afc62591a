// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import BigInt
import ClientSession
import Crypto
import Foundation

@testable import CognitoClient

/// A pool that remembers devices, and judges their secrets by the other side of SRP, written from RFC 5054 with
/// another's numbers. Its words are those of the service's documentation ("Working with user devices in your user
/// pool", and the operations `RespondToAuthChallenge` and `ConfirmDevice`).
final class RememberingPool: Sendable {
    struct Known: Sendable {
        var owner: String
        var verifier: BigUInt
        var salt: [UInt8]
    }
    struct State: Sendable {
        var devices: [String: Known] = [:]
        var made = 0
        var losesConfirmation = false
        var asksForCode = false
        var shown: (a: BigUInt, b: BigUInt, key: String)?
        /// Whom an address is of.
        var owners = ["ada@example.org": "ada-name"]
    }
    let state = Guarded(State())
    static let group = "-1Gh9bLGr"
    private static let prime = SRPClientTests.prime

    func answer(_ operation: String, _ input: JSONObject) throws(TransportError) -> HTTPResponse {
        switch operation {
        case "InitiateAuth":
            let parameters = input["AuthParameters"]?.objectValue?.texts ?? [:]
            return begin(parameters["USERNAME"] ?? "", parameters["DEVICE_KEY"])
        case "RespondToAuthChallenge":
            let responses = input["ChallengeResponses"]?.objectValue?.texts ?? [:]
            return respond(input["ChallengeName"]?.stringValue ?? "", input["Session"]?.stringValue, responses)
        case "ConfirmDevice": return try confirm(input)
        case "ForgetDevice":
            let gone = state.withLock { $0.devices.removeValue(forKey: input["DeviceKey"]?.stringValue ?? "") }
            return gone == nil ? Self.unknown : Recorded.answer([:])
        default: return Recorded.answer([:])
        }
    }

    /// Has other verifiers from now on.
    func spoil() {
        state.withLock { state in
            for key in state.devices.keys { state.devices[key]?.verifier += 1 }
        }
    }

    static let unknown = Recorded.refusal("ResourceNotFoundException", "Device does not exist.")

    private func begin(_ name: String, _ key: String?) -> HTTPResponse {
        let (owner, known, asks) = state.withLock { state in
            (state.owners[name] ?? name, key.flatMap { state.devices[$0] }, state.asksForCode)
        }
        guard let key else { return asks ? challenge("SOFTWARE_TOKEN_MFA", owner) : session(owner, onNew: true) }
        guard known?.owner == owner else { return Self.unknown }
        return challenge("DEVICE_SRP_AUTH", owner, ["DEVICE_KEY": .string(key)])
    }

    private func respond(_ name: String, _ session: String?, _ responses: [String: String]) -> HTTPResponse {
        let (owner, key) = (responses["USERNAME"] ?? "", responses["DEVICE_KEY"])
        guard session == "session-\(name)" else {
            return Recorded.refusal("NotAuthorizedException", "Invalid session for the user.")
        }
        switch name {
        case "SOFTWARE_TOKEN_MFA":
            if let key, state.value.devices[key] == nil { return Self.unknown }
            return self.session(owner, onNew: key == nil)
        case "DEVICE_SRP_AUTH":
            guard let key, let device = state.value.devices[key], device.owner == owner,
                let a = BigUInt(responses["SRP_A"] ?? "", radix: 16)
            else { return Self.unknown }
            let b = BigUInt(Data([UInt8](repeating: 0xB2, count: 32)))
            let k = BigUInt(Data(SRPClientTests.hash(SRPNumber.signed(SRPGroup.prime), [2])))
            let sent = (k * device.verifier + BigUInt(2).power(b, modulus: Self.prime)) % Self.prime
            state.withLock { $0.shown = (a, sent, key) }
            return challenge(
                "DEVICE_PASSWORD_VERIFIER", owner,
                [
                    "SALT": .string(Hex.encode(device.salt)), "SRP_B": .string(String(sent, radix: 16)),
                    "SECRET_BLOCK": "b3BhcXVlLXNlY3JldC1ibG9jaw==", "DEVICE_KEY": .string(key),
                ])
        case "DEVICE_PASSWORD_VERIFIER":
            guard isRight(responses) else {
                return Recorded.refusal("NotAuthorizedException", "Incorrect username or password.")
            }
            return self.session(owner, onNew: false)
        default: return Recorded.refusal("InvalidParameterException")
        }
    }

    private func isRight(_ responses: [String: String]) -> Bool {
        guard let (a, sent, key) = state.value.shown, let device = state.value.devices[key],
            responses["DEVICE_KEY"] == key
        else { return false }
        func bytes(_ number: BigUInt) -> [UInt8] { SRPNumber.signed([UInt8](number.serialize())) }
        let u = BigUInt(Data(SRPClientTests.hash(bytes(a), bytes(sent))))
        let b = BigUInt(Data([UInt8](repeating: 0xB2, count: 32)))
        let shared = (a * device.verifier.power(u, modulus: Self.prime)).power(b, modulus: Self.prime)
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes(shared)), salt: bytes(u),
            info: Data("Caldera Derived Key".utf8), outputByteCount: 16)
        let block = Base64.decode(responses["PASSWORD_CLAIM_SECRET_BLOCK"] ?? "") ?? []
        let text =
            Array((Self.group + key).utf8) + block + Array((responses["TIMESTAMP"] ?? "").utf8)
        let expected = Base64.encode(Array(HMAC<SHA256>.authenticationCode(for: text, using: derived)))
        return responses["PASSWORD_CLAIM_SIGNATURE"] == expected
    }

    private func confirm(_ input: JSONObject) throws(TransportError) -> HTTPResponse {
        let shown = input["DeviceSecretVerifierConfig"]?.objectValue
        guard let key = input["DeviceKey"]?.stringValue,
            let verifier = shown?["PasswordVerifier"]?.stringValue.flatMap({ Base64.decode($0) }),
            let salt = shown?["Salt"]?.stringValue.flatMap({ Base64.decode($0) })
        else { return Recorded.refusal("InvalidParameterException") }
        let (isNew, isLost) = state.withLock { state in
            let owner = state.devices[key]?.owner
            if owner == nil {
                state.devices[key] = Known(
                    owner: String(key.split(separator: "_")[1]), verifier: BigUInt(Data(verifier)), salt: salt)
            }
            defer { state.losesConfirmation = false }
            return (owner == nil, state.losesConfirmation)
        }
        if isLost { throw .timedOut }
        return isNew
            ? Recorded.answer(["UserConfirmationNecessary": false])
            : Recorded.refusal("DeviceKeyExistsException", "Device key already exists.")
    }

    private func challenge(_ name: String, _ owner: String, _ more: JSONObject = [:]) -> HTTPResponse {
        let parameters: JSONObject = ["USERNAME": .string(owner), "USER_ID_FOR_SRP": .string(owner)]
        return Recorded.answer([
            "ChallengeName": .string(name), "Session": .string("session-\(name)"),
            "ChallengeParameters": .object(parameters.merging(more)),
        ])
    }

    /// On a new device its key says whose it is, for the tests alone.
    private func session(_ owner: String, onNew: Bool) -> HTTPResponse {
        let number = state.withLock { state in
            state.made += 1
            return state.made
        }
        var result =
            Recorded.result(["sub": .string("sub of \(owner)"), "cognito:username": .string(owner)])[
                "AuthenticationResult"]?.objectValue ?? [:]
        if onNew {
            result["NewDeviceMetadata"] = [
                "DeviceKey": .string("eu-west-1_\(owner)_\(number)"), "DeviceGroupKey": .string(Self.group),
            ]
        }
        return Recorded.answer(["AuthenticationResult": .object(result), "ChallengeParameters": [:]])
    }
}
