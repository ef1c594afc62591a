// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// What a form asks the browser's authenticator, by ``PasskeyScript``: a button that is there only once the script is.
struct PasskeyAsking: Sendable {
    enum Ceremony: String, Sendable {
        case get
        case create
    }

    static let challengeName = "challenge"
    static let answerName = "answer"
    private static let saidID = "passkey-said"

    var ceremony = Ceremony.get
    /// Where the script fetches what the authenticator is asked: see ``question(_:)``.
    var question: String
    var button: String
    /// Whether the form has nothing else to send.
    var isAlone = false
    /// Whether the browser may offer it among what it fills in.
    var isOffered = false

    // MARK: Markup

    /// Of the form's tag.
    var attributes: HTML {
        #" data-passkey="\#(ceremony.rawValue)" data-question="\#(question)"\#(isOffered ? " data-autofill" as HTML : "")"#
    }

    /// What the form shows of it. Where the script does not run it says so, unless there are other ways.
    func block(_ call: PageCall) -> HTML {
        let without: HTML? = isAlone ? #"<p class="without notice bad">\#(call.text(.passkeyNoScript))</p>"# : nil
        let style: HTML? = isAlone ? nil : #" class="quiet""#
        return """
            \(without)<div class="passkey" hidden>
            <button\(style) type="submit" aria-describedby="\(Self.saidID)">\(button)</button>
            <p class="refusal" id="\(Self.saidID)" role="alert" data-stopped="\(call.text(.passkeyStopped))" \
            data-failed="\(call.text(.passkeyFailed))" data-known="\(call.text(.passkeyKnown))"></p>
            </div>
            """
    }

    // MARK: What the script sends and is sent

    /// The answer to the script that asks what it is to ask.
    static func response(_ question: WebAuthnQuestion) throws -> Response {
        let object: JSONObject = [
            challengeName: .string(question.challenge.id.rawValue), "options": .object(question.options),
        ]
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: object.serialized())))
    }

    /// What the form brings of an authenticator; `nil` where it brings nothing.
    ///
    /// - Throws: ``AuthErrorCode/factorCodeInvalid`` for what can be none.
    static func answer(_ call: PageCall) throws(AuthError) -> (challenge: FactorChallengeID, answer: JSONObject)? {
        guard let text = call.form[answerName], !text.isEmpty else { return nil }
        guard let challenge = call.form[challengeName], let answer = try? JSONObject(parsing: Array(text.utf8)) else {
            throw AuthError(.factorCodeInvalid, reason: "no answer of an authenticator")
        }
        return (FactorChallengeID(challenge), answer)
    }
}

extension PageForm {
    /// With what is the matter with an authenticator's answer.
    func refusedAnswer(_ error: AuthError) -> PageForm {
        var form = self
        let text: PageText? =
            switch error.code {
            case .passkeyRefused, .factorCodeInvalid: .passkeyRefused
            case .factorChallengeNotFound, .factorChallengeExpired, .factorCodeUsed: .passkeyLate
            case .factorDisabled: .passkeyNoScript
            default: nil
            }
        guard let text else { return refused(error, secret: "") }
        form.refusals.append(call.text(text))
        return form
    }
}

extension PageCall {
    /// Whether pages here can ask for the Directory's passkeys and security keys.
    func asksAuthenticators() async throws -> Bool {
        guard flow.settings.passkeys.enabled || flow.settings.factors.webAuthn != .off else { return false }
        // Behind what rewrites names, the browser came by another than the request has.
        return try await [browserOrigin, origin()].compactMap(\.self).contains { flow.asksAuthenticators(at: $0) }
    }

    /// Whether people sign in by passkeys here.
    func takesPasskeys() async throws -> Bool {
        guard flow.settings.passkeys.enabled else { return false }
        return try await asksAuthenticators()
    }
}
