// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import FirebaseAPI

@Suite struct ProviderResponseTests {
    private func read(_ uri: String, _ form: String? = nil) throws -> ProviderResponse {
        try ProviderResponse(
            Input(object: ["requestUri": .string(uri), "postBody": form.map { .string($0) } ?? .null]))
    }

    @Test("R12.5 an app may put a provider's answer in the form, behind the address, or in its fragment")
    func places() throws {
        for response in [
            try read("http://localhost", "providerId=Google.com&id_token=a.b.c&nonce=x%26y"),
            try read("http://localhost/?providerId=google.com&id_token=a.b.c&nonce=x%26y"),
            try read("app://handler#providerId=google.com&id_token=a.b.c&nonce=x%26y"),
            try read("http://localhost/?id_token=other#nonce=x%26y", "providerId=google.com&id_token=a.b.c&nonce=no"),
        ] {
            #expect(try response.provider() == ProviderID("google.com"))
            #expect(response["id_token"] == "a.b.c" && response["nonce"] == "x&y")
            #expect(response["access_token"] == nil && response["providerid"] == nil)
        }
        #expect(try read("http://localhost", "providerId=google.com&id_token=")["id_token"] == nil)
    }

    @Test(
        "R12.5 an answer that could be read in two ways is refused, and none is too long to be read",
        arguments: [
            ("http://localhost", "providerId=google.com&id_token=a&id_token=b", "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            ("http://localhost?code=1&code=2", nil, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            ("http://localhost", "providerId=%zz", "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            ("http://localhost", "providerId=%ff", "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            ("http://localhost", nil, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            ("http://", "providerId=google.com", "INVALID_REQUEST_URI"),
            ("/handler", "providerId=google.com", "INVALID_REQUEST_URI"),
        ] as [(String, String?, String)])
    func refused(uri: String, form: String?, code: String) {
        #expect { try read(uri, form).provider() } throws: { ($0 as? WireError)?.code == code }
    }

    @Test("R12.5 a form beyond any provider's tokens is too large, not parsed")
    func tooLarge() {
        let form = "providerId=google.com&id_token=" + String(repeating: "a", count: 64 << 10)
        #expect { try read("http://localhost", form) } throws: { ($0 as? AuthError)?.code == .requestTooLarge }
    }
}
