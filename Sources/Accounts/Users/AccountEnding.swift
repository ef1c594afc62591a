// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What must end when an account changes under its user: sessions, links, codes. One place, so that no path forgets
/// one of them.
struct AccountEnding {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    private var tx: any StoreWriting { step.tx }
    private var now: Instant { step.now }

    /// Ends every session, and every link and code that could open another.
    func endAll(of user: User, because: SessionRevocation) throws {
        try SessionEnding(step).endAll(of: user.id, because: because)
        try endProofs(of: user)
    }

    /// Ends outstanding links and codes alone, and the sign-ups that they would have answered; and the wait of whoever
    /// says that second factors are lost, who may have been anybody until now.
    func endProofs(of user: User) throws {
        try step.stopFactorRecovery(of: user.id, because: "account_changed")
        try tx.deleteOneTimeTokens(of: user.id, in: user.directoryID, purposes: nil)
        try tx.deleteAuthorizationCodes(of: user.id, in: user.directoryID)
        try tx.deleteSignUpAttempts(of: user.id, in: user.directoryID)
    }

    /// Ends an identity: its user is known by it no more. What its provider has granted is given back, once this is
    /// durable (RFC 7009; App Store Review Guidelines, 5.1.1(v)). What its provider said before brings it back no more.
    func end(_ identity: Identity) throws {
        try giveBack(identity)
        try IdentityEnds(step).note(identity)
        _ = try tx.deleteIdentity(identity.id, in: identity.directoryID)
    }

    private func giveBack(_ identity: Identity) throws {
        let kind = try provider(of: identity)?.kind
        let grant = try tx.upstreamGrant(of: identity.id, in: identity.directoryID)
        // By the user's name, of whom nothing need be kept.
        guard grant != nil || kind == .facebook else { return }
        let revocation = UpstreamRevocation(
            provider: identity.provider, subject: identity.subject,
            tokenType: kind == .github ? .accessToken : .refreshToken, token: grant?.refreshToken ?? Secret(""))
        try tx.enqueue(
            OutboxMessage(
                id: step.identifier(), directoryID: identity.directoryID, content: .upstreamRevocation(revocation),
                dueAt: now, createdAt: now))
    }

    /// As it is configured, or stands in.
    func provider(of identity: Identity) throws -> IdentityProvider? {
        guard !LocalIdentities.isLocal(identity) else { return nil }
        return try tx.identityProvider(named: identity.provider, in: identity.directoryID)
            ?? step.ports.standInProviders(identity.directoryID).first { $0.name == identity.provider }
    }

    /// Soft deletion: the account is over, its addresses are free, and what is left of the person are identifiers.
    ///
    /// Whoever signs up with the address afterwards gets a new account that inherits nothing. The row stays until the
    /// purge, so that none of them is given out again meanwhile and late calls find out why they are refused; the
    /// sessions stay as long, and say nothing of the devices they were on.
    ///
    /// - Returns: whether all of it is done. Where not, ``ErasureTurn`` is due until it is.
    @discardableResult
    func softDelete(_ user: User) throws -> Bool { try end(user, keepsRow: true) }

    /// Deletion for good: nothing is left but audit events, which know neither address nor device.
    ///
    /// - Returns: as ``softDelete(_:)``. Until then an empty row is left, as of one who was deleted softly.
    @discardableResult
    func delete(_ user: User) throws -> Bool { try end(user, keepsRow: false) }

    private func end(_ user: User, keepsRow: Bool) throws -> Bool {
        try endAll(of: user, because: .deleted)
        for identity in try tx.identities(of: user.id, in: user.directoryID) {
            try end(identity)
        }
        try IdentityEnds(step).note(addressOf: user)
        for group in try tx.groups(of: user.id, in: user.directoryID) {
            _ = try tx.removeMember(user.id, from: group.id, in: user.directoryID)
        }
        if try tx.profile(of: user.id, in: user.directoryID) != nil {
            try tx.upsert(Profile(userID: user.id, directoryID: user.directoryID, updatedAt: now))
        }
        try tx.deleteConsents(of: user.id, in: user.directoryID)
        try tx.deleteFactors(of: user.id, in: user.directoryID)
        try tx.deleteRememberedDevices(of: user.id, in: user.directoryID)
        try tx.deleteLockouts(of: user.id, in: user.directoryID)
        var left = User(
            id: user.id, directoryID: user.directoryID, externalIdentifiers: user.externalIdentifiers,
            createdAt: user.createdAt)
        left.updatedAt = now
        left.deletedAt = user.deletedAt ?? now
        left.bannedUntil = user.bannedUntil
        left.version = user.version
        // A row that is damaged may not even say which version it is: it goes as it is.
        if keepsRow || !user.isDamaged { try tx.update(left) }
        let isErased = try ErasureTurn(tx).take(
            Erasure(directoryID: user.directoryID, userID: user.id, keepsRow: keepsRow))
        try forget(user)
        return isErased
    }

    /// Removes what no row of the user's owns: the messages to addresses that are now nobody's, and those about the
    /// account that went elsewhere, to an address of before or a factor's. What is owed there, or to one that others
    /// may share, goes out, and is forgotten then (``DeliveryPolicy/forgets(_:isOver:)``).
    private func forget(_ user: User) throws {
        try tx.deleteSettledLetters(about: user.id, in: user.directoryID)
        for email in [user.email, user.pendingEmail].compactMap(\.self)
        where try tx.user(email: email, in: user.directoryID) == nil {
            try tx.deleteOutbox(
                to: email.rawValue, in: user.directoryID, includingOwed: email != user.email || !user.sharesEmail)
        }
        for phone in [user.phone, user.pendingPhone].compactMap(\.self)
        where try tx.user(phone: phone, in: user.directoryID) == nil {
            try tx.deleteOutbox(
                to: phone.e164, in: user.directoryID, includingOwed: phone != user.phone || !user.sharesPhone)
        }
    }
}
