// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// A user to try the app with: confirmed, with a profile and 250 activities.
///
/// Running it again changes nothing but the password, which is always the one given. An account that is not a demo
/// account is never touched.
public struct DemoData: Sendable {
    public struct Outcome: Sendable {
        public var user: User
        public var isNewUser: Bool
        /// How many of the activities were missing.
        public var activitiesAdded: Int
    }

    /// Marks the account in the metadata that only the operator writes.
    private static let mark = "demo"

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - seed: the same seed gives the same activities, dated back from `call.now` of the first run.
    /// - Throws: `AuthErrorCode.emailExists` when the address is a real user's, `.weakPassword`.
    public func make(
        email: EmailAddress, password: Secret<String>, seed: UInt64 = 1, call: CallContext
    ) async throws -> Outcome {
        try call.requireAcceptable(password, email: email)
        let present = try await ports.store.read { try $0.user(email: email, in: call.directory.id) }
        let new = try await newPassword(password, for: present, call)
        return try await ports.write(call) { step in
            let (tx, directory) = (step.tx, step.directory)
            var user: User
            let found = try tx.user(email: email, in: directory)
            if let found {
                guard found.appMetadata[Self.mark] == true else { throw AuthError(taken: .duplicate("user.email")) }
                user = found
                if let new {
                    try PasswordReplacement(step, by: .demo).apply(.new(new), to: &user)
                    user.updatedAt = call.now
                    user = try tx.update(user)
                }
            } else {
                // A demo user who vanished after the password was compared: the next run makes them.
                guard let new else { throw AuthError(.conflict, reason: "the demo user was just deleted") }
                user = Self.newUser(email, step)
                try PasswordReplacement.Password.new(new).give(to: &user, step)
                try tx.insert(user)
                try LocalIdentities(step).insert(for: user)
                try tx.upsert(
                    Profile(
                        userID: user.id, directoryID: directory, name: "Demo Yogi", locale: "en", updatedAt: call.now))
                try step.record(.signedUp, user, details: ["by": "demo"])
            }
            let added = try Self.addActivities(seed, user, step)
            return Outcome(user: user, isNewUser: found == nil, activitiesAdded: added)
        }
    }

    /// `nil` when the user has this password already: their sessions then stay.
    private func newPassword(
        _ password: Secret<String>, for present: User?, _ call: CallContext
    ) async throws -> NewPassword? {
        if let old = present?.passwordHash, case .match = try await ports.passwords.verify(password, against: old) {
            return nil
        }
        return try await NewPassword(password, for: present?.id, call: call, ports: ports)
    }

    private static func newUser(_ email: EmailAddress, _ step: FlowStep) -> User {
        var user = User(id: step.random.identifier(), directoryID: step.directory, createdAt: step.now)
        user.email = email
        user.emailVerifiedAt = step.now
        user.name(providers: [LocalIdentities.email])
        user.appMetadata[mark] = true
        user.userMetadata = ["name": "Demo Yogi"]
        return user
    }

    private static func addActivities(_ seed: UInt64, _ user: User, _ step: FlowStep) throws -> Int {
        let wanted = DemoActivities(seed: seed, user: user.id, directory: user.directoryID).make(before: step.now)
        let present = Set(
            try step.tx.activities(
                of: user.id, in: user.directoryID, matching: ActivityFilter(), after: nil, limit: 100_000
            ).map(\.id))
        let missing = wanted.filter { !present.contains($0.id) }
        for activity in missing { try step.tx.insert(activity) }
        return missing.count
    }
}
