// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `passkeys/new`: another passkey of whoever is signed in. It is called as the browser is, until its owner says
/// otherwise.
enum NewPasskeyPage {
    static let path = "/passkeys/new"
    static let questionPath = "/passkeys/new/question"
    private static let errand = AccountErrand(.newPasskey)

    static func get(_ call: PageCall) async throws -> Response {
        _ = try await PasskeysPage.owner(on: errand, doing: .enrolment, call)
        return try await form(call).response
    }

    /// What the script asks the authenticator to make.
    static func question(_ call: PageCall) async throws -> Response {
        try call.requireForm(of: path)
        let owner = try await PasskeysPage.owner(on: errand, doing: .enrolment, call)
        return try PasskeyAsking.response(try await call.accounts.registerPasskey.begin(for: owner, call: call.flow))
    }

    static func post(_ call: PageCall) async throws -> Response {
        let owner = try await PasskeysPage.owner(on: errand, doing: .enrolment, call)
        let form = try await form(call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            guard let (challenge, answer) = try PasskeyAsking.answer(call) else {
                throw AuthError(.factorDisabled, reason: "no answer: the page's script did not run")
            }
            _ = try await call.accounts.registerPasskey.complete(
                challenge, answer, named: try await name(for: owner.user, call), of: owner, call: call.flow)
        } catch let error as AuthError {
            let mapped = call.orDetour(error, on: errand)
            guard mapped is AuthError, error.isSaid else { throw mapped }
            return form.refusedAnswer(error).response
        }
        return call.redirect(to: call.url(PasskeysPage.path, [("notice", AccountNotice.passkeyAdded.rawValue)]))
    }

    private static func form(_ call: PageCall) async throws -> PageForm {
        var form = PageForm(call, .account, title: call.text(.passkeyNew), button: "")
        form.isWorded = false
        form.lead = call.html(.passkeyNewLead)
        form.passkey = PasskeyAsking(
            ceremony: .create, question: call.url(questionPath), button: call.text(.passkeyMake), isAlone: true)
        form.below = #"<p class="below"><a href="\#(call.url(PasskeysPage.path))">\#(call.text(.back))</a></p>"#
        return form
    }

    /// The browser and its system, numbered where there is one of that name already; `nil` where nothing is known of
    /// it.
    private static func name(for user: User, _ call: PageCall) async throws -> String? {
        guard let base = call.flow.device.knownName else { return nil }
        let passkeys = try await call.accounts.userPasskeys.list(of: user.id, call: call.flow)
        let factors = try await call.accounts.userFactors.list(of: user.id, call: call.flow)
        let taken = Set((passkeys + factors).compactMap(\.name))
        let names = (1...Factor.mostOfUser + 1).lazy.map { $0 == 1 ? base : "\(base) \($0)" }
        return names.first { !taken.contains($0) && $0.utf8.count <= Factor.longestName }
    }
}
