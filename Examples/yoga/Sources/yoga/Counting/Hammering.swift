// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// How often a backend was asked for new tokens.
final class RefreshCount: Sendable {
    private let count = Guarded(0)

    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}

/// A backend that is counted.
struct CountingBackend: IdentityBackend {
    private let backend: any IdentityBackend
    private let count: RefreshCount

    init(_ backend: any IdentityBackend, _ count: RefreshCount) {
        self.backend = backend
        self.count = count
    }

    var name: String { backend.name }

    func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep { try await backend.signIn(proof) }

    func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        try await backend.answer(step, with: answer)
    }

    func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        count.add()
        return try await backend.refresh(tokens)
    }

    func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
        try await backend.revoke(tokens, scope: scope)
    }

    func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser { try await backend.user(tokens) }
}

/// Answers one token with 401 (RFC 6750, section 3.1) as long as it has not been renewed, and has all others carried.
/// The next one may read the same: services sign one text twice within a second.
struct RefusingTransport: HTTPTransport {
    let next: any HTTPTransport
    let refused: Secret<String>?
    let isRenewed: @Sendable () -> Bool

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let said = request.headers.first { $0.name == "Authorization" }?.value
        if let refused, said == "Bearer \(refused.reveal())", !isRenewed() { return HTTPResponse(status: 401) }
        return try await next.send(request)
    }
}
