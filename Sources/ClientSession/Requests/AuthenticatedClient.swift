// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Asks an app's own API in the name of whoever is signed in.
///
/// Adds the access token (RFC 6750, section 2.1). A 401 is answered by one refresh for all who got one, and each
/// request is repeated once; whoever gets another 401 has it returned. Tokens go to one origin only, and over nothing
/// that others can read.
public struct AuthenticatedClient: Sendable {
    /// The only origin that tokens are sent to.
    public let baseURL: String
    private let origin: ServiceOrigin
    private let service: SessionService
    private let transport: any HTTPTransport

    /// - Parameters:
    ///   - baseURL: such as `https://api.example.org`, without a slash at its end.
    ///   - service: whose tokens.
    /// - Throws: `AuthError` with `insecureTransport` for plain `http` beyond loopback, `invalidRequest` for what is no
    ///   address.
    public init(baseURL: String, service: SessionService, transport: any HTTPTransport) throws(AuthError) {
        guard let origin = ServiceOrigin(of: baseURL) else { throw AuthError(.invalidRequest, field: "baseURL") }
        guard origin.isSecure else { throw AuthError(.insecureTransport) }
        self.baseURL = baseURL
        self.origin = origin
        self.service = service
        self.transport = transport
    }

    /// - Parameters:
    ///   - path: from the slash on, with its query.
    ///   - subject: who it is for, where that is settled already, such as a change that waited: the claim `sub`. `nil`
    ///     for whoever is signed in.
    /// - Returns: whatever the API answers, a second 401 too.
    /// - Throws: `AuthError`: why there is no token or no answer; `superseded` where another session than the one it
    ///   began in, or another user than `subject`, is there: it is not sent, or not repeated, as them.
    public func send(
        _ method: String = "GET", _ path: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
        timeout: TimeSpan = .seconds(30), as subject: String? = nil
    ) async throws(AuthError) -> HTTPResponse {
        let url = baseURL + path
        // A path that begins with anything but a slash could lengthen the host.
        guard path.hasPrefix("/"), ServiceOrigin(of: url) == origin else {
            throw AuthError(.invalidRequest, field: "path")
        }
        let request = HTTPRequest(method, url, headers: headers, body: body, timeout: timeout)
        let token = try await service.givenToken()
        guard subject == nil || Subject.isSame(subject, token.subject) else { throw AuthError(.superseded) }
        let answer = try await send(request, with: token)
        guard answer.status == 401 else { return answer }
        // `token_invalid`: the next token was refused too. The answer says more than we do.
        let next: GivenToken
        do throws(AuthError) { next = try await service.givenToken(insteadOf: token) } catch {
            guard error.code == .tokenInvalid else { throw error }
            return answer
        }
        return try await send(request, with: next)
    }

    private func send(
        _ request: HTTPRequest, with token: GivenToken
    ) async throws(AuthError) -> HTTPResponse {
        var request = request
        request.headers.removeAll { $0.name.lowercased() == "authorization" }
        request.headers.append(HTTPHeader("Authorization", "Bearer \(token.reveal())"))
        do throws(TransportError) { return try await transport.send(request) } catch {
            throw AuthError(noWay: error)
        }
    }
}
