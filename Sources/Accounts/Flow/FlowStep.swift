// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One transaction of a flow: the call that it serves, the store as it sees it, and what the flow was given. Whatever
/// takes part in the transaction is handed this, so that nobody passes time, identifiers or the audit log on by hand.
///
/// The transaction may be run again, so nothing in it may have an effect outside.
public struct FlowStep {
    public let call: CallContext
    public let tx: any StoreWriting
    let ports: AccountPorts

    init(_ call: CallContext, _ tx: any StoreWriting, _ ports: AccountPorts) {
        self.call = call
        self.tx = tx
        self.ports = ports
    }

    var now: Instant { call.now }
    var directory: DirectoryID { call.directory.id }
    var settings: DirectorySettings { call.settings }
    var random: any RandomSource { ports.random }

    /// A user whom this call makes, not yet written.
    ///
    /// - Parameter id: our own identifier, where it was drawn before.
    func newUser(_ id: UserID? = nil) throws -> User {
        User(
            id: id ?? random.identifier(), directoryID: directory,
            externalIdentifiers: try call.newIdentifiers(by: random), createdAt: now)
    }

    /// An identifier that sorts by time: for rows that strangers are not shown (see ``RandomSource/uuid(at:)``).
    func identifier<Tag>() -> Identifier<Tag> { random.identifier(at: now) }
}

extension AccountPorts {
    /// Runs `body` as one transaction of the call, and returns once it is durable: see ``AccountStoring/write(_:)``.
    ///
    /// - Throws: What `body` throws, and a taken address, name or identifier in the domain's words, such as
    ///   ``AuthErrorCode/emailExists``.
    public func write<Value: Sendable>(
        _ call: CallContext, _ body: @Sendable @escaping (FlowStep) throws -> Value
    ) async throws -> Value {
        do {
            return try await store.write { try body(FlowStep(call, $0, self)) }
        } catch let conflict as StoreConflict {
            throw AuthError(taken: conflict)
        }
    }

    /// As ``write(_:_:)``, and does `work` meanwhile: see ``AccountStoring/write(_:while:)``.
    func write<Value: Sendable, Made>(
        _ call: CallContext, _ body: @Sendable @escaping (FlowStep) throws -> Value,
        while work: () async throws -> Made
    ) async throws -> (Value, Made) {
        do {
            return try await store.write({ try body(FlowStep(call, $0, self)) }, while: work)
        } catch let conflict as StoreConflict {
            throw AuthError(taken: conflict)
        }
    }
}
