// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import AccountStore
@testable import AccountStorePostgres

/// As the plans of SQLite (`QueryPlanTests`), on tables that nobody has counted yet: there PostgreSQL takes an index
/// that merely begins with the Directory for as good as one that finds a row, walks through the Directory's, and meets
/// every other transaction.
@Suite("How PostgreSQL looks up what apps ask for", .postgres, .timeLimit(.minutes(5)))
struct PostgresPlanTests {
    struct Call: Sendable, CustomTestStringConvertible {
        let name: String
        let body: @Sendable (any StoreWriting) throws -> Void

        var testDescription: String { name }
    }

    private static let home = DirectoryID("home")
    private static let ann = UserID("ann")
    private static let session = SessionID("s")
    private static let hash = [UInt8](repeating: 1, count: 32)
    private static let now = Instant(seconds: 1_790_000_000)

    static let calls: [Call] = [
        Call(name: "a user by identifier, address, number and name") { tx in
            _ = try tx.user(ann, in: home)
            _ = try tx.users([ann], in: home)
            _ = try tx.user(email: EmailAddress("a@example.com"), in: home)
            _ = try tx.user(phone: PhoneNumber("+4930123456"), in: home)
            _ = try tx.user(username: Username("ada"), in: home)
            _ = try tx.user(identifier: "x", in: home)
        },
        Call(name: "a user's identities, groups, profile and factors") { tx in
            _ = try tx.identities(of: ann, in: home)
            _ = try tx.identity(provider: "google", subject: "1", in: home)
            _ = try tx.identity(provider: "email", subject: "ann", in: home)
            _ = try tx.groups(of: ann, in: home)
            _ = try tx.profile(of: ann, in: home)
            _ = try tx.factors(of: ann, in: home)
            _ = try tx.secondFactors(of: ann, in: home)
            _ = try tx.rememberedDevices(of: ann, in: home)
            _ = try tx.consents(of: ann, in: home)
        },
        Call(name: "a session, its refresh and its end") { tx in
            _ = try tx.session(session, in: home)
            _ = try tx.standing(of: session, in: home)
            _ = try tx.holder(of: session, in: home)
            _ = try tx.advance(
                Session(
                    id: session, directoryID: home, userID: ann, device: DeviceMetadata(), methods: [],
                    assurance: .aal1, createdAt: now, lastActiveAt: now, notAfter: nil,
                    family: RefreshTokenFamily(generation: 1, liveHash: hash, steps: [])), from: 0)
            _ = try tx.revoke(session, in: home, because: .signedOut, at: now)
            _ = try tx.broughtToken(hash, in: home)
        },
        Call(name: "a user's sessions") { tx in
            _ = try tx.sessions(of: ann, in: home)
            _ = try tx.sessions(under: session, in: home)
            _ = try tx.clientSessions(of: ann, in: home)
            _ = try tx.hasSession(of: ann, in: home, from: "192.0.2.0", activeSince: now)
            _ = try tx.revokeSessions(of: ann, in: home, except: nil, because: .signedOut, at: now)
            _ = try tx.revokeSessions(of: ann, below: .aal2, in: home, except: nil, because: .replaced, at: now)
        },
        Call(name: "a one-time token, by its hash, its user and its recipient") { tx in
            _ = try tx.oneTimeToken(linkHash: hash, in: home)
            _ = try tx.oneTimeToken(of: ann, purpose: .recovery, in: home)
            _ = try tx.oneTimeTokens(of: ann, purpose: .signUpConfirmation, in: home)
            _ = try tx.oneTimeTokens(to: "a@example.com", purpose: .recovery, in: home, askedBy: hash, limit: 10)
            _ = try tx.consume(OneTimeTokenID("t"))
            try tx.deleteOneTimeTokens(of: ann, in: home, purposes: [.recovery])
        },
        Call(name: "codes, and what a browser was sent away with") { tx in
            _ = try tx.authorizationCode(hash: hash, in: home)
            try tx.deleteAuthorizationCodes(of: ann, in: home)
            _ = try tx.pendingAuthorization(PendingAuthorizationID("p"))
            _ = try tx.pendingFederation(stateHash: hash)
            _ = try tx.deviceAuthorization(deviceHash: hash, in: home)
            _ = try tx.deviceAuthorization(userHash: hash, in: home)
        },
        Call(name: "a second factor's challenge") { tx in
            _ = try tx.factorChallenge(FactorChallengeID("c"), in: home)
            _ = try tx.latestChallenge(of: FactorID("f"), in: home)
            _ = try tx.use(FactorChallengeID("c"), in: home, at: now)
            try tx.deleteChallenges(of: FactorID("f"), in: home)
        },
        Call(name: "keys, nonces, counts and locks") { tx in
            _ = try tx.apiKey(hash: hash)
            try tx.touchAPIKey(APIKeyID("k"), in: home, at: now)
            _ = try tx.revokeAPIKey(APIKeyID("k"), in: home, at: now)
            _ = try tx.isSpent(hash, in: home)
            _ = try tx.attemptsEnd(hash, in: home)
            _ = try tx.lockout(hash, in: home)
            _ = try tx.lockouts(of: ann, in: home)
        },
    ]

    @Test("R9.15 each look-up begins with what is looked for, also in tables that nobody has counted", arguments: calls)
    func plan(_ call: Call) async throws {
        try await PostgresServer.withStore { store in
            let (searches, walks) = try await store.withTransaction { connection, transaction in
                let explained = ExplainedConnection(connection)
                let statements = transaction.statements
                try call.body(
                    SQLTransaction(
                        connection: explained, vault: statements.vault, damages: statements.damages))
                let searches = try explained.searches.map {
                    (search: $0, columns: try explained.columns(ofIndex: $0.index))
                }
                return (searches.map { Self.problem($0.search, $0.columns) }, explained.walks)
            }
            #expect(!searches.isEmpty)
            for problem in searches.compactMap(\.self) { Issue.record("\(problem)") }
            #expect(walks.isEmpty)
        }
    }

    /// Users of whom a list is asked for. While PostgreSQL expects one row, walking is as good to it: until somebody
    /// has counted, which autovacuum does from fifty changed rows on.
    private static func isLedToUsers(_ search: ExplainedConnection.Search) -> Bool {
        ["users_created", "users_pkey"].contains(search.index)
            && search.statement.contains("AND id IN (")
    }

    /// What is wrong with it: nothing that is looked for but the Directory is at the index's beginning.
    private static func problem(_ search: ExplainedConnection.Search, _ columns: [String]) -> String? {
        guard !isLedToUsers(search) else { return nil }
        let found = columns.prefix(while: search.columns.contains)
        return found.contains { $0 != "directory_id" } ? nil : "\(search), of \(columns)"
    }

    @Test("a search that begins with the Directory alone is noticed")
    func notices() async throws {
        try await PostgresServer.withStore { store in
            let problems = try await store.withTransaction { connection, _ in
                let explained = ExplainedConnection(connection)
                _ = try explained.query(
                    "SELECT id FROM users WHERE directory_id = ? AND role = ?", [.text("x"), .text("y")]
                ) { try $0.text(0) }
                return try explained.searches.map { Self.problem($0, try explained.columns(ofIndex: $0.index)) }
            }
            #expect(problems.count == 1 && problems.first.flatMap(\.self) != nil)
        }
    }
}
