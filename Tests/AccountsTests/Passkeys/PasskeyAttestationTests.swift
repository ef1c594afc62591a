// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// Whose passkeys and security keys an operator takes. Chains of certificates are `FactorsTests`' own.
@Suite("G-9.7 Which authenticators are taken") struct PasskeyAttestationTests {
    /// Of an authority that has signed nothing: P-256, made for this test.
    private static let root =
        "MIIB2zCCAYGgAwIBAgIUZ5P49uJc1N/XpPamaDEsPW9oPYswCgYIKoZIzj0EAwIwQjELMAkGA1UEBhMCU0UxEDAOBgNVBAoMB0V4"
        + "YW1wbGUxEjAQBgNVBAsMCUF1dGhvcml0eTENMAsGA1UEAwwEUm9vdDAgFw0yNjExMjMwNjMzMjlaGA8yMTI2MTAzMDA2MzMyOVow"
        + "QjELMAkGA1UEBhMCU0UxEDAOBgNVBAoMB0V4YW1wbGUxEjAQBgNVBAsMCUF1dGhvcml0eTENMAsGA1UEAwwEUm9vdDBZMBMGByqG"
        + "SM49AgEGCCqGSM49AwEHA0IABHsRwf15k2l4XsDW/39u+K2IiEpkMhW+xEuB/xfClE7Jxah6ugJsTpnc4t7Gz1ZKBL+vEEwMEegp"
        + "tZgk35uLOhqjUzBRMB0GA1UdDgQWBBQZxXjvfib3JsGWu6J1HZYmi+xMKDAfBgNVHSMEGDAWgBQZxXjvfib3JsGWu6J1HZYmi+xM"
        + "KDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCRxzcwgKhOCNqYBEEuOCtQcMqdg6MVt3xXIEahCkKo/QIgJ1tR"
        + "XJ5P6j9+iMWfj4TWflO5cpKq7rFZfgg/RHaYv98="

    private static let model = "00112233-4455-6677-8899-AABBCCDDEEFF"
    private static let octets: [UInt8] = [
        0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
    ]

    @Test("G-9.7 of models that are named the passkey is taken, of others none, and the log says why")
    func models() async throws {
        let bench = try await PasskeyBench { $0.passkeys.models = [Self.model] }
        try await bench.base.user()
        let session = try await bench.factors.signedIn(at: bench.open())
        let question = try await RegisterPasskey(bench.ports).begin(for: session, call: bench.open())
        #expect(question.options["attestation"] == "direct")
        var stranger = bench.authenticator()
        #expect(await bench.refusal { _ = try await bench.register(&stranger, for: session) } == .factorCodeInvalid)
        #expect(try await bench.reasons(.factorFailed) == ["modelNotAllowed"])
        var known = bench.authenticator()
        known.aaguid = Self.octets
        #expect(try await bench.register(&known, for: session).webAuthn?.aaguid == Self.octets)
    }

    @Test("G-9.7 a security key is held to the same, in a session")
    func securityKey() async throws {
        let bench = try await PasskeyBench { $0.passkeys.models = [Self.model] }
        try await bench.base.user()
        let call = bench.open()
        let session = try await bench.factors.signedIn(at: call)
        for (aaguid, isTaken) in [([UInt8](repeating: 0, count: 16), false), (Self.octets, true)] {
            let factor = try await EnrolFactor(bench.ports)(.webAuthn, afresh: true, for: session, call: call).factor
            let question = try await ChallengeFactor(bench.ports).webAuthn(factor.id, of: session, call: call)
            var authenticator = bench.authenticator()
            authenticator.aaguid = aaguid
            let answer = try authenticator.create(question.options)
            let refusal = await bench.refusal {
                _ = try await StepUp(bench.ports).inPlace(
                    .webAuthn(answer, of: factor.id, challenge: question.challenge.id), of: session, call: call)
            }
            #expect(refusal == (isTaken ? nil : .factorCodeInvalid))
        }
    }

    @Test(
        "G-9.7 settings that can't be read are no reason to take what comes: nothing is begun, and the operator reads why"
    )
    func unreadable() async throws {
        let changes: [@Sendable (inout DirectorySettings.Passkeys) -> Void] = [
            { $0.models = ["a model"] }, { $0.models = ["0011"] }, { $0.attestationRoots = ["AAAA"] },
            { $0.attestationRoots = ["not base64"] },
        ]
        for change in changes {
            let bench = try await PasskeyBench { change(&$0.passkeys) }
            try await bench.base.user()
            let session = try await bench.factors.signedIn(at: bench.open())
            #expect(
                await bench.refusal {
                    _ = try await RegisterPasskey(bench.ports).begin(for: session, call: bench.open())
                } == .factorDisabled)
        }
    }

    @Test(
        "G-9.7 where roots are named, in base64 or PEM, whoever attests nothing is refused; without any they are taken")
    func roots() async throws {
        let pem = "-----BEGIN CERTIFICATE-----\n\(Self.root)\n-----END CERTIFICATE-----\n"
        for roots in [[Self.root], [pem], []] {
            let bench = try await PasskeyBench { $0.passkeys.attestationRoots = roots }
            try await bench.base.user()
            let session = try await bench.factors.signedIn(at: bench.open())
            var authenticator = bench.authenticator()
            let refusal = await bench.refusal { _ = try await bench.register(&authenticator, for: session) }
            #expect(refusal == (roots.isEmpty ? nil : .factorCodeInvalid))
            #expect(try await bench.reasons(.factorFailed) == (roots.isEmpty ? [] : ["attestationUntrusted"]))
        }
    }
}
