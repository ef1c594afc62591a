// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Tries again what ``SynchronizeUser`` could not do at once: what the outbox owes to apps.
public struct WaitingSyncs: ProgramTransport {
    /// For how long it must be known what has ended (``IdentityEnds``): longer than anything waits.
    static let memory = TimeSpan(
        microseconds: DeliveryPolicy.of(.userSync).patience.microseconds + TimeSpan.days(1).microseconds)

    private let ports: AccountPorts
    private let links: any VerificationLinks

    /// - Parameter links: of messages to owners who are told of something.
    public init(_ ports: AccountPorts, links: any VerificationLinks) {
        self.ports = ports
        self.links = links
    }

    /// What is done is noted in the transaction that does it: a process that dies in between has done neither.
    ///
    /// - Throws: ``ProgramTransportError``.
    public func deliver(_ sync: UserSync, id: OutboxMessageID, at now: Instant) async throws {
        let directory = try await ports.store.read { tx in
            try tx.outboxMessage(id).flatMap { try tx.directory($0.directoryID) }
        }
        guard let directory else { throw ProgramTransportError.refused(AuthErrorCode.notFound.rawValue) }
        let call = CallContext(
            directory: directory, now: now, device: DeviceMetadata(), language: .en, links: links, dialect: sync.dialect
        )
        // Nobody has tried it for so long that what has ended since is forgotten.
        guard now - sync.receivedAt < Self.memory else {
            throw ProgramTransportError.refused(AuthErrorCode.identityTokenInvalid.rawValue)
        }
        do {
            let judged = try await SynchronizeUser(ports).judged(sync, call)
            let refusal: AuthError? = try await ports.write(call) { step in
                // Another worker had it in hand, or an operator has taken it away.
                guard var message = try step.tx.outboxMessage(id), message.state == .pending else { return nil }
                switch try SynchronizeUser.apply(judged, of: sync, step) {
                case .failure(let refusal): return refusal
                case .success(let outcome):
                    var done = sync
                    done.user = outcome.record.user.id
                    message.content = .userSync(done)
                    (message.state, message.sentAt, message.lastError) = (.sent, step.now, nil)
                    message.attempts += 1
                    message.erase()
                    try step.tx.update(message)
                    return nil
                }
            }
            if let refusal { throw refusal }
        } catch let error as AuthError {
            throw SynchronizeUser.isPassing(error)
                ? ProgramTransportError.unavailable(error.code.rawValue)
                : ProgramTransportError.refused(error.code.rawValue)
        }
    }
}
