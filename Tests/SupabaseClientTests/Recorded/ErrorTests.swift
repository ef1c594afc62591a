// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import SupabaseClient

struct ErrorTests {
    /// Every code that the service is known to answer with.
    static let codes = """
        validation_failed bad_json email_exists phone_exists bad_jwt not_admin no_authorization user_not_found \
        session_not_found session_expired refresh_token_not_found refresh_token_already_used flow_state_not_found \
        flow_state_expired flow_state_already_used signup_disabled user_banned provider_email_needs_verification \
        invite_not_found bad_oauth_state bad_oauth_callback oauth_provider_not_supported unexpected_audience \
        single_identity_not_deletable email_conflict_identity_not_deletable identity_already_exists \
        identity_not_found email_provider_disabled phone_provider_disabled too_many_enrolled_mfa_factors \
        mfa_factor_name_conflict mfa_factor_not_found mfa_ip_address_mismatch mfa_challenge_expired \
        mfa_verification_failed mfa_verification_rejected mfa_verified_factor_exists mfa_totp_enroll_not_enabled \
        mfa_totp_verify_not_enabled mfa_phone_enroll_not_enabled mfa_phone_verify_not_enabled \
        mfa_webauthn_enroll_not_enabled mfa_webauthn_verify_not_enabled mfa_recovery_codes_sole_factor \
        mfa_recovery_codes_enroll_not_enabled mfa_recovery_codes_locked mfa_recovery_codes_verify_not_enabled \
        insufficient_aal captcha_failed manual_linking_disabled sms_send_failed email_not_confirmed \
        phone_not_confirmed user_already_exists conflict provider_disabled user_sso_managed \
        reauthentication_needed reauthentication_not_valid current_password_required current_password_invalid \
        same_password otp_expired otp_disabled weak_password over_request_rate_limit over_email_send_rate_limit \
        over_sms_send_rate_limit bad_code_verifier anonymous_provider_disabled invalid_credentials \
        email_address_not_authorized email_address_invalid email_address_not_provided request_entity_too_large \
        request_timeout hook_timeout hook_timeout_after_retry hook_payload_over_size_limit \
        hook_payload_invalid_content_type feature_disabled passkey_disabled too_many_passkeys \
        webauthn_credential_not_found webauthn_challenge_not_found webauthn_challenge_expired \
        webauthn_verification_failed webauthn_credential_exists oauth_client_not_found \
        oauth_authorization_not_found oauth_consent_not_found oauth_dynamic_client_registration_disabled \
        web3_provider_disabled web3_unsupported_chain custom_provider_not_found over_custom_provider_quota \
        saml_provider_disabled saml_idp_already_exists sso_provider_not_found sso_provider_disabled \
        sso_domain_already_exists unexpected_failure unknown
        """.split(separator: " ").map(String.init)

