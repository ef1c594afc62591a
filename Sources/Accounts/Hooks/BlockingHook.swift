// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A program of the operator's that is asked at one moment, in one vendor's form.
public struct BlockingHook: Sendable {
    /// What the vendor calls it.
    public var name: String
    public var moment: HookMoment
    /// Whose form it has.
    public var dialect: DialectName
    /// The Directory's name.
    public var directory: String
    /// Where it is, for forms whose signature says for whom it is.
    public var url: String
    let secrets: [WebhookSecret]
    let caller: any HookCalling

    public init(
        name: String, moment: HookMoment, dialect: DialectName, directory: String, url: String = "",
        secrets: [WebhookSecret], caller: any HookCalling
    ) {
        self.name = name
        self.moment = moment
        self.dialect = dialect
        self.directory = directory
        self.url = url
        self.secrets = secrets
        self.caller = caller
    }

    /// Asks once.
    ///
    /// - Returns: `nil` where the form does not ask it.
    /// - Throws: ``AuthErrorCode/hookFailed``.
    func ask(
        _ question: HookQuestion, in form: any HookForm, random: any RandomSource
    ) async throws -> HookAnswer? {
        let id = question.id ?? random.uuid()
        guard let body = try await form.body(question, hook: self, id: id) else { return nil }
        let fields = secrets.isEmpty ? [] : secrets.fields(id: id, at: question.call.now, body)
        let reply: HookReply
        do throws(HookCallFailure) {
            reply = try await caller.post(body, fields: fields)
        } catch {
            throw switch error {
            case .timedOut: HookFailure.timedOut.error(error.rawValue)
            case .tooLarge: HookFailure.tooLarge.error(error.rawValue)
            case .unreachable, .busy, .cancelled: HookFailure.unreachable.error(error.rawValue)
            }
        }
        return try form.answer(reply, to: question, hook: self)
    }
}

/// The forms of the dialects that a program speaks. They are made after the flows that ask in them.
public final class HookForms: Sendable {
    private let forms = Mutex<[DialectName: any HookForm]>([:])

    public init() {}

    public func add(_ form: any HookForm, of dialect: DialectName) { forms.withLock { $0[dialect] = form } }

    subscript(dialect: DialectName) -> (any HookForm)? { forms.withLock { $0[dialect] } }
}
