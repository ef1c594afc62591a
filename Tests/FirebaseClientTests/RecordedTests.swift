// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import FirebaseClient

/// Google's own service, as its answers are recorded.
struct RecordedTests {
    private let tokens = TokenSet(
        accessToken: Secret("a.b.c"), refreshToken: Secret("refresh"), lifetime: .seconds(3600))

    private func backend(
        _ status: Int, _ body: JSONObject
    ) -> (FirebaseBackend, ScriptedTransport) {
        backend(HTTPResponse(status: status, body: body.serialized()))
    }

    private func backend(_ answer: HTTPResponse) -> (FirebaseBackend, ScriptedTransport) {
        let transport = ScriptedTransport { _, _ in answer }
        let configuration = FirebaseConfiguration(apiKey: "AIza key", tenantID: "t-1", bundleIdentifier: "com.example")
        return (FirebaseBackend(configuration, transport: transport), transport)
    }

    private func refusal(_ message: String, status: Int = 400) -> HTTPResponse {
        let error: JSONObject = [
            "code": .integer(Int64(status)), "message": .string(message),
            "errors": [["message": .string(message), "reason": "invalid", "domain": "global"]],
        ]
        return HTTPResponse(status: status, body: JSONObject(dictionaryLiteral: ("error", .object(error))).serialized())
    }

    /// What the service's documentation, its libraries and its emulator name.
    static let codes = """
        ADMIN_ONLY_OPERATION APP_NOT_VERIFIED BLOCKING_FUNCTION_ERROR_RESPONSE CAPTCHA_CHECK_FAILED CLAIMS_TOO_LARGE \
        CONFIGURATION_NOT_FOUND CREDENTIAL_ALREADY_IN_USE CREDENTIAL_MISMATCH CREDENTIAL_TOO_OLD_LOGIN_AGAIN \
        DUPLICATE_EMAIL DUPLICATE_LOCAL_ID DUPLICATE_MFA_ENROLLMENT_ID DUPLICATE_RAW_ID \
        EMAIL_CHANGE_NEEDS_VERIFICATION EMAIL_EXISTS EMAIL_NOT_FOUND EXPIRED_OOB_CODE \
        FEDERATED_USER_ID_ALREADY_LINKED FORBIDDEN_CLAIM INSUFFICIENT_PERMISSION INVALID_APP_CREDENTIAL \
        INVALID_ARGUMENT INVALID_CLAIMS INVALID_CODE INVALID_CONTINUE_URI INVALID_CREDENTIAL_ID \
        INVALID_CREDENTIAL_OR_PROVIDER_ID INVALID_CUSTOM_TOKEN INVALID_DURATION INVALID_EMAIL INVALID_GRANT_TYPE \
        INVALID_HASH_ALGORITHM INVALID_HOSTING_LINK_DOMAIN INVALID_IDENTIFIER INVALID_IDP_RESPONSE INVALID_ID_TOKEN \
        INVALID_LOGIN_CREDENTIALS INVALID_MESSAGE_PAYLOAD INVALID_MFA_ENROLLMENT_ID INVALID_MFA_PENDING_CREDENTIAL \
        INVALID_MFA_PHONE_NUMBER INVALID_OAUTH_CLIENT_ID INVALID_OOB_CODE INVALID_PASSWORD INVALID_PENDING_TOKEN \
        INVALID_PHONE_NUMBER INVALID_PROJECT_ID INVALID_PROVIDER_ID INVALID_RECIPIENT_EMAIL INVALID_REFRESH_TOKEN \
        INVALID_REQUEST_URI INVALID_REQ_TYPE INVALID_SENDER INVALID_SESSION_INFO INVALID_TEMPORARY_PROOF \
        INVALID_TENANT_ID LOCAL_ID_LIST_EXCEEDS_LIMIT MFA_ENROLLMENT_NOT_FOUND MISSING_ANDROID_PACKAGE_NAME \
        MISSING_AUTHENTICATOR_RESPONSE MISSING_CODE MISSING_CONTINUE_URI MISSING_CREDENTIAL MISSING_CUSTOM_TOKEN \
        MISSING_EMAIL MISSING_GRANT_TYPE MISSING_IDENTIFIER MISSING_ID_TOKEN MISSING_IOS_BUNDLE_ID MISSING_LOCAL_ID \
        MISSING_MFA_ENROLLMENT_ID MISSING_MFA_PENDING_CREDENTIAL MISSING_NEW_EMAIL MISSING_OOB_CODE \
        MISSING_OR_INVALID_NONCE MISSING_PASSWORD MISSING_PHONE_NUMBER MISSING_PROVIDER_ID MISSING_RAW_ID \
        MISSING_REFRESH_TOKEN MISSING_REQUEST_URI MISSING_REQ_TYPE MISSING_SESSION_INFO MISSING_USER_ACCOUNT \
        NOT_DISABLED NOT_IMPLEMENTED OPERATION_NOT_ALLOWED PASSKEY_CREDENTIAL_NOT_FOUND \
        PASSWORD_DOES_NOT_MEET_REQUIREMENTS PASSWORD_LOGIN_DISABLED PERMISSION_DENIED PHONE_NUMBER_EXISTS \
        PROJECT_DISABLED PROJECT_NUMBER_MISMATCH QUOTA_EXCEEDED RESET_PASSWORD_EXCEED_LIMIT SECOND_FACTOR_EXISTS \
        SECOND_FACTOR_LIMIT_EXCEEDED SESSION_EXPIRED TENANT_ID_MISMATCH TENANT_NOT_FOUND TOKEN_EXPIRED \
        TOO_MANY_ATTEMPTS_TRY_LATER UNAUTHORIZED_DOMAIN UNEXPECTED_PARAMETER UNSUPPORTED_FIRST_FACTOR \
        UNSUPPORTED_TENANT_OPERATION UNVERIFIED_EMAIL USER_DISABLED USER_NOT_FOUND WEAK_PASSWORD
        """.split(separator: " ").map(String.init)