    @Test("R13.4 G-15.8 every code of the service is one of the domain's, in both of its forms")
    func everyCode() async throws {
        let known = Set(AuthErrorCode.allKnown + AuthErrorCode.allOfClient)
        for code in Self.codes {
            let mapped = try #require(SupabaseErrors.table[code], "\(code) has no place")
            #expect(known.contains(mapped))
            for answer in Cloud.errors(422, code) {
                let (backend, _) = Cloud.backend(answer)
                let error = await #expect(throws: AuthError.self) {
                    try await backend.signIn(.anonymous)
                }
                #expect(error?.code == mapped && error?.reason == code)
            }
        }
        #expect(SupabaseErrors.table["invalid_credentials"] == .invalidCredentials)
        #expect(SupabaseErrors.table["email_not_confirmed"] == .emailNotVerified)
        #expect(SupabaseErrors.table["user_already_exists"] == .emailExists)
    }

    @Test("R13.4 G-15.3 G-15.8 a code that nobody knows keeps its name; with 5xx it is a fault of the server")
    func unknown() async throws {
        let (backend, _) = Cloud.backend(Cloud.errors(400, "quantum_flux_disabled")[0])
        let error = await #expect(throws: AuthError.self) { try await backend.signIn(.anonymous) }
        #expect(error?.code.rawValue == "quantum_flux_disabled" && error?.reason == "quantum_flux_disabled")
        let (broken, _) = Cloud.backend(Cloud.errors(500, "quantum_flux_disabled")[0])
        let fault = await #expect(throws: AuthError(.internalFailure)) { try await broken.signIn(.anonymous) }
        #expect(fault?.reason == "quantum_flux_disabled")
        // A sentence is no code.
        let (talking, _) = Cloud.backend(Cloud.errors(400, "Database error saving new user")[0])
        await #expect(throws: AuthError(.internalFailure)) { try await talking.signIn(.anonymous) }
    }

    @Test("R13.4 a refresh is refused for good by four codes of the session and by the user's end, and by nothing else")
    func refreshRefusals() async throws {
        let ends: [String: SignOutReason] = [
            "refresh_token_not_found": .sessionRevoked, "refresh_token_already_used": .sessionRevoked,
            "session_not_found": .sessionRevoked, "session_expired": .sessionExpired, "user_banned": .accountDisabled,
            "user_not_found": .accountDeleted, "validation_failed": .sessionRevoked,
        ]
        for code in Self.codes {
            for status in [400, 403, 500] {
                let (backend, _) = Cloud.backend(Cloud.errors(status, code)[1])
                let error = await #expect(throws: AuthError.self) { try await backend.refresh(Cloud.tokens) }
                let reason = error.flatMap { SignOutReason(refusal: $0.code) }
                #expect(reason == (status == 500 ? nil : ends[code]), "\(code) \(status)")
            }
        }
        // Before error codes.
        let (old, _) = Cloud.backend(
            Cloud.answer(400, ["error": "invalid_grant", "error_description": "Invalid Refresh Token: Already Used"]))
        await #expect(throws: AuthError(.refreshTokenReused)) { try await old.refresh(Cloud.tokens) }
    }

    @Test("R13.4 how long to wait is read from the header or the text, and a weak password's rules are named")
    func details() async throws {
        let (backend, _) = Cloud.backend(
            Cloud.answer(
                429,
                [
                    "code": "over_email_send_rate_limit",
                    "message": "For security purposes, you can only request this after 42 seconds.",
                ]))
        let limited = await #expect(throws: AuthError(.mailRateLimited)) {
            try await backend.beginRecovery(identifier: "ada@example.com")
        }
        #expect(limited?.retryAfter == .seconds(42))
        let (other, _) = Cloud.backend(
            Cloud.answer(
                422,
                [
                    "code": "weak_password", "message": "m",
                    "weak_password": ["reasons": ["length", "characters", "pwned", "x", 1]],
                ]))
        let weak = await #expect(throws: AuthError(.weakPassword)) { try await other.signIn(.anonymous) }
        #expect(weak?.violations == [.minimumLength, .characters, .common])
        // The gateway before the service.
        let (unnamed, _) = Cloud.backend(Cloud.answer(401, ["message": "Invalid API key", "hint": "Double check"]))
        await #expect(throws: AuthError(.apiKeyInvalid)) { try await unnamed.refresh(Cloud.tokens) }
    }

    @Test(
        "G-11 terms that stand before a session are named with the page on which they are agreed to, in both forms of errors"
    )
    func terms() async throws {
        let page = "https://login.example.com/account/terms?agreement=sealed"
        let text = JSONValue.string("The current terms must be agreed to before signing in: \(page)")
        for body: JSONObject in [
            ["code": 403, "error_code": "terms_not_agreed", "msg": text],
            ["code": "terms_not_agreed", "message": text],
        ] {
            let (backend, _) = Cloud.backend(Cloud.answer(403, body))
            let error = await #expect(throws: AuthError(.termsNotAgreed)) { try await backend.signIn(.anonymous) }
            #expect(error?.page == page && error?.reason == nil)
        }
    }

    @Test("R13.4 F10 what no service could have said ends no session and traps nowhere")
    func hostile() async throws {
        let page = Array("<!doctype html><title>Welcome to the hotel</title>".utf8)
        let session = Cloud.session()
        var answers = [
            HTTPResponse(status: 200, body: page), HTTPResponse(status: 200), HTTPResponse(status: 204),
            HTTPResponse(status: 302, headers: [HTTPHeader("Location", "http://portal.example/")]),
            HTTPResponse(status: 200, body: Array(session.serialized().dropLast(7))),
            HTTPResponse(status: 200, body: [UInt8](repeating: 0x20, count: 10 << 20)),
            HTTPResponse(status: 200, body: [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)),
            HTTPResponse(status: 403, body: page), HTTPResponse(status: 400, body: page),
            HTTPResponse(status: 429), HTTPResponse(status: 502, body: page), HTTPResponse(status: 999),
            HTTPResponse(status: 101), HTTPResponse(status: -1), Cloud.answer(400, [:]),
            Cloud.answer(400, ["code": ["session_not_found"]]), Cloud.answer(200, ["error": "session_not_found"]),
        ]
        for name in session.names where !["token_type", "expires_in", "expires_at"].contains(name) {
            for value: JSONValue? in [nil, .null, 7, "", [:], ["x"], "a b\n"] {
                var broken = session
                broken[name] = value
                answers.append(Cloud.answer(200, broken))
            }
        }
        for answer in answers {
            let (backend, _) = Cloud.backend(answer)
            let error = await #expect(throws: AuthError.self) { try await backend.refresh(Cloud.tokens) }
            #expect(error.map { [.unavailable, .rateLimited].contains($0.code) } == true, "\(answer) \(error as Any)")
            _ = try? await backend.signIn(.password(identifier: "a@b.c", password: Secret("p")))
            _ = try? await backend.user(Cloud.tokens)
            _ = try? await backend.unlink(provider: "google", from: Cloud.tokens)
        }
        for seconds: JSONValue in [.integer(.max), .integer(.min), .number(1e300), "3600", .null] {
            var odd = session
            odd["expires_in"] = seconds
            let (backend, _) = Cloud.backend(Cloud.answer(200, odd))
            let grant = try await backend.refresh(Cloud.tokens)
            #expect(grant.tokens.lifetime >= .zero && grant.tokens.lifetime <= .days(3651))
        }
        for fault: TransportError in [.offline, .timedOut, .interrupted, .tooLarge, .untrusted] {
            let transport = ScriptedTransport { _, _ throws(TransportError) in throw fault }
            let backend = SupabaseBackend(Cloud.configuration, transport: transport)
            let error = await #expect(throws: AuthError.self) { try await backend.refresh(Cloud.tokens) }
            #expect(error?.code.endsSession == false)
        }
    }
}
