// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto
import HTTPTypes
import Hummingbird

/// What a mailed link opens: a page that says what the link is for, and a button that does it.
///
/// Whatever fetches links by itself, such as the scanner of a mail system, thereby changes nothing (OWASP ASVS 5.0,
/// 3.5.3; RFC 9110, section 9.2.1). The page runs nothing, fetches nothing, and tells nobody its address, which has the
/// link's token in it.
public struct LinkPage: Sendable {
    public var proof: InspectedProof
    public var siteName: String
    public var language: MessageLanguage
    /// Where the form goes, relative to the page: one or more path segments.
    public var action: String
    /// What the form sends back.
    public var fields: [(name: String, value: String)]
    /// Where the answer to the form leads.
    public var target: String?

    public init(
        _ proof: InspectedProof, siteName: String, language: MessageLanguage, action: String,
        fields: [(name: String, value: String)], target: String?
    ) {
        self.proof = proof
        self.siteName = siteName
        self.language = language
        self.action = action
        self.fields = fields
        self.target = target
    }

    public var response: Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.cacheControl] = "no-store"
        // The form's own request says where it comes from, so that a stranger's page can be told from this one; what
        // is said is the server's name and nothing of the path or the token.
        headers[.referrerPolicy] = "strict-origin"
        headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'sha256-\(Self.styleHash)'; base-uri 'none'; frame-ancestors 'none'; "
            + "form-action 'self'" + (Self.schemes(of: target))
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    // MARK: Content

    var html: String {
        let title = HTMLText.escaped(text(title))
        let lines = details.map { "<p>\(HTMLText.escaped($0))</p>" }.joined(separator: "\n")
        let inputs = fields.map { field in
            #"<input type="hidden" name="\#(HTMLText.escaped(field.name))" value="\#(HTMLText.escaped(field.value))">"#
        }
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <title>\(title) · \(HTMLText.escaped(siteName))</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            \(lines)
            <form method="post" action="\(HTMLText.escaped(action))">
            \(inputs.joined(separator: "\n"))
            <button type="submit">\(HTMLText.escaped(text(.linkButton)))</button>
            </form>
            <p class="note">\(HTMLText.escaped(text(.linkNote)))</p>
            </main>
            </body>
            </html>

            """
    }

    private var title: MessageKey {
        switch proof.purpose {
        case .signUpConfirmation: .linkConfirm
        case .invitation: .linkInvitation
        case .recovery: .linkRecovery
        case .emailChangeCurrent, .emailChangeNew: .linkEmailChange
        case .magicLink, .phoneSignIn, .phoneChange, .reauthentication: .linkSignIn
        }
    }

    private var details: [String] {
        var lines = [text(.linkSent, ["site": siteName, "address": proof.recipient])]
        if let wanted = proof.newEmail { lines.append(text(.linkNewAddress, ["address": wanted.rawValue])) }
        if let signUp = proof.signUp {
            // 2026-01-31 23:59 UTC
            let time = signUp.at.rfc3339.prefix(16).split(separator: "T").joined(separator: " ") + " UTC"
            lines.append(
                signUp.place.map { text(.linkSignedUpFrom, ["time": time, "place": $0]) }
                    ?? text(.linkSignedUp, ["time": time]))
        }
        return lines
    }

    private func text(_ key: MessageKey, _ values: [String: String] = [:]) -> String {
        MessageCatalog.text(key, in: language, values: values) ?? ""
    }

    // MARK: Form

    /// The schemes that the answer may lead to. Browsers hold a form to this through every redirect that follows, also
    /// those that the app's own site makes, so hosts can't be named here.
    private static func schemes(of target: String?) -> String {
        guard let scheme = target?.split(separator: ":", maxSplits: 1).first?.lowercased(),
            scheme.utf8.allSatisfy({
                (97...122).contains($0) || (48...57).contains($0) || "+-.".utf8.contains($0)
            })
        else { return "" }
        return scheme == "http" ? " http: https:" : " \(scheme):"
    }

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

    // MARK: Style

    private static let styleHash = Base64.encode(Array(SHA256.hash(data: Array(style.utf8))))

    private static let style = """
        :root{color-scheme:light dark;--ink:#1c2330;--dim:#525c6b;--paper:#fff;--wash:#f5f7fa;--accent:#1d5fd1;--on:#fff}
        @media(prefers-color-scheme:dark){:root{--ink:#e7ebf2;--dim:#a9b4c4;--paper:#141920;--wash:#1c232d;\
        --accent:#7fb0ff;--on:#0d1420}}
        body{margin:0;background:var(--wash);color:var(--ink);font:1.0625rem/1.55 system-ui,sans-serif}
        main{max-width:32rem;margin:10vh auto;padding:2rem;background:var(--paper);border-radius:.6rem}
        h1{font-size:1.5rem;margin:0 0 1rem}p{margin:0 0 1rem;overflow-wrap:anywhere}.note{color:var(--dim);margin:1.5rem 0 0}
        button{font:inherit;font-weight:600;padding:.7rem 1.6rem;border:0;border-radius:.4rem;background:var(--accent);\
        color:var(--on);cursor:pointer}
        button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
        """
}
