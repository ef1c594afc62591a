// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// What the flows need from outside: made once where the program is put together, and passed to each flow.
public struct AccountPorts: Sendable {
    public let store: any AccountStoring
    public let passwords: any PasswordHashing
    public let random: any RandomSource
    public let messages: MessageComposer
    public let limits: AccountLimits

    /// - Parameter limits: what is guessed and sent; everything in one program shares one.
    public init(
        store: any AccountStoring, passwords: any PasswordHashing, random: any RandomSource, messages: MessageComposer,
        limits: AccountLimits = AccountLimits()
    ) {
        self.store = store
        self.passwords = passwords
        self.random = random
        self.messages = messages
        self.limits = limits
    }
}
