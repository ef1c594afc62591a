// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

extension PasswordBench {
    @discardableResult
    func signUp(
        _ identifier: SignInIdentifier? = nil, password: String = Self.password, metadata: JSONObject = [:],
        at call: CallContext? = nil, over store: (any AccountStoring)? = nil
    ) async throws -> SignUpOutcome {
        let command = try SignUpCommand(
            identifier: identifier ?? email(), password: Secret(password), userMetadata: metadata)
        return try await SignUp(store.map { ports(over: $0) } ?? ports)(command, call: call ?? self.call())
    }

    func found(_ email: String = "a@example.com") async throws -> User? {
        let address = try EmailAddress(email)
        let id = base.directory.id
        return try await store.read { try $0.user(email: address, in: id) }
    }
}

extension SignUpOutcome {
    /// What the dialect shows of it, where it shows no session.
    var record: UserRecord? {
        switch self {
        case .signedIn: nil
        case .confirmationSent(let record), .unconfirmed(let record), .concealed(let record): record
        }
    }

    var session: IssuedSession? { if case .signedIn(let next) = self { next.issued } else { nil } }
    var isConcealed: Bool { if case .concealed = self { true } else { false } }
}

extension UserRecord {
    /// Everything a stranger could see in an answer; identifiers by their form alone.
    var appearance: [String] {
        let ids = [user.id.rawValue] + identities.map(\.id.rawValue)
        return [
            "\(ids.map { id in "\(id.count) \(id.dropFirst(14).prefix(1)) \(UUIDText.isIdentifier(id))" })",
            "\(String(describing: user.email)) \(String(describing: user.phone))",
            "\(user.emailVerifiedAt == nil) \(user.phoneVerifiedAt == nil) \(user.isAnonymous) \(user.version)",
            "\(user.createdAt) \(user.updatedAt) \(String(describing: user.lastSignInAt)) \(user.sent)",
            "\(user.appMetadata.members) \(user.userMetadata.members)",
            "\(String(describing: user.role)) \(String(describing: user.bannedUntil)) \(String(describing: user.invitedAt))",
            "\(String(describing: user.pendingEmail)) \(String(describing: user.pendingPhone))",
            "\(identities.map { "\($0.provider) \($0.subject == user.id.rawValue) \($0.createdAt) \($0.updatedAt)" })",
            "\(identities.map { $0.data.members.filter { $0.name != "sub" } })",
            "\(identities.map { String(describing: $0.lastSignInAt) })",
        ]
    }
}
