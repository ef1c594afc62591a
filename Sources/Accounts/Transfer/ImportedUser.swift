// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// One user as another platform's tools hand them over: what it knows of them, with the hash of their password.
public struct ImportedUser: Sendable {
    /// A lower-case UUID is the user's identifier in every dialect, any other text theirs in the one of the call.
    public var identifier: ExternalIdentifier
    public var email: EmailAddress?
    public var isEmailVerified = false
    public var phone: PhoneNumber?
    /// The text that carries algorithm, cost and salt: see ``Passwords/PasswordHash``.
    public var passwordHash: String?
    /// What the user is called and looks like: see ``SharedField``.
    public var userMetadata: JSONObject = [:]
    /// For the half that only operators write in the place of the call's dialect.
    public var operatorAttributes: JSONObject = [:]
    public var providers: [GivenIdentity] = []
    /// Second factors, each with what proves it.
    public var factors: [GivenFactor] = []
    public var isBanned = false
    public var createdAt: Instant?
    public var lastSignInAt: Instant?
    public var tokensValidSince: Instant?

    public init(identifier: ExternalIdentifier) {
        self.identifier = identifier
    }

    /// - Parameter id: our own identifier, for whom it is not given.
    /// - Throws: ``AuthErrorCode/metadataTooLarge``, ``AuthErrorCode/invalidRequest`` for a hash that is none or costs
    ///   too much to be compared with, ``AuthErrorCode/internalFailure`` for a call of no dialect.
    func record(_ id: UserID, in call: CallContext, random: any RandomSource) throws(AuthError) -> TransferRecord {
        guard let dialect = call.dialect else {
            throw AuthError(.internalFailure, reason: "an import by a caller that calls nobody anything")
        }
        let isOwn = UUIDText.isIdentifier(identifier.rawValue)
        let created = createdAt ?? call.now
        var user = User(
            id: isOwn ? UserID(identifier.rawValue) : id, directoryID: call.directory.id,
            externalIdentifiers: isOwn ? ExternalIdentifiers() : ExternalIdentifiers(identifier, in: dialect),
            createdAt: created)
        user.origin = .transfer
        user.updatedAt = call.now
        user.email = email
        user.emailVerifiedAt = email != nil && isEmailVerified ? created : nil
        user.phone = phone
        user.phoneVerifiedAt = phone == nil ? nil : created
        if let passwordHash { user.passwordHash = try PasswordHash(passwordHash) }
        try user.write(metadata: userMetadata, attributes: nil, call: call)
        try user.operate(metadata: nil, attributes: operatorAttributes, call: call)
        if isBanned { user.bannedUntil = User.forever }
        user.lastSignInAt = lastSignInAt
        user.tokensValidSince = tokensValidSince
        // The local ones follow from the user.
        var identities: [Identity] = []
        for provider in providers {
            try call.settings.requireBounded(provider.data, "identities")
            identities.append(
                Identity(
                    id: random.identifier(), directoryID: user.directoryID, userID: user.id, provider: provider.name,
                    subject: provider.subject, data: provider.data, createdAt: created, updatedAt: call.now))
        }
        user.name(providers: LocalIdentities.providers(of: user) + identities.map(\.provider))
        return TransferRecord(
            user: user, hasOwnIdentifier: isOwn, identities: identities, groups: [],
            factors: try GivenFactor.factors(factors, of: user, call, random))
    }
}