    @Test("R13.4 F-10 G-15.8 every code of the service is one of the domain's, with and without the text behind it")
    func everyCode() async throws {
        let known = Set(AuthErrorCode.allKnown + AuthErrorCode.allOfClient)
        for code in Self.codes {
            let mapped = try #require(FirebaseErrors.table[code], "\(code) has no place")
            #expect(known.contains(mapped), "\(code)")
            for message in [code, code + " : Some text: with a colon", code + ": text"] {
                let (backend, _) = backend(refusal(message))
                let error = await #expect(throws: AuthError.self) { try await backend.signIn(.anonymous) }
                #expect(error?.code == mapped && error?.reason == code, "\(message)")
            }
        }
        let (backend, _) = backend(refusal("QUANTUM_FLUX : ada@example.com"))
        let error = await #expect(throws: AuthError.self) { try await backend.signIn(.anonymous) }
        #expect(error?.code.rawValue == "QUANTUM_FLUX" && error?.reason == "QUANTUM_FLUX")
        let (talking, _) = self.backend(refusal("Invalid JSON payload received. Unknown name"))
        await #expect(throws: AuthError(.internalFailure)) { try await talking.signIn(.anonymous) }
        let (keyless, _) = self.backend(refusal("API key not valid. Please pass a valid API key."))
        await #expect(throws: AuthError(.apiKeyInvalid)) { try await keyless.refresh(tokens) }
    }

    @Test("G-11 Terms that stand before a session are named with their page; any other function's no stays one")
    func terms() async throws {
        let page = "https://login.example.com/account/terms?agreement=sealed"
        func message(_ code: String) -> String {
            let answer: JSONObject = [
                "error": [
                    "details": ["code": .string(code), "page": .string(page)], "message": "The current terms",
                    "status": "PERMISSION_DENIED",
                ]
            ]
            return "BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: "
                + JSONValue.object(answer).text
        }
        let (backend, _) = backend(refusal(message("terms_not_agreed")))
        let error = await #expect(throws: AuthError(.termsNotAgreed)) { try await backend.signIn(.anonymous) }
        #expect(error?.page == page && error?.reason == nil)
        let rests = [message("other"), "BLOCKING_FUNCTION_ERROR_RESPONSE : {", "BLOCKING_FUNCTION_ERROR_RESPONSE : {}"]
        for rest in rests {
            let (other, _) = self.backend(refusal(rest))
            await #expect(throws: AuthError(.forbidden)) { try await other.signIn(.anonymous) }
        }
    }

