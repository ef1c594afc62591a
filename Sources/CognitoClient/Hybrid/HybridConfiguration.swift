// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Where the parts of a hybrid sign-in are: the provider's own kit on the device, an identity pool that takes its
/// token, and whoever keeps the user pool's user up to date.
public struct HybridConfiguration: Sendable {
    /// Which pool takes the provider's token.
    public var identityPool: IdentityPoolConfiguration
    /// What the identity pool calls the provider: `accounts.google.com`.
    public var loginName: String
    /// Who makes and updates the user: `https://auth.example.com/v1/user-sync`, or a function of the app's own that
    /// answers the same.
    public var userSyncURL: String
    /// What that wants to be sent besides, such as a key of the app's.
    public var userSyncHeaders: [HTTPHeader]
    /// The name under which the device keeps sessions (`IdentityBackend.name`); `nil` for one of its own. An app that
    /// has taken a ``SwitchingBackend`` out goes on with the hybrid sessions that were kept by that, under the old
    /// way's name.
    public var sessionName: String?

    /// Google's kit, unless another login is named.
    public init(
        identityPool: IdentityPoolConfiguration, loginName: String = "accounts.google.com", userSyncURL: String,
        userSyncHeaders: [HTTPHeader] = []
    ) {
        self.identityPool = identityPool
        self.loginName = loginName
        self.userSyncURL = userSyncURL
        self.userSyncHeaders = userSyncHeaders
    }
}

/// Which step of a hybrid sign-in failed (H-4).
public enum HybridStep: String, Sendable, Hashable, CaseIterable {
    /// The provider's own sign-in.
    case provider
    /// The identity pool's word on who it is (`GetId`).
    case federation
    /// What signs requests to other services (`GetCredentialsForIdentity`).
    case credentials
    /// The user pool's user.
    case synchronization
    /// What the app's own server takes.
    case session
}

extension AuthError {
    /// The step of a hybrid sign-in that the error is of.
    public var hybridStep: HybridStep? {
        field.flatMap { $0.hasPrefix("hybrid.") ? HybridStep(rawValue: String($0.dropFirst("hybrid.".count))) : nil }
    }

    func at(_ step: HybridStep) -> AuthError {
        AuthError(
            code, reason: reason, field: "hybrid.\(step.rawValue)", retryAfter: retryAfter, violations: violations,
            message: message, messageStatus: messageStatus, page: page)
    }
}
