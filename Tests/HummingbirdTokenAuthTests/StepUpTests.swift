// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import HummingbirdTokenAuth
import Testing
import TokenVerifier

/// What an API asks for beyond a good token (RFC 9470).
@Suite struct StepUpTests {
    @Test("R11.8 RFC 9470, section 3: a sign-in that is too old or too weak is told what to ask the provider for")
    func challenges() async throws {
        let bench = try APIBench()
        bench.router.add(
            middleware: TokenAuthMiddleware(try bench.verifier(), kinds: [.access], metrics: bench.metrics))
        bench.addRoutes([
            "/recent": .requireAuthentication(maxAge: 300, clock: APIBench.clock),
            "/strong": .requireAuthentication(classes: ["aal2", "aal3"], clock: APIBench.clock),
            "/both": .requireAuthentication(classes: ["aal2"], maxAge: 60, clock: APIBench.clock),
            "/level": .requireAAL(2),
        ])
        func token(_ acr: String?, _ age: Int64?) throws -> HTTPFields {
            var claims: JSONObject = [:]
            claims["acr"] = acr.map { .string($0) }
            claims["auth_time"] = age.map { .integer(APIBench.now.seconds - $0) }
            return .bearer(try bench.token(claims))
        }
        let rows: [(String, String?, Int64?, String?)] = [
            ("/recent", nil, 300, nil), ("/recent", "aal2", 301, #"max_age="300""#),
            ("/recent", nil, nil, #"max_age="300""#),
            ("/recent", nil, -5, nil), ("/strong", "aal2", nil, nil), ("/strong", "aal3", nil, nil),
            ("/strong", "aal1", 0, #"acr_values="aal2 aal3""#), ("/strong", nil, 0, #"acr_values="aal2 aal3""#),
            ("/both", "aal2", 60, nil), ("/both", "aal1", 0, #"acr_values="aal2", max_age="60""#),
            ("/both", "aal2", 61, #"acr_values="aal2", max_age="60""#),
            ("/level", "aal2", nil, nil), ("/level", "aal1", nil, #"acr_values="aal2""#),
        ]
        for (path, acr, age, wanted) in rows {
            let reply = try await bench.get(path, try token(acr, age))
            let note = "\(path) \(acr ?? "") \(age ?? -1): \(reply.challenge ?? "")"
            #expect(reply.status == (wanted == nil ? .ok : .unauthorized), "\(note)")
            guard let wanted else { continue }
            #expect(reply.error == "insufficient_user_authentication", "\(note)")
            #expect(reply.challenge?.hasSuffix(", " + wanted) == true, "\(note)")
            #expect(reply.challenge?.contains(#"error="insufficient_user_authentication""#) == true)
        }
        #expect(bench.refusals["insufficient_assurance"] == Int64(rows.filter { $0.3 != nil }.count))
    }
}
