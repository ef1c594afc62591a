// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Finds what a device asks for by the code that it shows, and takes the answer of whoever is signed in in a browser
/// (RFC 8628, section 3.3).
public struct AnswerDeviceAuthorization: Sendable {
    /// What somebody is asked to allow.
    public struct Question: Sendable {
        public var client: Client
        public var user: User
        public var scopes: [String]
        public var expiresAt: Instant
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What the device that shows `code` asks for. Wrong codes are counted, for the caller and for the account that
    /// they are typed with (section 5.1).
    ///
    /// - Parameter session: the cookie of the browser's session.
    /// - Returns: `nil` where nobody is signed in.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid`` for a code that no device waits with,
    ///   ``AuthErrorCode/rateLimited`` with the time to wait, for right codes too.
    public func question(
        _ code: DeviceUserCode, session: Secret<String>?, call: CallContext
    ) async throws -> Question? {
        try await guessing(call) { step in
            guard let browser = try BrowserSessions.session(session, step) else { return .success(nil) }
            return try found(code, by: browser.user, step).map { device, client in
                Question(client: client, user: browser.user, scopes: device.scopes, expiresAt: device.expiresAt)
            }
        }
    }

    /// Takes the answer, once. What was allowed is remembered as any consent is.
    ///
    /// - Parameter user: who was asked. Whoever is signed in meanwhile in their place has not been.
    /// - Returns: whether the user is still signed in.
    /// - Throws: As ``question(_:session:call:)``, also for a code that was answered before;
    ///   ``AuthErrorCode/termsNotAgreed`` for a yes of a user who is to agree to terms first.
    public func callAsFunction(
        _ code: DeviceUserCode, allow: Bool, of user: UserID, session: Secret<String>?, call: CallContext
    ) async throws -> Bool {
        try await guessing(call) { step in
            guard let browser = try BrowserSessions.session(session, step), browser.user.id == user else {
                return .success(false)
            }
            let found = try found(code, by: browser.user, step)
            // What a sign-in demands, a session that has outlived it lets no device past.
            if case .success = found, allow, try !AgreementLog.due(of: browser.user, call, step.tx).isEmpty {
                return .failure(AuthError(.termsNotAgreed))
            }
            return try found.map { device, client in
                var device = device
                if allow {
                    device.allowedIn = browser.session.id
                    try remember(device.scopes, by: browser.user, client, step)
                } else {
                    device.isDenied = true
                }
                guard try step.tx.answer(device) else { throw StoreConflict.stale("device authorization") }
                return true
            }
        }
    }

    private func remember(_ scopes: [String], by user: User, _ client: Client, _ step: FlowStep) throws {
        // Of the operator's own app users are not asked, and have nothing to take back.
        guard client.settings.authorization.consent != .notAsked else { return }
        let former = try step.tx.consent(of: user.id, to: client.id, in: step.directory)
        try AnswerConsent.remember(scopes, of: scopes, by: user, client, former, step)
    }

    /// The device that waits with this code. A wrong code is counted in the transaction that found it so: whatever many
    /// calls at once try, no more codes are judged than the limits let through.
    private func found(
        _ code: DeviceUserCode, by user: User, _ step: FlowStep
    ) throws -> Result<(DeviceAuthorization, Client), AuthError> {
        let limits = AccountLimits.deviceCodes(of: user.id, step.call)
        for limit in limits { if let exhaustion = try limit.exhaustion(in: step.tx) { throw exhaustion } }
        let hash = code.hash(under: step.call.directory.tokenKey)
        guard let device = try step.tx.deviceAuthorization(userHash: hash, in: step.directory), device.isPending,
            device.expiresAt > step.now, let client = try step.tx.client(device.clientID),
            client.settings.authorization.isEnabled, client.settings.authorization.grants.contains(.deviceCode)
        else {
            for limit in limits where try !limit.take(in: step.tx) { throw limit.full }
            return .failure(AuthError(.oneTimeTokenInvalid, reason: "no device waits with this code"))
        }
        return .success((device, client))
    }

    /// A refusal must be committed with what it counts, so it leaves the transaction as a value.
    private func guessing<Value: Sendable>(
        _ call: CallContext, _ body: @Sendable @escaping (FlowStep) throws -> Result<Value, AuthError>
    ) async throws -> Value {
        do {
            return try await ports.write(call, body).get()
        } catch let exhaustion as Exhaustion {
            throw ports.limits.refusal(exhaustion, call: call, else: .rateLimited)
        }
    }
}

extension Result {
    /// As `map(_:)`, for what may throw besides.
    fileprivate func map<Value>(_ body: (Success) throws -> Value) throws -> Result<Value, Failure> {
        switch self {
        case .success(let value): .success(try body(value))
        case .failure(let error): .failure(error)
        }
    }
}
