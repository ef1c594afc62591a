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
        try requirePasskeys(call)
        return owner
    }

    private static func requirePasskeys(_ call: PageCall) throws {
        guard call.flow.settings.passkeys.enabled else { throw Detour(response: call.redirect(to: call.url(""))) }
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

    static let removal = RemovalPage(
        list: path, page: .removePasskey, deed: .factors, title: .passkeyRemoveTitle, notice: .passkeyRemoved,
        missing: .factorNotFound
    ) { item, owner, call in
        try requirePasskeys(call)
        return try await passkey(item, of: owner, call).map {
            call.html(.passkeyRemoveLead, ["passkey": label(of: $0, call)])
        }
    } remove: { item, owner, call in
        _ = try await call.accounts.userPasskeys.remove(FactorID(item), of: owner, call: call.flow)
    }
}
