// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Foundation
import LatchkeyClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A browser whose user signs in on the server's own pages by a password.
struct AccountPagesBrowser: WebAuthentication {
    let identifier: String
    let password: Secret<String>

    func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String { preferred }

    func authenticate(
        at url: String, redirectingTo redirectURI: String, ephemeral: Bool
    ) async throws(WebAuthenticationError) -> String {
        let transport = URLSessionTransport()
        var (request, cookies) = (HTTPRequest("GET", url), [String: String]())
        for _ in 0..<8 {
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
                request = try filled(String(decoding: answer.body, as: UTF8.self), at: asked)
            }
        }
        throw .unavailable(reason: "the browser goes round in circles")
    }

    /// The page's form for a password, sent.
    private func filled(_ page: String, at address: URL) throws(WebAuthenticationError) -> HTTPRequest {
        guard address.path == "/account/sign-in",
            let form = page.components(separatedBy: "<form ").first(where: { $0.contains("name=\"password\"") }),
            let token = text(after: "name=\"formToken\" value=\"", in: form),
            let place = text(after: "action=\"", in: form).flatMap({ URL(string: $0, relativeTo: address) })
        else { throw .unavailable(reason: "a page that nobody expected: \(address.path)") }
        let fields = [("formToken", token), ("identifier", identifier), ("password", password.reveal())]
        return HTTPRequest(
            "POST", place.absoluteString,
            headers: [
                HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
                HTTPHeader("Origin", "http://\(address.host ?? ""):\(address.port ?? 80)"),
            ], body: Array(FormFields.encode(fields).utf8))
    }

    private func text(after start: String, in form: String) -> String? {
        form.components(separatedBy: start).dropFirst().first?.components(separatedBy: "\"").first?
            .replacingOccurrences(of: "&amp;", with: "&")
    }
}
