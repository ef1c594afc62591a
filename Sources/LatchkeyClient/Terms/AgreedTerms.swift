// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What a user has agreed to on a screen of the app's, said with the very sign-in or sign-up that they agreed for, and
/// with no other: the next person at the device has agreed to nothing.
public enum AgreedTerms {
    /// One person's word, until it has been said. Tasks that are begun meanwhile inherit it and live on: a session's
    /// own renews it for months, and for whoever signs in next.
    final class Word: Sendable {
        private let documents: Guarded<[TermsDocument]>

        init(_ documents: [TermsDocument]) { self.documents = Guarded(documents) }

        var said: [TermsDocument] { documents.value }
        func isOver() { documents.withLock { $0 = [] } }
    }

    @TaskLocal static var word: Word?

    /// Does something in the name of somebody who has agreed to these: an ``AgreeingTransport`` says so to the server
    /// meanwhile, and nobody does once it is done, whatever it has begun.
    public static func saying<Outcome: Sendable>(
        _ documents: [TermsDocument], _ body: () async throws(AuthError) -> Outcome
    ) async throws(AuthError) -> Outcome {
        let word = Word(documents)
        defer { word.isOver() }
        let result = await Self.$word.withValue(word) { () async -> Result<Outcome, AuthError> in
            do throws(AuthError) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// `terms-of-service=2026-11,privacy=3`, as a Latchkey server reads it. `nil` for nothing.
    static var line: String? {
        let said = word?.said ?? []
        return said.isEmpty ? nil : said.map(\.id).joined(separator: ",")
    }
}

/// A transport that tells one server what its user has agreed to (`X-Agreed-Terms`), while ``AgreedTerms/saying(_:_:)``
/// lasts, and tells nobody else.
public struct AgreeingTransport: HTTPTransport {
    private static let name = "X-Agreed-Terms"
    private let transport: any HTTPTransport
    private let origin: ServiceOrigin

    /// - Parameters:
    ///   - transport: which carries the requests.
    ///   - server: the Latchkey server's address, such as `https://login.example.com`.
    /// - Throws: `AuthError` with `invalidRequest` for what is no address.
    public init(_ transport: any HTTPTransport, to server: String) throws(AuthError) {
        guard let origin = ServiceOrigin(of: server) else { throw AuthError(.invalidRequest, field: "server") }
        (self.transport, self.origin) = (transport, origin)
    }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let line = AgreedTerms.line, ServiceOrigin(of: request.url) == origin else {
            return try await transport.send(request)
        }
        var saying = request
        saying.headers.append(HTTPHeader(Self.name, line))
        return try await transport.send(saying)
    }
}
