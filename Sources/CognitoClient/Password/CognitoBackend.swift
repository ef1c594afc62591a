// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A user pool by its API: password (by SRP or as it is), challenges, sessions. It keeps neither a session nor a
/// password (C-13); where it is given a store, what the device proves itself by to a pool that tracks devices.
public struct CognitoBackend: IdentityBackend {
    let configuration: CognitoConfiguration
    let api: CognitoAPI
    let clock: any ClientClock
    let random: any RandomSource
    let authenticator: (any PasskeyAuthenticator)?
    let devices: DeviceMemory?

    /// Signs in to that pool.
    ///
    /// - Parameters:
    ///   - clock: judges ID tokens where an answer has no date.
    ///   - authenticator: the device's passkeys; without one nobody is asked for any.
    ///   - devices: where the device's secret is kept for each user, for pools that remember devices; it stays when
    ///     they sign out. Without one each sign-in is on a new device.
    public init(
        _ configuration: CognitoConfiguration, transport: any HTTPTransport, clock: any ClientClock,
        random: any RandomSource = SystemRandomSource(), authenticator: (any PasskeyAuthenticator)? = nil,
        devices: (any SecureStore)? = nil
    ) {
        self.configuration = configuration
        self.authenticator = authenticator
        self.devices = devices.map { DeviceMemory(store: $0, pool: configuration.userPoolID) }
        api = CognitoAPI(service: .userPools, address: configuration.address, transport: transport)
        self.clock = clock
        self.random = random
    }

    public var name: String { "cognito:\(configuration.userPoolID):\(configuration.clientID)" }

    var tokens: PoolTokens {
        PoolTokens(clientID: configuration.clientID, issuer: configuration.expectedIssuer)
    }

