// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `identities`: the accounts elsewhere by which whoever is signed in can sign in here. `identities/link` leads to the
/// provider of another, `identities/remove` asks before one goes.
enum IdentitiesPage {
    static let path = AccountErrand(.identities).path
    static let linkPath = "/identities/link"
    static let removePath = AccountErrand(.unlink).path
    private static let providerName = "provider"

    static func get(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: AccountErrand(.identities)).authenticated
        let identities = try await identities(of: owner, call)
        let offers = try await call.providers()
        let refusal = ProviderPage.refusal(call)
        let said: HTML? = refusal.map { #"<div class="notice bad" role="alert"><p>\#($0)</p></div>"# }
        var frame = PageFrame(
            title: call.text(.identities), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.text(.identitiesLead))</p>
                \(call.accountNotice)\(said)
                \(list(identities, offers, call))
                \(links(offers.filter { offer in !identities.contains { $0.provider == offer.name } }, call))
                <p class="below"><a href="\(call.url(""))">\(call.text(.back))</a></p>
                """)
        frame.isWide = true
        frame.languages = call.languages(path)
        return frame.response(formTargets: PageFrame.formTargets(of: call.pages.url.text))
    }

    private static func list(
        _ identities: [Identity], _ offers: [IdentityProviderCatalog.Offer], _ call: PageCall
    ) -> HTML {
        guard !identities.isEmpty else { return "<p>\(call.text(.noIdentities))</p>" }
        let items: [HTML] = identities.map { identity in
            let label = label(of: identity, offers)
            let url = call.url(removePath, [(AccountErrand.itemName, identity.id.rawValue)])
            return """
                <li><div>\(label)<small>\(identity.data["email"]?.stringValue ?? "")</small></div>
                <a class="button quiet small" href="\(url)" aria-label="\(call.text(.factorRemoveLabel, ["factor": label]))"
                >\(call.text(.remove))</a></li>
                """
        }
        return "<ul class=\"plain\">\n\(items)\n</ul>"
    }

    private static func links(_ offers: [IdentityProviderCatalog.Offer], _ call: PageCall) -> HTML? {
        guard !offers.isEmpty else { return nil }
        let buttons: [HTML] = offers.map { offer in
            let text = call.text(.identityLink, ["provider": offer.label])
            return
                #"<button class="quiet" type="submit" name="\#(providerName)" value="\#(offer.name)">\#(text)</button>"#
        }
        return """
            <form method="post" action="\(call.url(linkPath))">
            \(PageFrame.hiddenInputs([(FormToken.field, call.formToken(linkPath))]))
            <div class="pair">\(buttons)</div>
            </form>
            """
    }

    private static func label(of identity: Identity, _ offers: [IdentityProviderCatalog.Offer]) -> String {
        offers.first { $0.name == identity.provider }?.label ?? identity.provider
    }

    /// Those that are somebody else's word, and not the user's own address or number.
    private static func identities(of owner: AuthenticatedUser, _ call: PageCall) async throws -> [Identity] {
        let record = try await call.accounts.findUser.record(.user(owner.user.id), call: call.flow)
        return record?.identities.filter { !["email", "phone"].contains($0.provider) } ?? []
    }

    // MARK: Deeds

    static func link(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        let errand = AccountErrand(.identities)
        let owner = try await call.owner(on: errand, doing: .identities).authenticated
        do {
            return try await ProviderPage.link(call.form[providerName] ?? "", to: owner, call)
        } catch let error as AuthError {
            let mapped = call.orDetour(error, on: errand)
            guard mapped is AuthError, error.isSaid else { throw mapped }
            return call.redirect(to: call.url(path, [(ProviderPage.notice, error.code.rawValue)]))
        }
    }

    static let removal = RemovalPage(
        list: path, page: .unlink, deed: .identities, title: .identityRemoveTitle, notice: .unlinked,
        missing: .identityNotFound
    ) { item, owner, call in
        guard let identity = try await identities(of: owner, call).first(where: { $0.id.rawValue == item }) else {
            return nil
        }
        return call.html(.identityRemoveLead, ["provider": label(of: identity, try await call.providers())])
    } remove: { item, owner, call in
        _ = try await call.accounts.unlinkIdentity(IdentityID(item), of: owner, call: call.flow)
    }
}
