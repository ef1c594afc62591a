// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Has programs of the operator's word mails and text messages with a code, and send them, in the Directories that have
/// one for that. They are asked from the outbox: what one does not take is tried again, and nothing is called sent that
/// was not taken.
public struct HookedLetters: LetterTransport {
    private let ports: AccountPorts
    private let links: any VerificationLinks

    public init(_ ports: AccountPorts, links: any VerificationLinks) {
        self.ports = ports
        self.links = links
    }

    /// - Throws: ``ProgramTransportError``: refused where one says no, unavailable where it gives no answer.
    public func deliver(
        _ letter: Letter, isText: Bool, isCarried: Bool, in directory: DirectoryID, id: OutboxMessageID,
        at now: Instant
    ) async throws -> Letter? {
        let moment: HookMoment = isText ? .text : .mail
        guard ports.hooks.blocking.contains(where: { $0.moment == moment || $0.moment == .wording }),
            let place = try await ports.store.read({ try $0.directory(directory) })
        else { return letter }
        let call = CallContext(
            directory: place, now: now, device: DeviceMetadata(), language: .en, links: links)
        let isSent = !ports.hooks.blocking(moment, call).isEmpty
        // What is only kept to be read nobody words.
        let isWorded = letter.code != nil && (isCarried || isSent) && !ports.hooks.blocking(.wording, call).isEmpty
        guard isSent || isWorded else { return letter }
        let subject = try await ports.store.read { [letter] in try Self.subject(of: letter, in: directory, $0) }
        var letter = letter
        if isWorded, let subject {
            for changes in try await ask(HookQuestion(.wording(letter, subject, isText: isText), call: call)) {
                letter = changes.letter ?? letter
            }
        }
        guard isSent else { return letter }
        let question = HookQuestion(
            isText ? .text(letter, subject) : .mail(letter, subject), call: call, id: id.rawValue)
        _ = try await ask(question)
        return nil
    }

    /// Whose account it is about; `nil` for one that is over.
    private static func subject(
        of letter: Letter, in directory: DirectoryID, _ tx: any StoreReading
    ) throws -> HookQuestion.Subject? {
        guard let id = letter.user, let user = try tx.user(id, in: directory), user.deletedAt == nil else {
            return nil
        }
        return HookQuestion.Subject(user, try LocalIdentities.all(of: user, tx))
    }

    private func ask(_ question: HookQuestion) async throws -> [HookChanges] {
        let decision = try await ports.hooks.ask(question, random: ports.random)
        switch decision.refusal {
        case nil: return decision.changes.map(\.changes)
        case let refusal? where refusal.code == .hookRefused:
            throw ProgramTransportError.refused("the hook refused it")
        case let failure?: throw ProgramTransportError.unavailable(failure.reason ?? "no answer")
        }
    }
}
