// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes up what a device without a browser asks for, for its user to allow elsewhere (RFC 8628, section 3.1). The
/// call's client has shown that it is the one, as far as it can.
public struct BeginDeviceAuthorization: Sendable {
    public static let lifetime = TimeSpan.minutes(10)
    /// How long the device waits between two questions, in seconds.
    public static let interval: Int64 = 5
    private static let maximumDraws = 8

    /// What the device is given (section 3.2).
    public struct Begun: Sendable {
        /// By which the device asks: 256 random bits.
        public var deviceCode: Secret<String>
        /// Which its user types.
        public var userCode: DeviceUserCode
        public var authorization: DeviceAuthorization
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter resources: whom access tokens are to be for (RFC 8707).
    /// - Throws: ``AuthorizationRefusal``; ``AuthErrorCode/unavailable`` where no code is free.
    public func callAsFunction(
        scopes: [String], resources: [String], call: CallContext
    ) async throws -> Begun {
        guard let client = call.client, client.directoryID == call.directory.id,
            client.settings.authorization.isEnabled, client.settings.authorization.grants.contains(.deviceCode)
        else { throw AuthorizationRefusal(.unauthorizedClient, "the client may not use this grant") }
        let allowed = try Self.allowed(scopes, for: resources, client)
        let deviceCode = Base64URL.encode(ports.random.bytes(32))
        return try await ports.write(call) { step in
            let (userCode, userHash) = try Self.userCode(step)
            let authorization = DeviceAuthorization(
                id: step.identifier(), directoryID: step.directory, clientID: client.id,
                deviceHash: DeviceAuthorization.hash(of: deviceCode), userHash: userHash, scopes: allowed,
                resources: resources, interval: Self.interval, createdAt: step.now,
                expiresAt: step.now + Self.lifetime)
            try step.tx.insert(authorization)
            return Begun(deviceCode: Secret(deviceCode), userCode: userCode, authorization: authorization)
        }
    }

    /// What the client may have of what it asks for, each once, as of a request that comes by a browser.
    private static func allowed(
        _ scopes: [String], for resources: [String], _ client: Client
    ) throws(AuthorizationRefusal) -> [String] {
        let registered = client.settings.authorization
        guard resources.allSatisfy(registered.resources.containsOctets) else {
            throw AuthorizationRefusal(.invalidTarget, "resource is not one that the client was registered for")
        }
        var seen: Set<String> = []
        let scopes = scopes.filter { registered.scopes.containsOctets(of: $0) && seen.insert($0).inserted }
        guard !scopes.isEmpty else { throw AuthorizationRefusal(.invalidScope, "no scope that the client may ask for") }
        return scopes
    }

    /// One that no other device shows. That eight in a row are taken happens to nobody while fewer than a billion
    /// devices wait: more draws would not help whatever is wrong then.
    ///
    /// - Throws: ``AuthErrorCode/unavailable``.
    private static func userCode(_ step: FlowStep) throws -> (DeviceUserCode, [UInt8]) {
        for _ in 0..<maximumDraws {
            let code = DeviceUserCode(random: step.random)
            let hash = code.hash(under: step.call.directory.tokenKey)
            if try step.tx.deviceAuthorization(userHash: hash, in: step.directory) == nil { return (code, hash) }
        }
        throw AuthError(.unavailable, reason: "every code that was drawn is shown by another device")
    }
}
