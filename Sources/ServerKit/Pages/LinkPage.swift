// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// What a mailed link opens: a page that says what the link is for, and a button that does it.
///
/// Whatever fetches links by itself, such as the scanner of a mail system, thereby changes nothing (OWASP ASVS 5.0,
/// 3.5.3; RFC 9110, section 9.2.1). The page runs nothing, fetches nothing, and tells nobody its address, which has the
/// link's token in it.
public struct LinkPage: Sendable {
    public var proof: InspectedProof
    public var brand: PageBrand
    public var language: MessageLanguage
    /// Where the form goes, relative to the page: one or more path segments.
    public var action: String
    /// What the form sends back.
    public var fields: [(name: String, value: String)]
    /// Where the answer to the form leads.
    public var target: String?
    /// Where the same page is in each language.
    public var languages: [(language: MessageLanguage, url: String)] = []

    public init(
        _ proof: InspectedProof, brand: PageBrand, language: MessageLanguage, action: String,
        fields: [(name: String, value: String)], target: String?
    ) {
        self.proof = proof
        self.brand = brand
        self.language = language
        self.action = action
        self.fields = fields
        self.target = target
    }

    public var response: Response { frame.response(formTargets: PageFrame.formTargets(of: target)) }

    // MARK: Content

    var html: String { frame.html }

    private var frame: PageFrame {
        let lines: [HTML] = details.map { #"<p class="lead">\#($0)</p>"# }
        var frame = PageFrame(
            title: text(title), brand: brand, language: language,
            content: """
                \(lines)
                <form method="post" action="\(action)">
                \(PageFrame.hiddenInputs(fields))
                <button type="submit">\(text(button))</button>
                </form>
                <p class="note">\(text(.linkNote))</p>
                """)
        frame.languages = languages
        return frame
    }

    private var title: MessageKey {
        switch proof.purpose {
        case .signUpConfirmation: .linkConfirm
        case .invitation: .linkInvitation
        case .recovery: .linkRecovery
        case .unlock: .linkUnlock
        case .export: .linkExport
        case .factorRecoveryStop: .linkStopRecovery
        case .emailChangeCurrent, .emailChangeNew: .linkEmailChange
        case .magicLink, .phoneSignIn, .phoneChange, .reauthentication: .linkSignIn
        }
    }

    /// Where it is more than the way on, it says what it does.
    private var button: MessageKey {
        switch proof.purpose {
        case .export: .linkExportButton
        case .factorRecoveryStop: .linkStopRecoveryButton
        default: .linkButton
        }
    }

    private var details: [HTML] {
        var lines = [html(.linkSent, ["address": proof.recipient, "site": brand.name])]
        if proof.purpose == .export { lines.append(html(.linkExportNote, [:])) }
        if let wanted = proof.newEmail { lines.append(html(.linkNewAddress, ["address": wanted.rawValue])) }
        if let signUp = proof.signUp {
            let time = signUp.at.minute
            lines.append(
                HTML(
                    signUp.place.map { text(.linkSignedUpFrom, ["time": time, "place": $0]) }
                        ?? text(.linkSignedUp, ["time": time])))
        }
        return lines
    }

    private func html(_ key: MessageKey, _ values: [String: String]) -> HTML {
        MessageCatalog.html(key, in: language, values: values)
    }

    private func text(_ key: MessageKey, _ values: [String: String] = [:]) -> String {
        MessageCatalog.text(key, in: language, values: values) ?? ""
    }

    // MARK: Form

    /// Refuses a form that another site's page sent: whoever has a link of their own could sign a visitor of theirs in
    /// with it. Browsers that say nothing of where a form comes from are let through, and so is what is no browser.
    ///
    /// - Parameter url: where clients reach the server. A proxy in front may have rewritten the request's own name.
    /// - Throws: ``AuthErrorCode/forbidden``.
    public static func requireOwnForm(_ headers: HTTPFields, authority: String?, url: String) throws(AuthError) {
        guard let origin = headers[.origin] else { return }
        let own = authority.map { ["https://" + $0, "http://" + $0] } ?? []
        guard own.contains(origin) || url == origin || origin.contains("://") && url.hasPrefix(origin + "/") else {
            throw AuthError(.forbidden, reason: "a form of another site's")
        }
    }
}
