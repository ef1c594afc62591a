// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What the app shows of a user: their profile over what their account says.
public struct ProfileView: Sendable {
    public var account: AccountSummary
    /// The profile's own, else `name` or `full_name` of the user's metadata.
    public var name: String?
    /// The profile's own, else `picture` or `avatar_url` of the user's metadata where that is an `https` URL.
    public var picture: String?
    public var locale: String?
    /// When the profile was last written; `nil` before the first time.
    public var updatedAt: Instant?

    public init(_ account: AccountSummary, _ profile: Profile?) {
        self.account = account
        let metadata = account.userMetadata
        name = profile?.name ?? metadata["name"]?.stringValue ?? metadata["full_name"]?.stringValue
        let pictures = [metadata["picture"]?.stringValue, metadata["avatar_url"]?.stringValue]
        picture = profile?.picture ?? pictures.compactMap { $0 }.first(where: ProfileChanges.isPicture)
        locale = profile?.locale
        updatedAt = profile?.updatedAt
    }
}

/// Shows and changes a user's profile. It never changes how they sign in: not the address, not the password, no role.
public struct ProfileFlow: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: `AuthErrorCode.userNotFound` for a user who is gone.
    public func view(_ user: UserID, call: CallContext) async throws -> ProfileView {
        let directory = call.directory.id
        return try await ports.store.read { tx in
            ProfileView(AccountSummary(try tx.liveUser(user, in: directory)), try tx.profile(of: user, in: directory))
        }
    }

    /// Creates or changes the profile. The same call twice leaves the same profile.
    ///
    /// - Throws: `AuthErrorCode.userNotFound` for a user who is gone.
    @discardableResult
    public func register(
        _ changes: ProfileChanges, of user: UserID, call: CallContext
    ) async throws -> ProfileView {
        try await ports.write(call) { step in
            let (tx, directory) = (step.tx, step.directory)
            let account = try tx.liveUser(user, in: directory)
            let present = try tx.profile(of: user, in: directory)
            var profile = present ?? Profile(userID: user, directoryID: directory, updatedAt: call.now)
            changes.name.applied(to: &profile.name)
            changes.picture.applied(to: &profile.picture)
            changes.locale.applied(to: &profile.locale)
            guard profile != present else { return ProfileView(AccountSummary(account), present) }
            profile.updatedAt = call.now
            try tx.upsert(profile)
            try step.record(.profileChanged, account)
            return ProfileView(AccountSummary(account), profile)
        }
    }
}
