// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// What the flows need from outside: made once where the program is put together, and passed to each flow. One object,
/// since each call hands it on several times.
public final class AccountPorts: Sendable {
    public let store: any AccountStoring
    public let passwords: any PasswordHashing
    public let random: any RandomSource
    public let messages: MessageComposer
    public let limits: AccountLimits
    /// Whether a text message reaches anybody: by a gateway, or because it is read in the outbox.
    public let reachesPhones: Bool
    /// The way to other people's identity providers.
    public let identityProviders: any IdentityProviding
    /// Whoever gives credentials for other services; `nil` where nobody does.
    public let temporaryCredentials: (any TemporaryCredentialIssuing)?
    /// Providers that are no Directory's own and stand beside what is stored, by Directory: those of a program that is
    /// for development.
    public let standInProviders: @Sendable (DirectoryID) -> [IdentityProvider]
    /// The operator's programs that are told and asked of what happens.
    public let hooks: Hooks

    /// - Parameters:
    ///   - limits: what is guessed and sent; everything in one program shares one.
    ///   - identityProviders: `nil` for a program that signs nobody in by another's word.
    ///   - temporaryCredentials: `nil` where nobody gives any.
    public init(
        store: any AccountStoring, passwords: any PasswordHashing, random: any RandomSource, messages: MessageComposer,
        limits: AccountLimits = AccountLimits(), reachesPhones: Bool = true,
        identityProviders: (any IdentityProviding)? = nil,
        temporaryCredentials: (any TemporaryCredentialIssuing)? = nil,
        standInProviders: @escaping @Sendable (DirectoryID) -> [IdentityProvider] = { _ in [] },
        hooks: Hooks = Hooks()
    ) {
        self.store = store
        self.passwords = passwords
        self.random = random
        self.messages = messages
        self.limits = limits
        self.reachesPhones = reachesPhones
        self.identityProviders = identityProviders ?? NoIdentityProviders()
        self.temporaryCredentials = temporaryCredentials
        self.standInProviders = standInProviders
        self.hooks = hooks
    }

    /// Whether what is sent to the recipient can arrive. A number of ``DirectorySettings/OneTime/testCodes`` needs no
    /// message: its code is known.
    func reaches(_ recipient: Recipient, call: CallContext) -> Bool {
        switch recipient {
        case .email: true
        case .phone(let number):
            reachesPhones || !hooks.blocking(.text, call).isEmpty
                || call.settings.oneTime.testCode(for: number, at: call.now) != nil
        }
    }

    /// Refuses a call that asks for a message which nothing can carry, whoever it is about: nobody is told that a code
    /// is on its way which is not.
    ///
    /// - Throws: ``AuthErrorCode/textMessagesUnavailable``.
    func requireReach(_ recipient: Recipient?, call: CallContext) throws(AuthError) {
        guard let recipient, !reaches(recipient, call: call) else { return }
        throw AuthError(.textMessagesUnavailable, reason: "no gateway for text messages is configured", field: "phone")
    }
}
