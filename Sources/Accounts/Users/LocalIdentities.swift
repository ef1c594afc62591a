// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The identities that a user has by their own address and number, kept in step with the user.
struct LocalIdentities {
    static let email = "email"
    static let phone = "phone"

    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// The local providers that the user's address and number call for.
    static func providers(of user: User) -> [String] {
        (user.email == nil ? [] : [email]) + (user.phone == nil ? [] : [phone])
    }

    /// Writes identities for a user who has just been inserted.
    @discardableResult
    func insert(for user: User) throws -> [Identity] {
        let identities = Self.made(for: user, random: step.random, at: step.now)
        for identity in identities { try step.tx.insert(identity) }
        return identities
    }

    /// The local identities that the user should have.
    static func made(for user: User, random: any RandomSource, at now: Instant) -> [Identity] {
        providers(of: user).map { make($0, for: user, random: random, at: now) }
    }

    /// Adds, updates and removes local identities so that they say what `user` says, and names the providers in the
    /// user's metadata. The caller writes the user.
    @discardableResult
    func align(_ user: inout User) throws -> [Identity] {
        var identities = try step.tx.identities(of: user.id, in: user.directoryID)
        // What can't be read is not what is not there.
        guard !user.isDamaged else { return identities }
        let wanted = Self.providers(of: user)
        let before = identities.map(\.provider)
        for identity in identities where Self.isLocal(identity) && !wanted.contains(identity.provider) {
            _ = try step.tx.deleteIdentity(identity.id, in: user.directoryID)
        }
        identities.removeAll { Self.isLocal($0) && !wanted.contains($0.provider) }
        for provider in wanted {
            guard let index = identities.firstIndex(where: { $0.provider == provider }) else {
                let identity = Self.make(provider, for: user, random: step.random, at: step.now)
                try step.tx.insert(identity)
                identities.append(identity)
                continue
            }
            let data = identities[index].data.merging(Self.data(provider, user))
            guard data != identities[index].data else { continue }
            identities[index].data = data
            identities[index].updatedAt = step.now
            try step.tx.update(identities[index])
        }
        if identities.map(\.provider) != before { user.name(providers: identities.map(\.provider)) }
        return identities
    }

    static func isLocal(_ identity: Identity) -> Bool {
        identity.provider == email || identity.provider == phone
    }

    private static func make(
        _ provider: String, for user: User, random: any RandomSource, at now: Instant
    ) -> Identity {
        Identity(
            id: random.identifier(), directoryID: user.directoryID, userID: user.id, provider: provider,
            subject: user.id.rawValue, data: data(provider, user), createdAt: now, updatedAt: now)
    }

    private static func data(_ provider: String, _ user: User) -> JSONObject {
        var data: JSONObject = ["sub": .string(user.id.rawValue)]
        if provider == email {
            data["email"] = user.email.map { .string($0.rawValue) }
            data["email_verified"] = .bool(user.emailVerifiedAt != nil)
            data["phone_verified"] = false
        } else {
            data["phone"] = user.phone.map { .string($0.digits) }
            data["phone_verified"] = .bool(user.phoneVerifiedAt != nil)
            data["email_verified"] = false
        }
        return data
    }
}

extension User {
    /// Names the providers in the metadata that only the operator writes; the first one stays first.
    mutating func name(providers: [String]) {
        guard let first = providers.first else {
            appMetadata["provider"] = nil
            appMetadata["providers"] = nil
            return
        }
        let present = appMetadata["provider"]?.stringValue
        appMetadata["provider"] = .string(present.flatMap { providers.contains($0) ? $0 : nil } ?? first)
        appMetadata["providers"] = .array(providers.map(JSONValue.string))
    }
}
