// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A browser at the development server, by plain HTTP: follows redirects with the cookies that it is given, and does on
/// the pages that it comes to what its user would.
public struct DevelopmentBrowser: WebAuthentication {
    private enum User: Sendable {
        case known(String)
        case pressing(name: String, value: String)
        case typing(identifier: String, password: Secret<String>)
    }

    private let user: User

    /// At the providers that the server plays, somebody who is signed in there and never asked.
    ///
    /// - Parameter person: by address. Somebody whom the provider does not know is refused there.
    public init(signedInAs person: String) {
        user = .known(person)
    }

    /// At those providers, somebody who presses one button.
    ///
    /// - Parameter button: its name and value: `("account", "100000000000000000001")`, `("answer", "cancel")`.
    public init(pressing button: (String, String)) {
        user = .pressing(name: button.0, value: button.1)
    }

    /// On the server's own pages, somebody who signs in by a password.
    public init(identifier: String, password: Secret<String>) {
        user = .typing(identifier: identifier, password: password)
    }

    public func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String { preferred }

    public func authenticate(
        at url: String, redirectingTo redirectURI: String, ephemeral: Bool
    ) async throws(WebAuthenticationError) -> String {
        let transport = SystemTransport()
        var (request, cookies) = (HTTPRequest("GET", url), [String: String]())
        for _ in 0..<16 {
            if request.url.hasPrefix(redirectURI) { return request.url }
            request.url = unasked(request.url)
            let jar = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            if !jar.isEmpty { request.headers.append(HTTPHeader("Cookie", jar)) }
            guard let asked = URL(string: request.url), let answer = try? await transport.send(request) else {
                throw .unavailable(reason: "no answer to \(request)")
            }
            for field in answer.headers where field.name.lowercased() == "set-cookie" {
                for cookie in HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field.value], for: asked) {
                    cookies[cookie.name] = cookie.value
                }
            }
            if let next = answer.header("Location").flatMap({ URL(string: $0, relativeTo: asked)?.absoluteString }) {
                request = HTTPRequest("GET", next)
            } else {
                request = try sent(String(decoding: answer.body, as: UTF8.self), at: asked)
            }
        }
        throw .unavailable(reason: "the browser goes round in circles")
    }

    /// The provider's address with who is signed in there already.
    private func unasked(_ address: String) -> String {
        guard case .known(let person) = user, address.contains("/dev/identity-provider/"),
            address.contains("/authorize")
        else { return address }
        var address = address
        if !address.contains("prompt=none") { address += "&prompt=none" }
        if !address.contains("login_hint=") { address += "&login_hint=" + PercentEncoding.encode(person.utf8) }
        return address
    }

    /// The page's form, filled in and sent.
    private func sent(_ page: String, at address: URL) throws(WebAuthenticationError) -> HTTPRequest {
        let forms = page.components(separatedBy: "<form ").dropFirst().compactMap {
            $0.components(separatedBy: "</form>").first
        }
        let form: String?
        let own: [(String, String)]
        switch user {
        case .known: (form, own) = (nil, [])
        case .pressing(let name, let value):
            form = address.path.hasPrefix("/dev/identity-provider/") ? forms.first : nil
            own = [(name, value)]
        case .typing(let identifier, let password):
            form = address.path == "/account/sign-in" ? forms.first { $0.contains("name=\"password\"") } : nil
            own = [("identifier", identifier), ("password", password.reveal())]
        }
        guard let form, let action = attribute("action", of: form), let place = URL(string: action, relativeTo: address)
        else { throw .unavailable(reason: "a page that nobody expected: \(address.path)") }
        let hidden = form.components(separatedBy: "<input type=\"hidden\" ").dropFirst().map {
            (attribute("name", of: $0) ?? "", attribute("value", of: $0) ?? "")
        }
        return HTTPRequest(
            "POST", place.absoluteString,
            headers: [
                HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
                HTTPHeader("Origin", "http://\(address.host ?? ""):\(address.port ?? 80)"),
            ], body: Array(FormFields.encode(hidden + own).utf8))
    }

    private func attribute(_ name: String, of text: String) -> String? {
        text.components(separatedBy: "\(name)=\"").dropFirst().first?.components(separatedBy: "\"").first?
            .replacingOccurrences(of: "&amp;", with: "&")
    }
}
