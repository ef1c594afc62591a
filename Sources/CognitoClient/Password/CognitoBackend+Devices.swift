// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

// Devices that a pool tracks. Where the app gave a store, a device is confirmed once for each user, is named in their
// later sign-ins, and proves its secret there (`DEVICE_SRP_AUTH`), for which a pool may spare the second factor. A
// sign-out leaves it, as it does with the vendor's own libraries; `forgetDevice` and the end of the account take it
// away.
extension CognitoBackend {
    /// Confirms a device that is not confirmed yet. Where that can't be done now the session lives all the same, and
    /// the next refresh tries it once more.
    ///
    /// - Parameters:
    ///   - username: as the pool calls the user.
    ///   - typed: what they typed instead.
    /// - Returns: the device as it is afterwards, and why it is not confirmed.
    func confirmed(
        _ device: PoolDevice, of username: String, typed: String?, with accessToken: Secret<String>
    ) async -> (device: PoolDevice, failure: AuthError?) {
        guard let group = device.group else { return (device, nil) }
        let fresh = Secret(Base64.encode(random.bytes(40)))
        // In the store before the pool hears of it: who is ended in between goes on with the same.
        let kept = await devices?.begin(device, group: group, of: username, typed: typed, secret: fresh)
        let salt = random.bytes(16)
        let verifier = SRPClient.verifier(realm: group, identity: device.key, password: kept ?? fresh, salt: salt)
        var input: JSONObject = [
            "AccessToken": .string(accessToken.reveal()), "DeviceKey": .string(device.key),
            "DeviceSecretVerifierConfig": [
                "PasswordVerifier": .string(Base64.encode(SRPNumber.signed(verifier))),
                "Salt": .string(Base64.encode(SRPNumber.signed(salt))),
            ],
        ]
        if let name = configuration.deviceName { input["DeviceName"] = .string(name) }
        do {
            _ = try await api.call("ConfirmDevice", input, for: .account)
        } catch  where error.code != .conflict {
            return (device, error)
        } catch {
            // Confirmed already: the answer to an earlier try was lost.
        }
        if kept != nil { await devices?.confirm(device.key) }
        return (PoolDevice(key: device.key, group: nil), nil)
    }

    /// `DEVICE_SRP_AUTH` and `DEVICE_PASSWORD_VERIFIER`: shows that this is the device, by its secret.
    ///
    /// - Parameter answer: the challenge.
    /// - Throws: `deviceNotFound` where the pool does not take it, and it is kept no longer.
    func prove(
        _ device: KnownDevice, _ answer: CognitoAPI.Answer, of username: String
    ) async throws(AuthError) -> CognitoAPI.Answer {
        let client = SRPClient(random: random)
        let (named, session) = (
            ["USERNAME": username, "DEVICE_KEY": device.key], answer.members["Session"]?.stringValue
        )
        do throws(AuthError) {
            let challenge = try await respond(
                to: "DEVICE_SRP_AUTH", session: session, named.merging(["SRP_A": client.publicText]) { $1 })
            guard challenge.members["ChallengeName"] == "DEVICE_PASSWORD_VERIFIER" else {
                throw AuthError(.unavailable, reason: "the service does not go on with the device")
            }
            let (claim, _) = try claim(
                client, answering: challenge, realm: device.group, identity: device.key, password: device.secret)
            return try await respond(
                to: "DEVICE_PASSWORD_VERIFIER", session: challenge.members["Session"]?.stringValue ?? session,
                named.merging(claim) { $1 })
        } catch {
            guard error.code == .invalidCredentials || error.code == .deviceNotFound else { throw error }
            await devices?.forget(device.key)
            throw AuthError(.deviceNotFound, reason: error.reason)
        }
    }

    /// Takes the device that the session is on from the user: their next sign-in here is one on a new device
    /// (`ForgetDevice`). The session goes on: `try await service.withTokens { try await backend.forgetDevice($0) }`.
    ///
    /// - Returns: the session, on no device.
    /// - Throws: `deviceNotFound` for a session that is on none.
    public func forgetDevice(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        var attachments = tokens.attachments.reveal()
        guard let device = PoolDevice(in: attachments) else { throw AuthError(.deviceNotFound) }
        do throws(AuthError) {
            _ = try await api.call(
                "ForgetDevice",
                ["AccessToken": .string(tokens.accessToken.reveal()), "DeviceKey": .string(device.key)], for: .account)
        } catch {
            // Somebody else has done it, such as the operator.
            guard error.code == .deviceNotFound else { throw error }
        }
        await devices?.forget(device.key)
        PoolDevice.detach(from: &attachments)
        var tokens = tokens
        tokens.attachments = Secret(attachments)
        return SessionGrant(tokens: tokens, user: nil, serverDate: nil)
    }

    /// Whether the device that the session is on may spare a second factor (`UpdateDeviceStatus`): in pools that leave
    /// it to the user, a device is not remembered before it is said here.
    ///
    /// - Throws: `deviceNotFound` for a session that is on none.
    public func rememberDevice(_ isRemembered: Bool, _ tokens: TokenSet) async throws(AuthError) {
        guard let device = PoolDevice(in: tokens.attachments.reveal()) else { throw AuthError(.deviceNotFound) }
        _ = try await api.call(
            "UpdateDeviceStatus",
            [
                "AccessToken": .string(tokens.accessToken.reveal()), "DeviceKey": .string(device.key),
                "DeviceRememberedStatus": isRemembered ? "remembered" : "not_remembered",
            ], for: .account)
    }
}
