// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A version of a document that users agree to, or of a purpose that they may consent to, as a Latchkey server
/// publishes it.
public struct TermsDocument: Sendable, Hashable, Identifiable {
    /// What it is, such as `terms-of-service`.
    public var name: String
    /// Which text of it, such as `2026-11`.
    public var version: String
    /// Whether no session is given without it.
    public var isDemanded: Bool
    /// A purpose, to which a user may consent, and which no sign-in demands.
    public var isPurpose: Bool
    /// What it is called, in the language that was asked for or else in another.
    public var title: String
    /// Where it can be read. `nil` where the server names no such place.
    public var url: String?

    public var id: String { "\(name)=\(version)" }

    /// Made of what a server says, or by an app that knows its own.
    public init(
        name: String, version: String, title: String, url: String? = nil, isDemanded: Bool = true,
        isPurpose: Bool = false
    ) {
        self.name = name
        self.version = version
        self.title = title
        self.url = url
        self.isDemanded = isDemanded
        self.isPurpose = isPurpose
    }

    /// - Returns: `nil` for what is none, or has a name that could not be said back to the server.
    init?(answered members: JSONObject, in language: MessageLanguage) {
        guard let name = members["name"]?.stringValue, let version = members["version"]?.stringValue,
            Self.isWord(name), Self.isWord(version)
        else { return nil }
        let texts = members["texts"]?.objectValue ?? [:]
        let text = (texts[language.rawValue] ?? texts["en"] ?? texts.members.first?.value)?.objectValue ?? [:]
        let url = text["url"]?.stringValue.flatMap { ServiceOrigin(of: $0)?.isSecure == true ? $0 : nil }
        self.init(
            name: name, version: version, title: text["title"]?.stringValue ?? name, url: url,
            isDemanded: members["demanded"]?.boolValue ?? false, isPurpose: members["kind"]?.stringValue == "purpose")
    }

    private static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }
}

/// Where an app learns what its users are to agree to.
public protocol TermsSource: Sendable {
    /// What is in effect now.
    func current(_ language: MessageLanguage) async throws(AuthError) -> [TermsDocument]
}

/// A Latchkey server's, for anybody to read (`GET /v1/terms`).
public struct AppAPITerms: TermsSource {
    private static let limits = JSONLimits(depth: 8, members: 5_000, bytes: 1 << 20)
    private let address: String
    private let transport: any HTTPTransport

    /// - Parameter address: the server's, to which `/v1/terms` is added.
    /// - Throws: `AuthError` with `insecureTransport` for plain `http` beyond loopback, `invalidRequest` for what is no
    ///   address.
    public init(address: String, transport: any HTTPTransport) throws(AuthError) {
        guard let origin = ServiceOrigin(of: address) else { throw AuthError(.invalidRequest, field: "address") }
        guard origin.isSecure else { throw AuthError(.insecureTransport) }
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.transport = transport
    }

    public func current(_ language: MessageLanguage) async throws(AuthError) -> [TermsDocument] {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(HTTPRequest("GET", address + "/v1/terms"))
        } catch { throw AuthError(noWay: error) }
        guard response.status == 200, let members = try? JSONObject(parsing: response.body, limits: Self.limits),
            let terms = members["terms"]?.arrayValue
        else { throw AuthError(noAnswer: response) }
        return terms.prefix(100).compactMap { TermsDocument(answered: $0.objectValue ?? [:], in: language) }
    }
}
