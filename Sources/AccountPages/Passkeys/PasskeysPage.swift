// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `passkeys`: those of whoever is signed in; `passkeys/remove`: asks before one goes.
enum PasskeysPage {
    static let path = AccountErrand(.passkeys).path
    static let removePath = AccountErrand(.removePasskey).path

    /// Whoever is signed in, where the Directory has passkeys.
    ///
    /// - Throws: `Detour`, to the account's first page where there are none.
    static func owner(
        on errand: AccountErrand, doing deed: FindMissingProof.Deed? = nil, _ call: PageCall
    ) async throws -> AuthenticatedUser {
        let owner = try await call.owner(on: errand, doing: deed).authenticated
        guard call.flow.settings.passkeys.enabled else { throw Detour(response: call.redirect(to: call.url(""))) }
        return owner
    }

    /// `nil` for one that the user does not have.
    static func passkey(_ id: String?, of owner: AuthenticatedUser, _ call: PageCall) async throws -> Factor? {
        try await call.accounts.userPasskeys.list(of: owner.user.id, call: call.flow).first { $0.id.rawValue == id }
    }

    static func get(_ call: PageCall) async throws -> Response {
        let owner = try await owner(on: AccountErrand(.passkeys), call)
        let passkeys = try await call.accounts.userPasskeys.list(of: owner.user.id, call: call.flow)
        let adding: HTML? =
            try await call.takesPasskeys()
            ? #"<p><a class="button quiet" href="\#(call.url(NewPasskeyPage.path))">\#(call.text(.passkeyAdd))</a></p>"#
            : nil
        var frame = PageFrame(
            title: call.text(.passkeys), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.text(.passkeysLead))</p>
                \(call.accountNotice)
                \(list(passkeys, call))
                \(adding)
                <p class="below"><a href="\(call.url(""))">\(call.text(.back))</a></p>
                """)
        frame.isWide = true
        frame.languages = call.languages(path)
        return frame.response()
    }

    private static func list(_ passkeys: [Factor], _ call: PageCall) -> HTML {
        guard !passkeys.isEmpty else { return "<p>\(call.text(.noPasskeys))</p>" }
        let items: [HTML] = passkeys.map { passkey in
            let name = label(of: passkey, call)
            let times = [
                call.text(.passkeySince, ["time": passkey.createdAt.pageTime]),
                passkey.lastUsedAt.map { call.text(.lastUsed, ["time": $0.pageTime]) },
            ].compactMap(\.self).joined(separator: " · ")
            func link(_ path: String, _ text: PageText) -> HTML {
                let url = call.url(path, [(AccountErrand.itemName, passkey.id.rawValue)])
                let spoken = "\(name): \(call.text(text))"
                return #"<a class="button quiet small" href="\#(url)" aria-label="\#(spoken)">\#(call.text(text))</a>"#
            }
            return """
                <li><div>\(name)<small>\(times)</small></div>
                <span class="row">\(link(PasskeyNamePage.path, .rename))\(link(removePath, .remove))</span></li>
                """
        }
        return "<ul class=\"plain\">\n\(items)\n</ul>"
    }

    static func label(of passkey: Factor, _ call: PageCall) -> String {
        passkey.name.flatMap { $0.isEmpty ? nil : $0 } ?? call.text(.passkey)
    }

    // MARK: Removal

    static func askRemoval(_ call: PageCall) async throws -> Response {
        let (_, _, passkey) = try await removal(call)
        guard let passkey else { return call.redirect(to: call.url(path)) }
        return removalForm(passkey, call).response
    }

    static func remove(_ call: PageCall) async throws -> Response {
        let (errand, owner, passkey) = try await removal(call)
        guard let passkey else { return call.redirect(to: call.url(path)) }
        let form = removalForm(passkey, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            _ = try await call.accounts.userPasskeys.remove(passkey.id, of: owner, call: call.flow)
        } catch let error as AuthError where error.code == .factorNotFound {
            // It is gone, as it was to be.
        } catch let error as AuthError where error.code == .lastWayIn {
            return form.refused(error, secret: "").response
        } catch let error as AuthError {
            throw call.orDetour(error, on: errand)
        }
        return call.redirect(to: call.url(path, [("notice", AccountNotice.passkeyRemoved.rawValue)]))
    }

    private static func removal(
        _ call: PageCall
    ) async throws -> (errand: AccountErrand, owner: AuthenticatedUser, passkey: Factor?) {
        let errand = AccountErrand(.removePasskey, item: call.item)
        let owner = try await owner(on: errand, doing: .factors, call)
        return (errand, owner, try await passkey(call.item, of: owner, call))
    }

    private static func removalForm(_ passkey: Factor, _ call: PageCall) -> PageForm {
        var form = PageForm(call, .account, title: call.text(.passkeyRemoveTitle), button: call.text(.remove))
        form.isWorded = false
        form.lead = call.html(.passkeyRemoveLead, ["passkey": label(of: passkey, call)])
        form.parameters = [(AccountErrand.itemName, passkey.id.rawValue)]
        form.below =
            #"<p class="pair"><a class="button quiet" href="\#(call.url(path))">\#(call.text(.cancel))</a></p>"#
        return form
    }
}
