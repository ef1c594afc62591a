// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Has a program of the operator's send mails or text messages, in the Directories that have one for that. It is asked from
/// the outbox: what it does not take is tried again, and nothing is called sent that it has not taken.
public struct HookedLetters: LetterTransport {
    private let ports: AccountPorts
    private let links: any VerificationLinks

    public init(_ ports: AccountPorts, links: any VerificationLinks) {
        self.ports = ports
        self.links = links
    }

    /// - Throws: ``ProgramTransportError``: refused where it says no, unavailable where it gives no answer.
    public func deliver(
        _ letter: Letter, isText: Bool, in directory: DirectoryID, id _: OutboxMessageID, at now: Instant
    ) async throws -> Bool {
        guard ports.hooks.blocking.contains(where: { $0.moment == (isText ? .text : .mail) }),
            let place = try await ports.store.read({ try $0.directory(directory) })
        else { return false }
        let call = CallContext(
            directory: place, now: now, device: DeviceMetadata(), language: .en, links: links)
        guard !ports.hooks.blocking(isText ? .text : .mail, call).isEmpty else { return false }
        let subject = try await subject(of: letter, isText: isText, in: directory)
        let question = HookQuestion(isText ? .text(letter, subject) : .mail(letter, subject), call: call)
        let decision = try await ports.hooks.ask(question, random: ports.random)
        switch decision.refusal {
        case nil: return true
        case let refusal? where refusal.code == .hookRefused:
            throw ProgramTransportError.refused("the hook refused it")
        case let failure?: throw ProgramTransportError.unavailable(failure.reason ?? "no answer")
        }
    }

    /// Who has the address, or wants it; `nil` for nobody who can be told.
    private func subject(
        of letter: Letter, isText: Bool, in directory: DirectoryID
    ) async throws -> HookQuestion.Subject? {
        let identifier: SignInIdentifier? =
            isText
            ? (try? PhoneNumber(letter.recipient)).map { .phone($0) }
            : (try? EmailAddress(letter.recipient)).map { .email($0) }
        guard let identifier else { return nil }
        return try await ports.store.read { tx in
            guard let user = try tx.user(known: identifier, in: directory) else { return nil }
            return HookQuestion.Subject(user, try LocalIdentities.all(of: user, tx))
        }
    }
}