    public func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        if case .passkey(let identifier) = proof { return try await signIn(byPasskeyOf: identifier) }
        guard case .password(let identifier, let password) = proof else {
            throw AuthError(.unsupported, reason: "a user pool's API takes passwords and passkeys")
        }
        do {
            do {
                return try await signIn(identifier, password, namesDevice: true)
            } catch  where error.code == .deviceNotFound {
                // Forgotten there, and here by now: as on a new one.
                return try await signIn(identifier, password, namesDevice: false)
            }
        } catch  where error.code == .emailNotVerified {
            // The password was right, or is not looked at yet; the address has to be shown first (C-1).
            return .awaiting(AwaitedStep(kind: .confirmation, identifier: identifier))
        }
    }

    private func signIn(
        _ identifier: String, _ password: Secret<String>, namesDevice: Bool
    ) async throws(AuthError) -> SignInStep {
        switch configuration.passwordFlow {
        case .password: try await signIn(identifier, byPassword: password, namesDevice: namesDevice)
        case .srp: try await signIn(identifier, bySRP: password, namesDevice: namesDevice)
        }
    }

    private func signIn(
        _ identifier: String, byPassword password: Secret<String>, namesDevice: Bool
    ) async throws(AuthError) -> SignInStep {
        let device = namesDevice ? await devices?.find(identifier) : nil
        var parameters = ["USERNAME": identifier, "PASSWORD": password.reveal()]
        parameters["DEVICE_KEY"] = device?.key
        let answer: CognitoAPI.Answer
        do throws(AuthError) {
            answer = try await initiate("USER_PASSWORD_AUTH", parameters, username: identifier)
        } catch {
            // Whose name it was may be somebody else's by now.
            if let device, error.code == .deviceNotFound { await devices?.forget(typed: identifier, of: device) }
            throw error
        }
        return try await step(answer, identifier: identifier, on: device)
    }

    private func signIn(
        _ identifier: String, bySRP password: Secret<String>, namesDevice: Bool
    ) async throws(AuthError) -> SignInStep {
        let client = SRPClient(random: random)
        let answer = try await initiate(
            "USER_SRP_AUTH", ["USERNAME": identifier, "SRP_A": client.publicText], username: identifier)
        guard answer.members["ChallengeName"] == "PASSWORD_VERIFIER" else {
            return try await step(answer, identifier: identifier)
        }
        let identity = answer.members["ChallengeParameters"]?.objectValue?["USER_ID_FOR_SRP"]?.stringValue ?? ""
        let (claim, name) = try claim(
            client, answering: answer, realm: configuration.realm, identity: identity, password: password)
        let username = name ?? identity
        // By the pool's own name of the user: what was typed may have been another's.
        let device = namesDevice ? await devices?.find(username) : nil
        var responses = claim.merging(["USERNAME": username]) { $1 }
        responses["DEVICE_KEY"] = device?.key
        let verified: CognitoAPI.Answer
        do throws(AuthError) {
            verified = try await respond(
                to: "PASSWORD_VERIFIER", session: answer.members["Session"]?.stringValue, responses)
        } catch {
            if let device, error.code == .deviceNotFound { await devices?.forget(device.key) }
            throw error
        }
        return try await step(verified, identifier: identifier, username: username, on: device)
    }

    /// What answers `PASSWORD_VERIFIER` and `DEVICE_PASSWORD_VERIFIER`, and the user's name there.
    func claim(
        _ client: SRPClient, answering answer: CognitoAPI.Answer, realm: String, identity: String,
        password: Secret<String>
    ) throws(AuthError) -> ([String: String], username: String?) {
        let parameters = answer.members["ChallengeParameters"]?.objectValue?.texts ?? [:]
        guard !identity.isEmpty, let salt = parameters["SALT"], let serverKey = parameters["SRP_B"],
            let block = parameters["SECRET_BLOCK"], let secretBlock = Base64.decode(block),
            block.utf8.count <= 16 << 10,
            let key = client.key(
                realm: realm, identity: identity, password: password, salt: salt, serverKey: serverKey)
        else { throw AuthError(.unavailable, reason: "the service's challenge can't be answered") }
        // By the service's clock: it takes a claim of a few minutes, and the device's may be wrong.
        let timestamp = SRPClient.timestamp(answer.date ?? clock.now)
        let signature = SRPClient.claim(
            key: key, realm: realm, identity: identity, secretBlock: secretBlock, timestamp: timestamp)
        return (
            [
                "PASSWORD_CLAIM_SECRET_BLOCK": block, "TIMESTAMP": timestamp, "PASSWORD_CLAIM_SIGNATURE": signature,
            ], parameters["USERNAME"]
        )
    }

    public func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        guard let refreshToken = tokens.refreshToken else {
            throw AuthError(.sessionExpired, reason: "there is no refresh token")
        }
        var attachments = tokens.attachments.reveal()
        var device = PoolDevice(in: attachments)
        var unsettled: AuthError?
        if let unconfirmed = device, unconfirmed.group != nil {
            let (settled, failure) = await confirmed(
                unconfirmed, of: attachments["username"] ?? "", typed: attachments["typed"], with: tokens.accessToken)
            settled.attach(to: &attachments)
            (device, unsettled) = (settled, failure)
        }
        let answer: CognitoAPI.Answer
        do throws(AuthError) {
            answer = try await renew(refreshToken, of: device, attachments)
        } catch {
            // What a pool says of a device that it could not confirm for now is no word on the session.
            guard error.code.endsSession, let unsettled,
                [.network, .unavailable, .rateLimited].contains(unsettled.code)
            else { throw error }
            throw unsettled
        }
        return try self.tokens.grant(
            answer.members["AuthenticationResult"]?.objectValue ?? [:], attachments: attachments, renewing: tokens,
            date: answer.date, now: clock.now)
    }

    private func renew(
        _ token: Secret<String>, of device: PoolDevice?, _ attachments: [String: String]
    ) async throws(AuthError) -> CognitoAPI.Answer {
        guard configuration.refreshOperation == .getTokensFromRefreshToken else {
            return try await renewByName(token, of: device, attachments)
        }
        var input: JSONObject = ["RefreshToken": .string(token.reveal()), "ClientId": .string(configuration.clientID)]
        // The secret itself, not a hash of it.
        if let secret = configuration.clientSecret { input["ClientSecret"] = .string(secret.reveal()) }
        if let device { input["DeviceKey"] = .string(device.key) }
        return try await api.call("GetTokensFromRefreshToken", input, for: .refresh)
    }

    /// `REFRESH_TOKEN_AUTH`. It says no name, and a client's secret is shown for the one by which the service itself
    /// knows the user, `cognito:username`, whatever was typed; services that stand in for it may know the typed one
    /// alone.
    private func renewByName(
        _ token: Secret<String>, of device: PoolDevice?, _ attachments: [String: String]
    ) async throws(AuthError) -> CognitoAPI.Answer {
        var parameters = ["REFRESH_TOKEN": token.reveal()]
        parameters["DEVICE_KEY"] = device?.key
        do throws(AuthError) {
            return try await initiate(
                "REFRESH_TOKEN_AUTH", parameters, username: attachments["username"] ?? "", for: .refresh)
        } catch {
            guard let typed = attachments["typed"], error.code == .clientSecretInvalid || error.code.endsSession else {
                throw error
            }
            do throws(AuthError) {
                return try await initiate("REFRESH_TOKEN_AUTH", parameters, username: typed, for: .refresh)
            } catch let other {
                // A second no is about the other name.
                throw other.code == .clientSecretInvalid || other.code.endsSession ? error : other
            }
        }
    }

    /// `local`: `RevokeToken`, for this session alone. `global`: `GlobalSignOut`, for every one of the user's.
    public func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
        switch scope {
        case .local:
            guard let refreshToken = tokens.refreshToken else { return }
            var input: JSONObject = [
                "Token": .string(refreshToken.reveal()), "ClientId": .string(configuration.clientID),
            ]
            if let secret = configuration.clientSecret { input["ClientSecret"] = .string(secret.reveal()) }
            _ = try await api.call("RevokeToken", input, for: .open)
        case .global:
            do {
                try await signOutEverywhere(tokens.accessToken)
            } catch  where error.code == .tokenExpired {
                // It takes a live access token, and the last one may be older than that.
                try await signOutEverywhere(refresh(tokens).tokens.accessToken)
            }
        case .others: throw AuthError(.unsupported, reason: "the service ends one session, or all")
        }
    }

    private func signOutEverywhere(_ accessToken: Secret<String>) async throws(AuthError) {
        _ = try await api.call("GlobalSignOut", ["AccessToken": .string(accessToken.reveal())], for: .account)
    }

    /// `GetUser`.
    public func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser {
        let answer = try await api.call(
            "GetUser", ["AccessToken": .string(tokens.accessToken.reveal())], for: .account)
        var attributes: JSONObject = [:]
        for attribute in answer.members["UserAttributes"]?.arrayValue ?? [] {
            guard let name = attribute.objectValue?["Name"]?.stringValue else { continue }
            attributes[name] = attribute.objectValue?["Value"]
        }
        attributes["cognito:username"] = answer.members["Username"]
        guard let subject = (attributes["sub"] ?? attributes["cognito:username"])?.stringValue else {
            throw AuthError(.unavailable, reason: "the service's user has no name")
        }
        // A text here, and a list in tokens.
        let identities = attributes["identities"]?.stringValue.flatMap { try? JSONValue(parsing: $0.utf8) }
        return SessionUser(
            subject: subject, email: attributes["email"]?.stringValue,
            emailVerified: attributes["email_verified"]?.isTrue, phoneNumber: attributes["phone_number"]?.stringValue,
            name: attributes["name"]?.stringValue, picture: attributes["picture"]?.stringValue,
            provider: PoolTokens.provider(identities), attributes: attributes)
    }
}
