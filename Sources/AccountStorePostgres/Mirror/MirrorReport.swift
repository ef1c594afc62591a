// SPDX-License-Identifier: Apache-2.0

/// Whether the tables that a ``SchemaMirror`` writes say what ours say.
package struct MirrorReport: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case user, identity, session, factor
    }

    /// How many rows there are of one kind.
    package struct Count: Sendable, Hashable {
        package var ours: Int
        package var mirrored: Int
    }

    /// A row that differs.
    package struct Difference: Sendable, Hashable {
        package var kind: Kind
        /// As it is called there.
        package var id: String
        /// The column, or `missing`, `left over`, `different`.
        package var how: String
    }

    /// Of users and sessions: which identities and factors are shown there hangs on their users.
    package var counts: [Kind: Count] = [:]
    /// The first thousand.
    package var differences: [Difference] = []

    /// Rows of ours that the other server has none of, which an installation writes: what keeps them out is the app's.
    package var missing: Int { differences.count { $0.how == "missing" } }

    package var agrees: Bool { differences.isEmpty && counts.values.allSatisfy { $0.ours == $0.mirrored } }
}
