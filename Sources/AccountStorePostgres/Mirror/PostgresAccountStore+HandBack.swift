// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// What of a Directory's users the other server can go on with.
package struct HandBack: Sendable, Hashable {
    package var users = 0
    package var passwords = 0
    /// Users whose password's hash is of a form that it does not know: they choose a new one.
    package var withoutPassword = 0
    /// Whose codes an app makes.
    package var factors = 0
}

extension PostgresAccountStore {
    /// Writes what is sealed here into the other server's tables as it needs it, ends there whatever it has given out
    /// before, and removes the mirror: from then on that server writes them. Users sign in anew.
    ///
    /// No server of ours may run meanwhile: whoever changed a password by one all the same would have none afterwards.
    /// One that listens for changes is seen. Cut short, it is to be called again.
    ///
    /// - Parameters:
    ///   - password: a user's hash in a form that the other server knows; `nil` for one that it does not.
    ///   - factor: what an app's codes are made of, in its form; `nil` for a factor that it keeps no such thing of.
    /// - Throws: ``AuthErrorCode/notFound`` where there is no mirror, ``AuthErrorCode/conflict`` while a server runs,
    ///   ``AuthErrorCode/changeRefused`` where an app's triggers refuse.
    package func handBack(
        password: @escaping @Sendable (User) -> String?, factor: @escaping @Sendable (Factor) -> String?
    ) async throws -> HandBack {
        let found = try await readStatements { [schema] in
            try SchemaMirror.installed($0.connection, ours: schema)
        }
        guard let mirror = found?.mirror else { throw AuthError(.notFound, reason: "there is no mirror") }
        // What is not there yet would not come any more.
        guard found?.isFilled == true else {
            throw AuthError(
                .conflict, reason: "\(mirror.namespace) is being filled from \(schema): wait, and call again")
        }
        try await requireNoServer()
        var sum = HandBack()
        var after: UserID?
        repeat {
            let (turn, last) = try await withTransaction { [after] connection, transaction in
                try mirror.handBack(connection, transaction, after: after, password: password, factor: factor)
            }
            sum = sum + turn
            after = last
        } while after != nil
        // One that was started meanwhile would go on without its mirror.
        try await requireNoServer()
        try await withOwnTransactions {
            try mirror.remove($0, after: ["SELECT \(mirror.ours).mirror_hand_back_end()"])
        }
        return sum
    }
}

extension HandBack {
    fileprivate static func + (left: HandBack, right: HandBack) -> HandBack {
        HandBack(
            users: left.users + right.users, passwords: left.passwords + right.passwords,
            withoutPassword: left.withoutPassword + right.withoutPassword, factors: left.factors + right.factors)
    }
}

extension SchemaMirror {
    /// Users of one transaction.
    private static let handedBackAtOnce = 500

    fileprivate func handBack(
        _ connection: PostgresConnection, _ transaction: OpenTransaction, after: UserID?,
        password: (User) -> String?, factor: (Factor) -> String?
    ) throws -> (HandBack, last: UserID?) {
        var done = HandBack()
        let users = try transaction.accounts.users(in: directoryID, after: after, limit: Self.handedBackAtOnce)
        let factors = try transaction.accounts.factors(of: users.map(\.id), in: directoryID)
        done.users = users.count
        for user in users {
            let form = password(user)
            if user.passwordHash != nil {
                done.passwords += form == nil ? 0 : 1
                done.withoutPassword += form == nil ? 1 : 0
            }
            try call("mirror_hand_back", user.id.rawValue, form ?? "", connection)
            for held in factors[user.id] ?? [] {
                guard let form = factor(held) else { continue }
                done.factors += 1
                try call("mirror_hand_back_factor", held.id.rawValue, form, connection)
            }
        }
        return (done, users.count < Self.handedBackAtOnce ? nil : users.last?.id)
    }

    private func call(_ function: String, _ row: String, _ value: String, _ connection: PostgresConnection) throws {
        _ = try connection.query("SELECT \(ours).\(function)(?, ?)", [.text(row), .text(value)]) { _ in true }
    }
}
