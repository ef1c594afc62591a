// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// The sign-in page's other half: whoever has a passkey signs in by it, and says nothing of who they are. The browser's
/// cookie is part of the question, so that an answer is worth nothing in another.
enum PasskeySignInPage {
    static let questionPath = "/sign-in/passkey"
    private static let page = "/sign-in"

    static func asking(_ call: PageCall) -> PasskeyAsking {
        PasskeyAsking(question: call.url(questionPath), button: call.text(.passkeySignIn), isOffered: true)
    }

    /// `sign-in/passkey`: what the script asks the authenticator. Of whoever is to prove once more who they are, their
    /// own passkeys alone.
    static func question(_ call: PageCall) async throws -> Response {
        try call.requireForm(of: page)
        try call.requireOwnSignIn()
        let session = call.errand == nil ? nil : try await call.session()
        return try PasskeyAsking.response(try await ask(session?.user.id, call))
    }

    /// - Parameter user: whose passkey it is to be; `nil` for anybody's.
    static func ask(_ user: UserID?, _ call: PageCall) async throws -> WebAuthnQuestion {
        let binding = call.browser.text
        guard let user else { return try await call.accounts.passkeySignIn.begin(boundTo: binding, call: call.flow) }
        return try await call.accounts.passkeySignIn.begin(as: .user(user), boundTo: binding, call: call.flow)
    }

    /// Goes on as whoever a passkey says they are; `nil` where the form brings no answer of one.
    static func answered(_ form: PageForm, _ call: PageCall, stays: Bool = false) async throws -> Response? {
        do {
            guard let (challenge, answer) = try PasskeyAsking.answer(call) else { return nil }
            try call.requireOwnSignIn()
            let next = try await call.accounts.passkeySignIn(
                challenge, answer, boundTo: call.browser.text, call: call.flow)
            return try await call.conclude(next, name: next.user.label, stays: stays)
        } catch let error as AuthError where error.isSaid {
            return form.refusedAnswer(error).response
        }
    }
}
