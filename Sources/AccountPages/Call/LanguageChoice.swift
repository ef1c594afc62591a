// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import ServerKit

/// In which language a page is: the one that its reader has chosen, now or before; else the first that the app wishes
/// for its users (`ui_locales`) and there is; else the browser's.
struct LanguageChoice: Sendable {
    /// Of a page's address: what its reader has chosen there.
    static let parameter = "language"
    /// Of a page's address: what an app wishes for its users.
    static let wishes = "ui_locales"
    private static let cookie = "latchkey-language"

    /// By the link on the page.
    var chosen: MessageLanguage?
    var headers: HTTPFields
    /// BCP 47, the preferred first.
    var wished: [String]

    var language: MessageLanguage {
        chosen ?? remembered ?? wished.lazy.compactMap(Self.known).first
            ?? MessageLanguage(acceptLanguage: headers[.acceptLanguage])
    }

    /// The field by which the browser keeps a choice, for a year. It says nothing that has to be true.
    static func remembering(_ language: MessageLanguage, isSecure: Bool) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(cookie)=\(language.rawValue); Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"
                + (isSecure ? "; Secure" : ""))
    }

    private var remembered: MessageLanguage? {
        headers.cookies(named: Self.cookie).first.flatMap(MessageLanguage.init(rawValue:))
    }

    /// By the language that a tag begins with: eight letters at most (RFC 5646, section 2.1).
    private static func known(_ tag: String) -> MessageLanguage? {
        let language = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        guard language.count <= 8 else { return nil }
        return MessageLanguage(rawValue: String(decoding: language, as: UTF8.self).lowercased())
    }
}
