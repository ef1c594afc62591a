// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What the operator's programs are told and asked, as the configuration of the server says: the same for as long as it
/// runs.
public struct Hooks: Sendable {
    public var subscriptions: [EventSubscription]
    public var blocking: [BlockingHook]
    public let forms = HookForms()

    public init(subscriptions: [EventSubscription] = [], blocking: [BlockingHook] = []) {
        self.subscriptions = subscriptions
        self.blocking = blocking
    }

    /// The names of the Directories that it is about.
    public var directories: Set<String> { Set(subscriptions.map(\.directory) + blocking.map(\.directory)) }

    func subscriptions(to event: AccountEvent, in directory: Directory) -> [EventSubscription] {
        subscriptions.filter { $0.directory == directory.name && $0.events?.contains(event) ?? true }
    }

    /// Whether anybody is asked anything in a Directory.
    func asks(in directory: Directory) -> Bool { blocking.contains { $0.directory == directory.name } }

    /// Who is asked at a moment of a call; of a token, whoever has the form of the call's dialect.
    func blocking(_ moment: HookMoment, _ call: CallContext) -> [BlockingHook] {
        blocking.filter {
            $0.moment == moment && $0.directory == call.directory.name
                && (moment != .token || $0.dialect == call.dialect)
        }
    }

    /// Asks everybody who is to be asked, one after the other, until somebody says no. A later one's changes go over an
    /// earlier one's.
    ///
    /// - Throws: what it takes to make the question: ``AuthErrorCode/unavailable``, `CancellationError`.
    func ask(_ question: HookQuestion, random: any RandomSource) async throws -> HookDecision {
        var decision = HookDecision()
        for hook in blocking(question.moment, question.call) {
            let answer: HookAnswer?
            do {
                // One without its form is a program that was put together wrongly, and nobody is let past it.
                guard let form = forms[hook.dialect] else { throw HookFailure.unreachable.error("no form") }
                answer = try await hook.ask(question, in: form, random: random)
            } catch let error as AuthError where error.code == .hookFailed {
                decision.refusal = AuthError(
                    error.code, reason: "\(hook.name): \(error.reason ?? "")", field: error.field)
                return decision
            }
            switch answer {
            case nil: break
            case .allowed(let changes): decision.changes.append((hook.dialect, changes))
            case .refused(let message, let status, let endsSessions):
                decision.endsSessions = endsSessions
                decision.refusal = AuthError(
                    .hookRefused, reason: hook.name, field: question.moment.rawValue, message: message,
                    messageStatus: status)
                return decision
            }
        }
        return decision
    }
}

/// What the answers of those who were asked come to.
struct HookDecision: Sendable {
    /// By whose form, in the order in which they were asked.
    var changes: [(dialect: DialectName, changes: HookChanges)] = []
    /// ``AuthErrorCode/hookRefused`` with what is to be said, and the moment as its field;
    /// ``AuthErrorCode/hookFailed``, whose field is a ``HookFailure``, where the moment fails closed.
    var refusal: AuthError?
    var endsSessions = false

    /// - Throws: ``refusal``.
    func get() throws(AuthError) -> [(dialect: DialectName, changes: HookChanges)] {
        if let refusal { throw refusal }
        return changes
    }
}
