// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `/dev/identity-provider`: who is played, how scripts go about it, and who has agreed to what, to be revoked.
enum OverviewPage {
    static func get(_ call: Call) async throws -> Response { page(call, notice: nil) }

    static func revoke(_ call: Call) async throws -> Response {
        try FormToken.requireOwnForm(call.headers, authority: call.authority, url: call.url)
        guard let vendor = Vendor(rawValue: try call.required("provider")) else { throw AuthError(.notFound) }
        let subject = try call.required("subject")
        guard
            let consent = call.book.consents.first(where: { $0.vendor == vendor && $0.person.subject == subject })
        else { throw AuthError(.notFound) }
        _ = try await Withdrawal(person: consent.person, vendor: vendor, event: .revoked).carryOut(call)
        return page(call, notice: .revoked)
    }

    private static func page(_ call: Call, notice: Wording?) -> Response {
        func say(_ wording: Wording) -> String { wording.text(in: call.language) }
        let consents: [HTML] = call.book.consents.map { consent in
            """
            <li><div>\(consent.person.label)<small>\(consent.vendor.title), \(consent.clientID)</small></div>
            <form method="post" action="\(DevelopmentIdentityProvider.path)/revoke">
            \(PageFrame.hiddenInputs([("provider", consent.vendor.rawValue), ("subject", consent.person.subject)]))
            <button class="small quiet">\(say(.revoke))</button></form></li>
            """
        }
        let told: HTML? = notice.map { #"<div class="notice" role="status"><p>\#(say($0))</p></div>"# }
        let agreed: HTML =
            consents.isEmpty
            ? "<p>\(say(.noConsents))</p>"
            : #"<ul class="plain">\#(consents)</ul><p class="note">\#(say(.revokeHint))</p>"#
        let vendors: [HTML] = Vendor.allCases.map { "<li>\($0.title)</li>" }
        var frame = PageFrame(
            title: say(.overviewTitle), brand: Vendor.brand(nil), language: call.language,
            content: """
                \(told)
                <p class="lead">\(say(.overviewLead))</p>
                <h2>\(say(.vendors))</h2>
                <ul class="ticks">
                \(vendors)
                </ul>
                <p><a href="/dev">\(say(.settings))</a></p>
                <h2>\(say(.consents))</h2>
                \(agreed)
                <p class="note">\(say(.scripts))<br>
                POST \(DevelopmentIdentityProvider.path)/id-token {"provider": "google", "subject": "ada@example.com", "nonce": "…"}</p>
                """)
        frame.isWide = true
        frame.languages = MessageLanguage.allCases.map {
            ($0, DevelopmentIdentityProvider.path + "?language=\($0.rawValue)")
        }
        return frame.response()
    }
}
