// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// An app whose user has signed in with a scripted cloud.
struct SignedInApp {
    let clock = DeviceClock()
    let cloud = ScriptedCloud()
    let gate = GatedTransport()
    let service: SessionService

    init(store: any SecureStore) async throws {
        gate.transport.withLock { [cloud] in $0 = cloud }
        service = SessionService(backend: Self.backend(gate), store: store, clock: clock)
        try await service.signIn(with: .password(identifier: "bench@example.com", password: Secret("password")))
    }

    static func backend(_ transport: any HTTPTransport) -> any IdentityBackend {
        SupabaseBackend(
            SupabaseConfiguration(address: "https://cloud.example/auth/v1", publishableKey: "key"), transport: transport
        )
    }
}

/// Holds requests for new tokens back until it is told to let them through.
final class GatedTransport: HTTPTransport {
    let transport = Guarded<(any HTTPTransport)?>(nil)
    /// Gets each request before it goes, and each answer to a refresh before it comes.
    let before = Guarded<(@Sendable (HTTPRequest) async -> Void)?>(nil)
    let after = Guarded<(@Sendable (HTTPRequest) -> Void)?>(nil)

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let transport = transport.value else { throw .offline }
        if let before = before.value { await before(request) }
        let answer = try await transport.send(request)
        after.value?(request)
        return answer
    }
}
