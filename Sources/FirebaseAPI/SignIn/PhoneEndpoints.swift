// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// Sign-in by a number: `accounts:sendVerificationCode`, `accounts:signInWithPhoneNumber`.
enum PhoneEndpoints {
    private static let operations = ["VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN", "REAUTH", "UPDATE", "LINK"]
    /// By what an app shows that it is one.
    private static let credentials = [
        "recaptchaToken", "captchaResponse", "iosReceipt", "playIntegrityToken", "safetyNetToken",
    ]

    /// `accounts:sendVerificationCode`. Answered alike for known and unknown numbers.
    static func send(_ call: DialectCall) async throws -> Response {
        try requireEnabled(call)
        guard let number = try call.body.phone() else { throw AuthError(.invalidPhone, field: "phoneNumber") }
        let phoneSignIn = call.accounts.phoneSignIn
        if call.accounts.reaches(.phone(number), call: call.flow), !phoneSignIn.isForTests(number, call: call.flow) {
            try requireVerifiedApp(call)
        }
        return Answer.object(["sessionInfo": .string(try await phoneSignIn.ask(number, call: call.flow))])
    }

    /// Before a message is paid for, the platform asks who sends for it. Nothing here could judge what apps show for
    /// that, so it is taken in development alone, as by the emulator.
    private static func requireVerifiedApp(_ call: DialectCall) throws {
        guard !call.dialect.settings.acceptsOwnerToken else { return }
        guard try credentials.contains(where: { try call.body.given($0) != nil }) else {
            throw WireError("MISSING_APP_CREDENTIAL")
        }
        throw try call.body.given("recaptchaToken") ?? call.body.given("captchaResponse") != nil
            ? WireError("CAPTCHA_CHECK_FAILED", "This server can't check it.")
            : WireError("INVALID_APP_CREDENTIAL", "This server can't check it.")
    }

    /// `accounts:verifyIosClient`: whether a silent notification reached the app. None is sent from here; the SDK then
    /// asks for a reCAPTCHA.
    static func verifyClient(_ call: DialectCall) async throws -> Response {
        try requireEnabled(call)
        throw WireError("INVALID_APP_CREDENTIAL", "No notifications are sent.")
    }

    /// `accounts:signInWithPhoneNumber`
    static func signIn(_ call: DialectCall) async throws -> Response {
        try requireEnabled(call)
        let operation = try call.body.enumeration("operation", operations)
        let proof = try proof(call.body)
        guard try call.body.given("idToken") != nil else {
            guard operation != "UPDATE", operation != "LINK" else { throw AuthError(.tokenMissing) }
            return try await answer(proof, linkingTo: nil, call)
        }
        let (user, call) = try await call.signedIn()
        // Whoever finds an open session must not make it a lasting way in.
        if !user.user.isAnonymous { try user.requireRecentSignIn(call) }
        return try await answer(proof, linkingTo: user, call)
    }

    private static func proof(_ body: Input) throws -> NumberProof {
        if let text = try body.given("temporaryProof") {
            guard let number = try body.phone() else { throw WireError("MISSING_PHONE_NUMBER") }
            return .proved(number, text)
        }
        guard let session = try body.given("sessionInfo") else { throw WireError("MISSING_SESSION_INFO") }
        guard let code = try body.given("code") else { throw WireError("MISSING_CODE") }
        return .code(session: session, code)
    }

    private static func answer(
        _ proof: NumberProof, linkingTo user: AuthenticatedUser?, _ call: DialectCall
    ) async throws -> Response {
        switch try await outcome(proof, linkingTo: user, call) {
        case .anothers(let number, let text, let lifetime):
            return Answer.object([
                "phoneNumber": .string(number.e164), "temporaryProof": .string(text),
                "temporaryProofExpiresIn": .string(String(lifetime.seconds)),
            ])
        case .signedIn(let step, let isNew):
            let issued = try step.session()
            var json: JSONObject = ["localId": .string(issued.user.localID), "isNewUser": .bool(isNew)]
            json["phoneNumber"] = issued.user.phone.map { .string($0.e164) }
            try await call.tokens(issued).add(to: &json)
            return Answer.object(json)
        }
    }

    private static func outcome(
        _ proof: NumberProof, linkingTo user: AuthenticatedUser?, _ call: DialectCall
    ) async throws -> PhoneSignIn.Outcome {
        do {
            return try await call.accounts.phoneSignIn(proof, linkingTo: user, call: call.flow)
        } catch let error as AuthError {
            switch (error.code, proof) {
            case (.oneTimeTokenInvalid, _): throw WireError("INVALID_CODE")
            case (.flowStateNotFound, .code): throw WireError("INVALID_SESSION_INFO")
            case (.flowStateExpired, .code): throw WireError("SESSION_EXPIRED")
            case (.flowStateNotFound, .proved), (.flowStateExpired, .proved):
                throw WireError("INVALID_TEMPORARY_PROOF")
            case (.emailNotVerified, _):
                throw WireError("UNVERIFIED_EMAIL", "The email address must be verified before a number is linked.")
            default: throw error
            }
        }
    }

    /// - Throws: `UNSUPPORTED_TENANT_OPERATION`, `OPERATION_NOT_ALLOWED`.
    private static func requireEnabled(_ call: DialectCall) throws {
        // The platform's tenants have numbers as second factors alone.
        guard call.directory.tenantID == nil else { throw WireError("UNSUPPORTED_TENANT_OPERATION") }
        guard call.flow.settings.signUp.phoneEnabled else { throw AuthError(.phoneSignInDisabled) }
    }
}