    @Test("R13.4 a refresh is refused for good by what is said of its token and its user, and by nothing else")
    func refreshRefusals() async throws {
        let ends: [String: SignOutReason] = [
            "TOKEN_EXPIRED": .sessionRevoked, "USER_DISABLED": .accountDisabled, "USER_NOT_FOUND": .accountDeleted,
            "INVALID_REFRESH_TOKEN": .sessionRevoked, "MISSING_REFRESH_TOKEN": .sessionRevoked,
        ]
        for code in FirebaseErrors.table.keys {
            for status in [400, 500] {
                let (backend, _) = backend(refusal(code, status: status))
                let error = await #expect(throws: AuthError.self) { try await backend.refresh(tokens) }
                let reason = error.flatMap { SignOutReason(refusal: $0.code) }
                #expect(reason == (status == 400 ? ends[code] : nil), "\(code) \(status)")
            }
        }
    }

    @Test("R13.4 requests go to the two services with key, app and tenant, and the refresh as a form")
    func requests() async throws {
        let (backend, transport) = backend(refusal("INVALID_LOGIN_CREDENTIALS"))
        _ = try? await backend.signIn(.password(identifier: "ada@example.com", password: Secret("hunter2hunter2")))
        _ = try? await backend.refresh(tokens)
        let requests = await transport.requests
        #expect(
            requests.map(\.url) == [
                "https://identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=AIza%20key",
                "https://securetoken.googleapis.com/v1/token?key=AIza%20key",
            ])
        let body = try JSONObject(parsing: requests[0].body)
        #expect(body["tenantId"] == "t-1" && body["returnSecureToken"] == true)
        #expect(String(decoding: requests[1].body, as: UTF8.self) == "grant_type=refresh_token&refresh_token=refresh")
        #expect(requests[0].headers.contains(HTTPHeader("X-Ios-Bundle-Identifier", "com.example")))
        #expect(!"\(requests[0])".contains("hunter2"))
    }

    @Test("R13.4 an address that a provider does not vouch for is linked by whoever shows that the account is theirs")
    func confirmation() async throws {
        let (backend, _) = backend(
            200,
            [
                "needConfirmation": true, "email": "ada@example.com", "verifiedProvider": ["google.com"],
                "providerId": "facebook.com",
            ])
        let identity = ProviderIdentity(provider: "facebook", idToken: Secret("secret-token"))
        guard case .awaiting(let step) = try await backend.signIn(.identityToken(identity)) else {
            Issue.record("a session")
            return
        }
        #expect(step.kind == .linking(providers: ["google.com"]) && step.identifier == "ada@example.com")
        #expect(!"\(step)".contains("secret-token"))
    }

    @Test(
        "R13.4 what was to be linked is linked behind the second factor of whoever shows the account, and not dropped")
    func confirmationWithFactor() async throws {
        let token = ["{}", #"{"sub":"u1","exp":1795378043,"firebase":{}}"#, "s"].map {
            Base64URL.encode(Array($0.utf8))
        }
        .joined(separator: ".")
        let transport = ScriptedTransport { request, _ in
            let body = (try? JSONObject(parsing: request.body)) ?? [:]
            let answer: JSONObject
            if request.url.contains("signInWithPassword") {
                answer = [
                    "localId": "u1", "mfaPendingCredential": "pending",
                    "mfaInfo": [["mfaEnrollmentId": "f1", "totpInfo": [:], "enrolledAt": "2026-01-02T03:04:05.678Z"]],
                ]
            } else if request.url.contains("signInWithIdp"), body["idToken"] == nil {
                answer = ["needConfirmation": true, "email": "ada@example.com", "verifiedProvider": ["password"]]
            } else {
                answer = ["idToken": .string(token), "refreshToken": "r"]
            }
            return HTTPResponse(status: 200, body: answer.serialized())
        }
        let backend = FirebaseBackend(FirebaseConfiguration(apiKey: "AIza"), transport: transport)
        let identity = ProviderIdentity(provider: "facebook", idToken: Secret("facebook-token"))
        guard case .awaiting(let linking) = try await backend.signIn(.identityToken(identity)),
            case .awaiting(let factor) = try await backend.answer(
                linking, with: .proof(.password(identifier: "ada@example.com", password: Secret("hidden-1"))))
        else { throw AuthError(.unsupported) }
        #expect(factor.kind == .oneTimePassword)
        guard case .session = try await backend.answer(factor, with: .code(Secret("123456"))) else {
            throw AuthError(.unsupported)
        }
        let last = try #require(await transport.requests.last)
        let body = try JSONObject(parsing: last.body)
        #expect(last.url.contains("accounts:signInWithIdp") && body["idToken"] == .string(token))
        #expect(body["postBody"]?.stringValue?.contains("facebook-token") == true)
    }

    @Test("R13.4 a token of the app's own server signs in, and shows nobody once more who is there")
    func ownToken() async throws {
        let claims: JSONObject = ["sub": "u1"]
        let token = ["{}", claims.text, "s"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let (backend, transport) = backend(
            200, ["idToken": .string(token), "refreshToken": "r", "expiresIn": "3600", "localId": "u1"])
        guard case .session(let grant) = try await backend.signIn(.customToken(Secret("own"))) else {
            throw AuthError(.unsupported)
        }
        #expect(grant.tokens.accessToken.reveal() == token)
        let sent = try #require(await transport.requests.first { $0.url.contains("accounts:signInWithCustomToken") })
        #expect(try JSONObject(parsing: sent.body)["token"] == "own")
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await backend.reauthenticate(grant.tokens, with: .customToken(Secret("own")))
        }
    }

    @Test("R13.4 who came by a token of the app's own has no address, and is not anonymous for that")
    func customToken() async throws {
        for (provider, isAnonymous) in [("custom", false), ("anonymous", true)] {
            let claims: JSONObject = ["sub": "u1", "firebase": ["sign_in_provider": .string(provider)]]
            let token = ["{}", claims.text, "s"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
            let (backend, _) = backend(200, ["users": [["localId": "u1"]]])
            let tokens = TokenSet(accessToken: Secret(token), lifetime: .hours(1))
            #expect(try await backend.user(tokens).isAnonymous == isAnonymous)
        }
    }

    @Test("R13.4 G-1.4 the rules that a password broke are read from the text, and only a fresh sign-in deletes")
    func details() async throws {
        let (weak, _) = backend(
            refusal(
                "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain an upper "
                    + "case character, Password must contain a numeric character]"))
        let error = await #expect(throws: AuthError(.weakPassword)) { try await weak.signIn(.anonymous) }
        #expect(error?.violations == [.uppercase, .number])
        let (old, _) = backend(refusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN"))
        await #expect(throws: AuthError(.reauthenticationNeeded)) { try await old.deleteAccount(tokens) }
    }

    @Test("R13.4 F10 what no service could have said ends no session and traps nowhere")
    func hostile() async throws {
        let page = Array("<html>hotel</html>".utf8)
        var answers = [
            HTTPResponse(status: 200, body: page), HTTPResponse(status: 200), HTTPResponse(status: 302),
            HTTPResponse(status: 400, body: page), HTTPResponse(status: 503), HTTPResponse(status: 429),
            HTTPResponse(status: 200, body: [UInt8](repeating: 0x20, count: 10 << 20)), HTTPResponse(status: -1),
        ]
        for value: JSONValue in [.null, 7, "", [:], ["x"], "a.b.c", "a b"] {
            let body: JSONObject = ["id_token": value, "refresh_token": value, "expires_in": value, "users": value]
            answers.append(HTTPResponse(status: 200, body: body.serialized()))
            let error: JSONObject = ["error": value]
            answers.append(HTTPResponse(status: 400, body: error.serialized()))
        }
        for answer in answers {
            let (backend, _) = backend(answer)
            let error = await #expect(throws: AuthError.self) { try await backend.refresh(tokens) }
            #expect(error.map { [.unavailable, .rateLimited].contains($0.code) } == true, "\(answer.status)")
            _ = try? await backend.signIn(.anonymous)
            _ = try? await backend.user(tokens)
            _ = try? await backend.unlink(provider: "google", from: tokens)
        }
    }

    @Test("R13.4 F-4 F-5 signing out asks nobody, and what the service has not is unsupported")
    func signOut() async throws {
        let (backend, transport) = backend(HTTPResponse(status: 500))
        try await backend.revoke(tokens, scope: .local)
        #expect(await transport.requests.isEmpty)
        await #expect(throws: AuthError(.unsupported)) { try await backend.revoke(tokens, scope: .global) }
    }
}
