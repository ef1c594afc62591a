// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// In which language a page is: the one that its reader has chosen, now or before; else the first that the app wishes for
/// its users (`ui_locales`) and there is; else the browser's.
struct LanguageChoice: Sendable {
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
        for field in headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let text = pair.drop { $0 == " " }
                guard text.hasPrefix(Self.cookie + "=") else { continue }
                return MessageLanguage(rawValue: String(text.dropFirst(Self.cookie.utf8.count + 1)))
            }
        }
        return nil
    }

    private static func known(_ tag: String) -> MessageLanguage? {
        MessageLanguage(rawValue: tag.prefix { $0 != "-" && $0 != "_" }.lowercased())
    }
}
