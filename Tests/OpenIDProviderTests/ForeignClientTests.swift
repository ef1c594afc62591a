// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// Clients that a dialect with endpoints of its own has registered.
@Suite struct ForeignClientTests {
    @Test("R11.7 ADR 0041: a client of a dialect that has endpoints of its own is nobody here, and is sent nowhere")
    func refused() async throws {
        let bench = try await ProviderBench()
        var registration = ClientRegistration()
        registration.name = "Elsewhere"
        registration.redirectURIs = [ProviderBench.redirectURI]
        let client = try await bench.accounts.flows.clientAdministration.register(
            registration, dialect: DialectName("elsewhere"), call: bench.accounts.call())
        let page = try await bench.get("/oauth2/authorize?" + HTTPBench.encoded(bench.request(client)))
        #expect(page.status == 400 && page.headers[.location] == nil)
        let secret = client.secrets.first?.text?.reveal() ?? ""
        let reply = try await bench.post(
            "/oauth2/token",
            [
                ("grant_type", "authorization_code"), ("client_id", client.id.rawValue), ("client_secret", secret),
                ("code", "x"), ("redirect_uri", ProviderBench.redirectURI),
            ])
        #expect(reply.status == 400 && reply["error"] == "unauthorized_client", "\(reply.text)")
    }
}
