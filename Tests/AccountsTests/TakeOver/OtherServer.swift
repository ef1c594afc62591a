// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

@testable import Accounts

/// Another server's accounts, as many as are wanted, with a store behind that says when they are taken over.
struct OtherServer: AccountSource {
    static let hash = "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"

    let store: any AccountStoring
    let directory: Directory
    var accounts: [(id: String, account: JSONObject)]
    let name = "other"

    init(_ count: Int, _ store: any AccountStoring, _ directory: Directory) {
        self.store = store
        self.directory = directory
        accounts = (1...count).map { (Self.id($0), ["id": .string(Self.id($0)), "number": .integer(Int64($0))]) }
    }

    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
    }

    static func session(_ number: Int) -> SessionID {
        SessionID(id(number).replacingPrefix("00000000", by: "11111111"))
    }

    func moment() async throws -> String { "7" }

    func accounts(after last: String?, limit: Int) async throws -> [(id: String, account: JSONObject)] {
        Array(accounts.filter { last == nil || $0.id > last ?? "" }.prefix(limit))
    }

    func finish(_ takeOver: TakeOver, at now: Instant) async throws -> TakeOver {
        var finished = takeOver
        finished.finishedAt = now
        let done = finished
        try await store.write { try $0.put(done) }
        return done
    }

    /// What a dialect would make of one: each with a hash, an identity, a factor and a session of two tokens.
    func read(_ json: JSONObject) throws -> BroughtAccount {
        guard let number = json["number"]?.integerValue.map({ Int($0) }) else {
            throw AuthError(.invalidRequest, reason: "no number", field: "number")
        }
        let at = directory.createdAt
        var user = User(id: UserID(Self.id(number)), directoryID: directory.id, createdAt: at)
        user.email = try EmailAddress(json["email"]?.stringValue ?? "u\(number)@example.com")
        user.emailVerifiedAt = at
        user.passwordHash = try PasswordHash(Self.hash)
        user.origin = .transfer
        var account = BroughtAccount(user)
        account.identities = [
            Identity(
                id: IdentityID(Self.id(number)), directoryID: directory.id, userID: user.id, provider: "google",
                subject: "subject \(number)", data: [:], createdAt: at, updatedAt: at)
        ]
        account.factors = [
            Factor(
                id: FactorID(Self.id(number)), directoryID: directory.id, userID: user.id,
                credential: .totp(Secret([UInt8](repeating: 1, count: 20))), verifiedAt: at, createdAt: at)
        ]
        var session = BroughtSession(id: Self.session(number), createdAt: at, lastActiveAt: at)
        session.methods = [AuthenticationMethod(.password, at: at)]
        session.chain = ["parenttoken", "livetoken"].enumerated().map {
            BroughtSession.Token(Secret("\($1)-\(number)"), givenAt: at + .hours(Int64($0)))
        }
        account.sessions = [session]
        account.left[.factors] = 1
        return account
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, by other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
