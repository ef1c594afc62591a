// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `passkeys/name`: what its owner calls a passkey, to know it by in the list.
enum PasskeyNamePage {
    static let path = AccountErrand(.namePasskey).path
    private static let nameName = "name"

    static func get(_ call: PageCall) async throws -> Response {
        let (_, passkey) = try await place(call)
        guard let passkey else { return call.redirect(to: call.url(PasskeysPage.path)) }
        return form(passkey.name ?? "", call).response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let (owner, passkey) = try await place(call)
        guard let passkey else { return call.redirect(to: call.url(PasskeysPage.path)) }
        let name = (call.form[nameName] ?? "").trimmed
        var form = form(name, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            guard !name.isEmpty else { throw AuthError(.invalidRequest, field: nameName) }
            _ = try await call.accounts.userPasskeys.rename(passkey.id, to: name, of: owner, call: call.flow)
        } catch let error as AuthError where error.code == .factorNotFound {
            // It has gone meanwhile, as the list will show.
            return call.redirect(to: call.url(PasskeysPage.path))
        } catch let error as AuthError where [.factorNameExists, .invalidRequest].contains(error.code) {
            let text: PageText =
                error.code == .factorNameExists ? .passkeyNameTaken : name.isEmpty ? .fieldMissing : .fieldInvalid
            form.fields[0].refusal = call.text(text)
            return form.response
        } catch let error as AuthError {
            throw call.orDetour(error, on: AccountErrand(.namePasskey, item: call.item))
        }
        return call.redirect(to: call.url(PasskeysPage.path, [("notice", AccountNotice.passkeyNamed.rawValue)]))
    }

    private static func place(_ call: PageCall) async throws -> (owner: AuthenticatedUser, passkey: Factor?) {
        let errand = AccountErrand(.namePasskey, item: call.item)
        let owner = try await PasskeysPage.owner(on: errand, call)
        return (owner, try await PasskeysPage.passkey(call.item, of: owner, call))
    }

    private static func form(_ name: String, _ call: PageCall) -> PageForm {
        var form = PageForm(call, .account, title: call.text(.passkeyName), button: call.text(.save))
        form.isWorded = false
        form.parameters = call.item.map { [(AccountErrand.itemName, $0)] } ?? []
        form.lead = call.html(.passkeyNameLead)
        // Not the user's own name, and nothing that a browser knows.
        form.fields = [
            PageField(name: nameName, label: call.text(.passkeyNameLabel), autocomplete: "nickname", value: name)
        ]
        form.fields[0].maximumLength = Factor.longestName
        form.below =
            #"<p class="pair"><a class="button quiet" href="\#(call.url(PasskeysPage.path))">\#(call.text(.cancel))</a></p>"#
        return form
    }
}
