// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// Asks whoever is signed in before one of several things of theirs goes: an account elsewhere, a factor, a passkey.
struct RemovalPage: Sendable {
    /// The page that lists those there are.
    var list: String
    var page: AccountErrand.Page
    /// What the session has to have shown for it.
    var deed: FindMissingProof.Deed
    var title: PageText
    /// Said once it is gone.
    var notice: AccountNotice
    /// That it was gone before, as it was to be.
    var missing: AuthErrorCode
    /// What is asked of the user about the one of this identifier; `nil` where they have no such thing.
    var question: @Sendable (_ item: String, AuthenticatedUser, PageCall) async throws -> HTML?
    var remove: @Sendable (_ item: String, AuthenticatedUser, PageCall) async throws -> Void

    func get(_ call: PageCall) async throws -> Response {
        let errand = errand(call)
        guard let form = try await form(errand, owner(errand, call), call) else {
            return call.redirect(to: call.url(list))
        }
        return form.response
    }

    func post(_ call: PageCall) async throws -> Response {
        let errand = errand(call)
        let owner = try await owner(errand, call)
        guard let form = try await form(errand, owner, call) else { return call.redirect(to: call.url(list)) }
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            try await remove(errand.item ?? "", owner, call)
        } catch let error as AuthError where error.code == missing {
            // It is gone, as it was to be.
        } catch let error as AuthError where error.code == .lastWayIn {
            return form.refused(error, secret: "").response
        } catch let error as AuthError {
            throw call.orDetour(error, on: errand)
        }
        return call.redirect(to: call.url(list, [("notice", notice.rawValue)]))
    }

    private func errand(_ call: PageCall) -> AccountErrand { AccountErrand(page, item: call.item) }

    private func owner(_ errand: AccountErrand, _ call: PageCall) async throws -> AuthenticatedUser {
        try await call.owner(on: errand, doing: deed).authenticated
    }

    private func form(
        _ errand: AccountErrand, _ owner: AuthenticatedUser, _ call: PageCall
    ) async throws -> PageForm? {
        guard let lead = try await question(errand.item ?? "", owner, call) else { return nil }
        var form = PageForm(call, .account, title: call.text(title), button: call.text(.remove))
        form.isWorded = false
        form.lead = lead
        form.parameters = errand.parameters
        form.below =
            #"<p class="pair"><a class="button quiet" href="\#(call.url(list))">\#(call.text(.cancel))</a></p>"#
        return form
    }
}
