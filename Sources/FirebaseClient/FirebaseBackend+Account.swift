// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension FirebaseBackend: SignUpBackend {
    /// - Parameter request: `name` among its attributes is the account's name; the service keeps no others.
    public func signUp(_ request: SignUpRequest) async throws(AuthError) -> SignInStep {
        var body: JSONObject = [
            "email": .string(request.identifier), "password": .string(request.password.reveal()),
            "returnSecureToken": true,
        ]
        if let name = request.attributes["name"] { body["displayName"] = .string(name) }
        return try await step(service.ask("accounts:signUp", body), request.identifier)
    }

    /// The service mails to who is signed in: ``sendVerification(_:)``, which a service that keeps sessions calls for
    /// them.
    public func resendConfirmation(to identifier: String) async throws(AuthError) {
        throw AuthError(.unsupported, reason: "the service mails to who is signed in")
    }

    /// - Parameter code: `oobCode` of the mailed link. It gives no session.
    public func confirmSignUp(
        identifier: String, code: Secret<String>
    ) async throws(AuthError) -> SignInStep? {
        _ = try await service.ask("accounts:update", ["oobCode": .string(code.reveal())])
        return nil
    }

    /// Mails a link that signs in. Its `oobCode` is given back as `SignInProof.code(identifier:code:)`.
    ///
    /// - Parameter continueURL: where the link leads, of a domain that the project allows.
    public func sendSignInLink(to email: String, continueURL: String) async throws(AuthError) {
        _ = try await service.ask(
            "accounts:sendOobCode",
            [
                "requestType": "EMAIL_SIGNIN", "email": .string(email), "continueUrl": .string(continueURL),
                "canHandleCodeInApp": true,
            ])
    }
}

extension FirebaseBackend: VerificationBackend {
    /// Mails a link that shows that the address is the user's.
    public func sendVerification(_ tokens: TokenSet) async throws(AuthError) {
        _ = try await service.ask(
            "accounts:sendOobCode",
            ["requestType": "VERIFY_EMAIL", "idToken": .string(tokens.accessToken.reveal())])
    }
}

extension FirebaseBackend: RecoveryBackend {
    /// A project that tells who has an account is not repeated (G-3.6).
    public func beginRecovery(identifier: String) async throws(AuthError) {
        do {
            _ = try await service.ask(
                "accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": .string(identifier)])
        } catch  where error.reason == "EMAIL_NOT_FOUND" {
            return
        }
    }

    /// - Parameter proof: `oobCode` of the mailed link. It gives no session.
    public func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> SignInStep? {
        _ = try await service.ask(
            "accounts:resetPassword",
            ["oobCode": .string(proof.reveal()), "newPassword": .string(newPassword.reveal())])
        return nil
    }
}

extension FirebaseBackend: AccountBackend {
    /// A provider by its kit; an address with a password, or with a mailed link's code. Who is anonymous keeps their
    /// identifier.
    public func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        let token = JSONValue.string(tokens.accessToken.reveal())
        switch proof {
        case .identityToken(let identity):
            let grant = try await service.ask(
                "accounts:signInWithIdp", FirebaseCredential(identity).body(linking: tokens.accessToken)
            ).session()
            return await keepingName(of: identity, in: grant)
        case .password(let email, let password):
            return try await service.ask(
                "accounts:signUp",
                [
                    "idToken": token, "email": .string(email), "password": .string(password.reveal()),
                    "returnSecureToken": true,
                ]
            ).session()
        case .code(let email, let code):
            return try await service.ask(
                "accounts:signInWithEmailLink",
                ["idToken": token, "email": .string(email), "oobCode": .string(code.reveal())]
            ).session()
        case .browser, .link, .callback, .customToken, .anonymous, .passkey:
            throw AuthError(.unsupported, reason: "nothing that could be linked")
        }
    }

    public func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        let name = FirebaseCredential.name(of: provider)
        guard try await user(tokens).attributes["providers"]?.arrayValue?.contains(.string(name)) == true else {
            throw AuthError(.identityNotFound)
        }
        return try await update(tokens, ["deleteProvider": [.string(name)]])
    }

    /// - Parameter current: signs in anew first, which the service wants of a session that is not fresh.
    public func changePassword(
        _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant? {
        var tokens = tokens
        if let current {
            guard let email = (try? IDTokenClaims(reading: tokens.accessToken))?.members["email"]?.stringValue else {
                throw AuthError(.currentPasswordInvalid, reason: "the user has no address")
            }
            do throws(AuthError) {
                let proof = SignInProof.password(identifier: email, password: current)
                guard case .session(let grant) = try await reauthenticate(tokens, with: proof) else {
                    throw AuthError(.insufficientAssurance, reason: "the sign-in asks for a second factor")
                }
                // The address may be another's since the token was made.
                let subject = try IDTokenClaims(reading: tokens.accessToken).subject
                guard grant.user?.subject.utf8.elementsEqual(subject.utf8) == true else {
                    throw AuthError(.currentPasswordInvalid, reason: "another user's password")
                }
                tokens = grant.tokens
            } catch  where error.code == .invalidCredentials {
                throw AuthError(.currentPasswordInvalid, reason: error.reason)
            }
        }
        return try await update(tokens, ["password": .string(new.reveal())])
    }

    /// Nobody gets an account by it.
    public func reauthenticate(
        _ tokens: TokenSet, with proof: SignInProof
    ) async throws(AuthError) -> SignInStep {
        switch proof {
        case .anonymous, .customToken: throw AuthError(.reauthenticationInvalid, reason: "no proof of anybody")
        default: return try await signIn(proof, createsUser: false)
        }
    }

    /// The service does not say until when a sign-in keeps the account.
    ///
    /// - Throws: `reauthentication_needed` where the sign-in is too long ago.
    @discardableResult
    public func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
        _ = try await service.ask("accounts:delete", ["idToken": .string(tokens.accessToken.reveal())])
        return AccountDeletion()
    }

    /// `nil` keeps what is there, an empty text takes it away.
    public func changeProfile(
        _ tokens: TokenSet, name: String? = nil, picture: String? = nil
    ) async throws(AuthError) -> SessionGrant {
        var (changes, removed) = (JSONObject(), [JSONValue]())
        for (member, attribute, value) in [("displayName", "DISPLAY_NAME", name), ("photoUrl", "PHOTO_URL", picture)] {
            guard let value else { continue }
            if value.isEmpty { removed.append(.string(attribute)) } else { changes[member] = .string(value) }
        }
        if !removed.isEmpty { changes["deleteAttribute"] = .array(removed) }
        return try await update(tokens, changes)
    }

    /// Mails a link to the new address, which counts once it is opened.
    public func changeEmail(_ tokens: TokenSet, to email: String) async throws(AuthError) {
        _ = try await service.ask(
            "accounts:sendOobCode",
            [
                "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(tokens.accessToken.reveal()),
                "newEmail": .string(email),
            ])
    }

    /// The service gives new tokens only for some changes. What the ID token says is renewed for the others.
    private func update(_ tokens: TokenSet, _ changes: JSONObject) async throws(AuthError) -> SessionGrant {
        var body = changes
        body["idToken"] = .string(tokens.accessToken.reveal())
        body["returnSecureToken"] = true
        let answer = try await service.ask("accounts:update", body)
        return answer.hasSession ? try answer.session() : try await refresh(tokens)
    }
}
