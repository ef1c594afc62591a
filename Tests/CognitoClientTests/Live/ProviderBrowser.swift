// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A browser at the development server, by plain HTTP: follows redirects with the cookies that it is given, and presses one
/// button at the provider that the server plays.
struct ProviderBrowser: WebAuthentication {
    /// The button's name and value: `("account", "100000000000000000001")`, `("answer", "cancel")`.
    let button: (String, String)

    func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String { preferred }

    func authenticate(
        at url: String, redirectingTo redirectURI: String, ephemeral: Bool
    ) async throws(WebAuthenticationError) -> String {
        let transport = URLSessionTransport()
        var cookies: [String: String] = [:]
        var request = HTTPRequest("GET", url)
        for _ in 0..<16 {
            let jar = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            if !jar.isEmpty { request.headers.append(HTTPHeader("Cookie", jar)) }
            guard let asked = URL(string: request.url), let answer = try? await transport.send(request) else {
                throw .unavailable(reason: "no answer to \(request)")
            }
            let fields = ["Set-Cookie": answer.header("Set-Cookie") ?? ""]
            for cookie in HTTPCookie.cookies(withResponseHeaderFields: fields, for: asked) {
                cookies[cookie.name] = cookie.value
            }
            if let next = answer.header("Location").flatMap({ URL(string: $0, relativeTo: asked)?.absoluteString }) {
                if next.hasPrefix(redirectURI) { return next }
                request = HTTPRequest("GET", next)
            } else {
                request = try press(String(decoding: answer.body, as: UTF8.self), at: asked)
            }
        }
        throw .unavailable(reason: "the browser goes round in circles")
    }

    /// Sends the page's first form, as its button would.
    private func press(_ page: String, at address: URL) throws(WebAuthenticationError) -> HTTPRequest {
        let form =
            page.components(separatedBy: "<form ").dropFirst().first?.components(separatedBy: "</form>").first ?? ""
        guard address.path.hasPrefix("/dev/identity-provider/"), let action = attribute("action", of: form),
            let place = URL(string: action, relativeTo: address)
        else { throw .unavailable(reason: "a page that nobody expected: \(address.path)") }
        var fields = form.components(separatedBy: "<input type=\"hidden\" ").dropFirst().map {
            (attribute("name", of: $0) ?? "", attribute("value", of: $0) ?? "")
        }
        fields.append(button)
        return HTTPRequest(
            "POST", place.absoluteString,
            headers: [
                HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
                HTTPHeader("Origin", "http://\(address.host ?? ""):\(address.port ?? 80)"),
            ], body: Array(FormFields.encode(fields).utf8))
    }

    private func attribute(_ name: String, of text: String) -> String? {
        text.components(separatedBy: "\(name)=\"").dropFirst().first?.components(separatedBy: "\"").first?
            .replacingOccurrences(of: "&amp;", with: "&")
    }
}
