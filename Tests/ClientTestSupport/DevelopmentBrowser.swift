// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A browser at the development server: follows redirects with the cookies it is given, and signs in at the providers that
/// the server plays as one of their people, who are never asked.
public struct DevelopmentBrowser: WebAuthentication {
    private let person: String

    /// - Parameter person: by address. Somebody whom the provider does not know is refused there.
    public init(signedInAs person: String) {
        self.person = person
    }

    public func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String { preferred }

    public func authenticate(
        at url: String, redirectingTo redirectURI: String, ephemeral: Bool
    ) async throws(WebAuthenticationError) -> String {
        var (place, cookies) = (url, [String: String]())
        for _ in 0..<12 {
            if place.hasPrefix(redirectURI) { return place }
            if place.contains("/dev/identity-provider/"), place.contains("/authorize") { place = unasked(place) }
            let pairs = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            let request = HTTPRequest("GET", place, headers: pairs.isEmpty ? [] : [HTTPHeader("Cookie", pairs)])
            guard let answer = try? await URLSessionTransport().send(request), let asked = URL(string: place),
                let next = answer.header("Location").flatMap({ URL(string: $0, relativeTo: asked) })
            else { throw .unavailable(reason: "no redirect from \(request)") }
            let fields = ["Set-Cookie": answer.header("Set-Cookie") ?? ""]
            for cookie in HTTPCookie.cookies(withResponseHeaderFields: fields, for: asked) {
                cookies[cookie.name] = cookie.value
            }
            place = next.absoluteString
        }
        throw .unavailable(reason: "the browser goes round in circles")
    }

    /// The provider's address with who is signed in there already.
    private func unasked(_ address: String) -> String {
        var address = address
        if !address.contains("prompt=none") { address += "&prompt=none" }
        if !address.contains("login_hint=") { address += "&login_hint=" + PercentEncoding.encode(person.utf8) }
        return address
    }
}
