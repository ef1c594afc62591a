// SPDX-License-Identifier: Apache-2.0

/// Those who have one address or number, and the one whom it names. At most one of them has it for a name of their own;
/// the others share it (``User/sharesEmail``), and are called otherwise.
public struct AddressHolders: Sendable {
    /// The most that need to be known: the one whose name it is, and two of those who share it and have proved it.
    public static let needed = 3

    private let own: User?
    private let ownIsProved: Bool
    private let proved: [User]

    /// - Parameters:
    ///   - users: whoever's name it is, and at least two of those who share and have proved it, where there are so
    ///     many.
    ///   - shares: whether the address is shared by the user, and none of their names.
    ///   - isProved: whether it is proved to be the user's.
    public init(_ users: [User], shares: (User) -> Bool, isProved: (User) -> Bool) {
        own = users.first { !shares($0) }
        ownIsProved = own.map(isProved) ?? false
        proved = users.filter { shares($0) && isProved($0) }
    }

    /// Whom the address names: the one whose name it is and who has proved it; else the only one who shares it and has
    /// proved it. Where nobody has, the one whose name it is to be. Of several nobody: never an arbitrary one.
    public var named: User? {
        if ownIsProved || proved.isEmpty { return own }
        return proved.count == 1 ? proved.first : nil
    }
}
