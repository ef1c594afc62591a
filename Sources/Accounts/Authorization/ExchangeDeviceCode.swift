// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Answers a device that asks whether its user has let it in (RFC 8628, sections 3.4 and 3.5), and gives it a session,
/// once. A second question after that is refused and ends nothing: the device may not have got the answer to the first.
public struct ExchangeDeviceCode: Sendable {
    private static let maximumLength = 128
    /// By how much a device is slowed down each time, in seconds (section 3.5).
    private static let delay: Int64 = 5
    private static let maximumInterval: Int64 = 300
    /// What two questions may differ by on their way here.
    private static let jitter = TimeSpan.seconds(1)

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter dpopKey: the thumbprint of the key that the caller proved to have (RFC 9449, section 5).
    /// - Throws: ``AuthorizationRefusal`` with ``AuthorizationErrorCode/authorizationPending``,
    ///   ``AuthorizationErrorCode/slowDown``, ``AuthorizationErrorCode/accessDenied``,
    ///   ``AuthorizationErrorCode/expiredToken`` or ``AuthorizationErrorCode/invalidGrant``;
    ///   ``AuthErrorCode/userBanned``.
    public func callAsFunction(
        _ deviceCode: String, dpopKey: String? = nil, call: CallContext
    ) async throws -> IssuedSession {
        // A refusal must be committed with what it counts, so it leaves the transaction as a value.
        let outcome: Result<IssuedSession, AuthorizationRefusal> = try await ports.write(call) { step in
            let hash = DeviceAuthorization.hash(of: deviceCode.utf8.count <= Self.maximumLength ? deviceCode : "")
            guard let device = try step.tx.deviceAuthorization(deviceHash: hash, in: step.directory),
                device.clientID == call.client?.id, device.usedAt == nil
            else { return .failure(Self.invalid) }
            guard device.expiresAt > step.now else {
                return .failure(AuthorizationRefusal(.expiredToken, "the device code has expired"))
            }
            if device.isDenied { return .failure(AuthorizationRefusal(.accessDenied, "the user did not agree")) }
            guard let browser = device.allowedIn else { return .failure(try wait(device, step)) }
            guard let issued = try issue(device, allowedIn: browser, dpopKey: dpopKey, step),
                try step.tx.use(device.id, at: step.now)
            else { return .failure(Self.invalid) }
            return .success(issued)
        }
        return try outcome.get()
    }

    private static let invalid = AuthorizationRefusal(
        .invalidGrant, "the device code is not valid, was used, or is another client's")

    private func wait(_ device: DeviceAuthorization, _ step: FlowStep) throws -> AuthorizationRefusal {
        var device = device
        let isEarly = device.polledAt.map { step.now + Self.jitter < $0 + .seconds(device.interval) } ?? false
        if isEarly { device.interval = min(device.interval + Self.delay, Self.maximumInterval) }
        device.polledAt = step.now
        try step.tx.notePoll(device)
        return isEarly
            ? AuthorizationRefusal(.slowDown, "the device asks too often")
            : AuthorizationRefusal(.authorizationPending, "the user has not answered yet")
    }

    /// What the user has allowed, but for what the operator has taken from the client meanwhile, and the user
    /// themselves. `nil` where nothing is left, and where their sessions were ended.
    private func issue(
        _ device: DeviceAuthorization, allowedIn id: SessionID, dpopKey: String?, _ step: FlowStep
    ) throws -> IssuedSession? {
        guard let browser = try step.tx.session(id, in: step.directory),
            let user = try step.tx.user(browser.userID, in: step.directory), user.deletedAt == nil,
            !browser.isGone(for: user), let client = step.call.client
        else { return nil }
        // What was shown in the browser is worth what still holds of it: nothing has lowered a session that had ended.
        var proof = SignInProof(methods: browser.methods, assurance: browser.assurance)
        (proof.methods, proof.assurance) = try StandingMethods.left(
            of: proof.methods, at: proof.assurance, of: user.id, in: step.directory, step.tx)
        guard try !isOutgrown(browser, proof, of: user, step) else { return nil }
        let allowed = ClientGrant(scopes: try agreed(device, by: user, client, step), resources: device.resources)
        guard !allowed.scopes.isEmpty, var grant = client.settings.authorization.held(allowed) else { return nil }
        grant.isOffline = grant.scopes.contains(ClientGrant.offlineAccess)
        grant.dpopKey = client.authenticates(by: .publicClient) ? dpopKey : nil
        return try SessionIssuer(step).open(grant, allowedIn: browser, proof, of: user).get()
    }

    /// Whether a factor that counts by now would have ended the session, had its user not left it before
    /// (``FactorSessions/endOthers(of:except:)``).
    private func isOutgrown(
        _ browser: Session, _ proof: SignInProof, of user: User, _ step: FlowStep
    ) throws -> Bool {
        guard browser.revokedAt != nil, proof.assurance < .aal2 else { return false }
        return try FactorStanding(of: user, step.settings, step.tx).usable.contains {
            $0.adds(to: proof.methods, in: step.call.directory)
        }
    }

    /// What the user still lets the client have of what they have allowed.
    private func agreed(
        _ device: DeviceAuthorization, by user: User, _ client: Client, _ step: FlowStep
    ) throws -> [String] {
        guard client.settings.authorization.consent != .notAsked else { return device.scopes }
        let consent = try step.tx.consent(of: user.id, to: client.id, in: step.directory)
        return device.scopes.filter { consent?.scopes.contains($0) ?? false }
    }
}

extension Session {
    /// Whether it ended in a way that takes along what was allowed in it: by whatever ends it but the user signing out
    /// at the browser that they borrowed. One that was signed out of can be ended no more: what has ended all of the
    /// user's sessions since, such as the owner's proof of an address that a stranger had opened the account with
    /// (ADR 0089), takes along what was allowed in it too. Whole seconds, as ``User/revokeTokens(at:)`` notes them.
    fileprivate func isGone(for user: User) -> Bool {
        guard let revokedAt else { return false }
        guard revocation == .signedOut else { return true }
        return user.tokensValidSince.map { revokedAt.seconds <= $0.seconds } ?? false
    }
}
