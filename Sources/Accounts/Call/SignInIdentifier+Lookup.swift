// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension UserReading {
    /// The live user whom a person means by `identifier`.
    func user(known identifier: SignInIdentifier, in directory: DirectoryID) throws -> User? {
        switch identifier {
        case .email(let email): return try user(email: email, in: directory)
        case .phone(let phone): return try user(phone: phone, in: directory)
        case .username(let name): return try user(username: name, in: directory)
        case .user(let id):
            guard let user = try user(called: id, in: directory), user.deletedAt == nil else { return nil }
            return user
        }
    }

    /// Whose identifier a text from outside is, as it is spelled, and otherwise in lower case, as our own are. Also a
    /// soft-deleted user's.
    func user(called id: UserID, in directory: DirectoryID) throws -> User? {
        guard id.rawValue.utf8.count <= ExternalIdentifier.maximumOctets else { return nil }
        if let user = try user(identifier: id.rawValue, in: directory) { return user }
        let lowercased = id.rawValue.lowercased()
        return lowercased == id.rawValue ? nil : try user(identifier: lowercased, in: directory)
    }

    /// Who has the name, or is called by it: nobody may take another's identifier for a name. Also a soft-deleted user.
    func owner(of name: Username, in directory: DirectoryID) throws -> User? {
        try user(username: name, in: directory) ?? user(called: UserID(name.rawValue), in: directory)
    }

    /// Who has one of these identifiers already, or a name that is spelled like one: nobody may be taken for another.
    func owner(ofAny identifiers: ExternalIdentifiers, in directory: DirectoryID) throws -> User? {
        for identifier in identifiers.all {
            if let user = try owner(of: identifier.rawValue, in: directory) { return user }
        }
        return nil
    }

    /// The same of one, ours or brought along. Also a soft-deleted user.
    func owner(of identifier: String, in directory: DirectoryID) throws -> User? {
        if let user = try user(identifier: identifier, in: directory) { return user }
        // A name is kept as the Directory told names apart when it was given, and it may have changed its mind since.
        // Most identifiers are the same in either way.
        let folded = try? Username(identifier)
        let exact = try? Username(identifier, isCaseSensitive: true)
        for name in [folded, exact == folded ? nil : exact].compactMap(\.self) {
            if let user = try user(username: name, in: directory) { return user }
        }
        return nil
    }
}

extension SignInIdentifier {
    var email: EmailAddress? { if case .email(let address) = self { address } else { nil } }

    /// The identifier as text: what attempts are counted by, and a made-up user's values derived from. Two spellings of
    /// one name give one.
    public var name: String {
        switch self {
        case .email(let address): address.rawValue
        case .phone(let number): number.e164
        case .username(let name): name.key
        case .user(let id): id.rawValue.lowercased()
        }
    }

    /// The address or number that the identifier is; `nil` for a name.
    var ownRecipient: Recipient? {
        switch self {
        case .email(let address): .email(address)
        case .phone(let number): .phone(number)
        case .username, .user: nil
        }
    }

    /// Where a message to the user who was named goes: to the address they were named by, and for a name to the one
    /// that was proved, the email address first. `nil` for a name that nobody has, and a user who has neither.
    public func recipient(for user: User?) -> Recipient? {
        if let own = ownRecipient { return own }
        guard let user else { return nil }
        if let email = user.email, user.emailVerifiedAt != nil || user.phoneVerifiedAt == nil { return .email(email) }
        if let phone = user.phone { return .phone(phone) }
        return user.email.map { .email($0) }
    }

    /// Stands for the address of a message that goes nowhere, but costs what one does that goes somewhere.
    func placeholder() throws -> Recipient {
        if let own = ownRecipient { return own }
        return .email(try EmailAddress("nobody@example.invalid"))
    }
}

extension CallContext {
    /// - Throws: ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/phoneSignInDisabled``.
    func requireEnabled(_ identifier: SignInIdentifier) throws(AuthError) {
        switch identifier {
        case .email: guard settings.signUp.emailEnabled else { throw AuthError(.emailSignInDisabled) }
        case .phone: guard settings.signUp.phoneEnabled else { throw AuthError(.phoneSignInDisabled) }
        case .username, .user: break
        }
    }
}
