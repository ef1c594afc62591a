// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// The user's sessions by a Latchkey server's own API (`/v1/sessions`): those of all its dialects, whichever of them
/// the app signs in by (G-6).
public struct AppAPISessions: DeviceSessions {
    /// Pages of a list: nobody is signed in on more devices than fit, and a server in a circle is left.
    private static let mostPages = 50

    private let client: AuthenticatedClient

    /// - Parameter client: of the server, for whoever is signed in.
    public init(_ client: AuthenticatedClient) {
        self.client = client
    }

    public func list() async throws(AuthError) -> [DeviceSession] {
        let pages = client.pages("/v1/sessions?limit=100", items: "sessions")
        var (found, cursor) = ([DeviceSession](), String?.none)
        for _ in 0..<Self.mostPages {
            let page = try await pages.page(after: cursor)
            found += page.items.compactMap(DeviceSession.init(answered:))
            guard let next = page.next, next != cursor else { break }
            cursor = next
        }
        return found
    }

    /// One that is over already is no error: it is what was asked for.
    public func revoke(_ id: String) async throws(AuthError) {
        // Nothing in it may lead to another path (RFC 3986, section 2.3).
        guard !id.isEmpty, id.utf8.allSatisfy(Self.isUnreserved) else { throw AuthError(.invalidRequest, field: "id") }
        do throws(AuthError) {
            _ = try await client.object("DELETE", "/v1/sessions/" + id)
        } catch {
            guard error.code == .notFound else { throw error }
        }
    }

    public func revokeOthers() async throws(AuthError) {
        _ = try await client.object("DELETE", "/v1/sessions?others=true")
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}

extension DeviceSession {
    /// `nil` for what names no session.
    fileprivate init?(answered session: JSONObject) {
        guard let id = session["id"]?.stringValue, !id.isEmpty else { return nil }
        func instant(_ name: String) -> Instant? { session[name]?.stringValue.flatMap { Instant(rfc3339: $0) } }
        self.init(
            id: id, device: session["device"]?.stringValue, system: session["operatingSystem"]?.stringValue,
            appVersion: session["appVersion"]?.stringValue, app: session["app"]?.stringValue,
            network: session["address"]?.stringValue, signedIn: instant("createdAt"), lastUsed: instant("lastActiveAt"),
            isCurrent: session["current"]?.boolValue ?? false,
            isRemembered: session["remembered"]?.boolValue ?? false)
    }
}
