// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// The identities that a user has by their own address and number, kept in step with the user.
///
/// They follow from the user: one has a row of its own only where that says more, such as when it was last signed in
/// by. Whoever was taken over by an import has none until then.
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

    /// The user's identities, those that follow from the user among them.
    static func all(of user: User, _ tx: any UserReading) throws -> [Identity] {
        completed(try tx.identities(of: user.id, in: user.directoryID), of: user)
    }

    /// The same where the call's dialect shows them; else none, and nothing is read.
    static func shown(of user: User, _ call: CallContext, _ tx: any UserReading) throws -> [Identity] {
        call.shows.contains(.identities) ? try all(of: user, tx) : []
    }

    /// As ``all(of:_:)``, of those that have a row.
    static func completed(_ stored: [Identity], of user: User) -> [Identity] {
        let missing = providers(of: user).filter { provider in !stored.contains { $0.provider == provider } }
        guard !missing.isEmpty else { return stored }
        return missing.map { make($0, for: user, at: user.createdAt) } + stored
    }

    /// Writes identities for a user who has just been inserted.
    @discardableResult
    func insert(for user: User) throws -> [Identity] {
        let identities = Self.made(for: user, at: step.now)
        for identity in identities { try step.tx.insert(identity) }
        return identities
    }

    /// The local identities that the user should have.
    static func made(for user: User, at now: Instant) -> [Identity] {
        providers(of: user).map { make($0, for: user, at: now) }
    }

    /// Adds, updates and removes local identities so that they say what `user` says, and names the providers in the
    /// user's metadata. The caller writes the user.
    @discardableResult
    func align(_ user: inout User) throws -> [Identity] {
        let stored = try step.tx.identities(of: user.id, in: user.directoryID)
        // What can't be read is not what is not there.
        guard !user.isDamaged else { return Self.completed(stored, of: user) }
        let former = try step.tx.user(user.id, in: user.directoryID) ?? user
        var identities = Self.completed(stored, of: former)
        let wanted = Self.providers(of: user)
        let before = identities.map(\.provider)
        for identity in stored where Self.isLocal(identity) && !wanted.contains(identity.provider) {
            _ = try step.tx.deleteIdentity(identity.id, in: user.directoryID)
        }
        identities.removeAll { Self.isLocal($0) && !wanted.contains($0.provider) }
        for provider in wanted {
            guard let index = identities.firstIndex(where: { $0.provider == provider }) else {
                let identity = Self.make(provider, for: user, at: step.now)
                try step.tx.insert(identity)
                identities.append(identity)
                continue
            }
            let data = identities[index].data.merging(Self.data(provider, user))
            guard data != identities[index].data else { continue }
            identities[index].data = data
            identities[index].updatedAt = step.now
            try put(identities[index], over: stored)
        }
        if identities.map(\.provider) != before { user.name(providers: identities.map(\.provider)) }
        return identities
    }

    /// Writes what has been learnt of an identity: in its row, or in one that it gets now.
    ///
    /// - Parameter stored: those of the user that have a row.
    func put(_ identity: Identity, over stored: [Identity]) throws {
        if stored.contains(where: { $0.id == identity.id }) {
            try step.tx.update(identity)
        } else {
            try step.tx.insert(identity)
        }
    }

    static func isLocal(_ identity: Identity) -> Bool { isLocal(identity.provider) }

    static func isLocal(_ provider: String) -> Bool { Identity.localProviders.contains(provider) }

    /// The same identifier whenever it is made, so that it stays when the identity gets a row. It is as random as the
    /// user's is.
    private static func identifier(_ provider: String, of user: User) -> IdentityID {
        let name = ["latchkey identity 1", user.directoryID.rawValue, user.id.rawValue, provider]
        return IdentityID(
            UUIDText.random(Array(SHA256.hash(data: Array(name.joined(separator: "\0").utf8)).prefix(16))))
    }

    private static func make(_ provider: String, for user: User, at now: Instant) -> Identity {
        Identity(
            id: identifier(provider, of: user), directoryID: user.directoryID, userID: user.id, provider: provider,
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
