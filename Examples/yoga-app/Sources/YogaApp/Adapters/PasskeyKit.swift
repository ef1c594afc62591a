// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(Linux)
    import AuthenticationServices
    import LatchkeyClient

    /// Apple's own passkeys, which iCloud Keychain or another app keeps. The app's entitlement names the service's
    /// domain (`webcredentials:login.example.com`), and the domain the app (`/.well-known/apple-app-site-association`).
    @MainActor
    public final class PasskeyKit: NSObject, PasskeyAuthenticator {
        private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
        private var waiting: CheckedContinuation<Result<JSONObject, PasskeyError>, Never>?

        /// - Parameter anchor: the window that Apple's sheet is shown over.
        public init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
            self.anchor = anchor
        }

        public func register(_ options: JSONObject) async throws(PasskeyError) -> JSONObject {
            let user = options["user"]?.objectValue
            guard let domain = options["rp"]?.objectValue?["id"]?.stringValue,
                let challenge = options.data("challenge"),
                let id = user?.data("id"), let name = user?["name"]?.stringValue
            else { throw PasskeyError.unavailable(reason: "options without a domain, a challenge or a user") }
            let request = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: domain)
                .createCredentialRegistrationRequest(challenge: challenge, name: name, userID: id)
            let selection = options["authenticatorSelection"]?.objectValue
            request.userVerificationPreference = .init(
                rawValue: selection?["userVerification"]?.stringValue ?? "preferred")
            if #available(iOS 17.4, macOS 14.4, *) {
                request.excludedCredentials = options.credentials("excludeCredentials")
            }
            return try await show(request)
        }

        public func authenticate(_ options: JSONObject) async throws(PasskeyError) -> JSONObject {
            guard let domain = options["rpId"]?.stringValue, let challenge = options.data("challenge") else {
                throw PasskeyError.unavailable(reason: "options without a domain or a challenge")
            }
            let request = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: domain)
                .createCredentialAssertionRequest(challenge: challenge)
            request.allowedCredentials = options.credentials("allowCredentials")
            request.userVerificationPreference = .init(
                rawValue: options["userVerification"]?.stringValue ?? "preferred")
            return try await show(request)
        }

        private func show(_ request: ASAuthorizationRequest) async throws(PasskeyError) -> JSONObject {
            // One sheet at a time.
            guard waiting == nil else { throw PasskeyError.unavailable(reason: "a sheet is open") }
            let outcome = await withCheckedContinuation { continuation in
                waiting = continuation
                let controller = ASAuthorizationController(authorizationRequests: [request])
                controller.delegate = self
                controller.presentationContextProvider = self
                controller.performRequests()
            }
            return try outcome.get()
        }

        private func finish(_ outcome: Result<JSONObject, PasskeyError>) {
            waiting?.resume(returning: outcome)
            waiting = nil
        }
    }

    extension PasskeyKit: ASAuthorizationControllerDelegate {
        public func authorizationController(
            controller: ASAuthorizationController,
            didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            switch authorization.credential {
            case let made as ASAuthorizationPlatformPublicKeyCredentialRegistration:
                finish(
                    .success(
                        .credential(
                            made.credentialID,
                            ["clientDataJSON": made.rawClientDataJSON, "attestationObject": made.rawAttestationObject]))
                )
            case let shown as ASAuthorizationPlatformPublicKeyCredentialAssertion:
                finish(
                    .success(
                        .credential(
                            shown.credentialID,
                            [
                                "clientDataJSON": shown.rawClientDataJSON, "signature": shown.signature,
                                "authenticatorData": shown.rawAuthenticatorData, "userHandle": shown.userID,
                            ])))
            default: finish(.failure(.unavailable(reason: "not a passkey")))
            }
        }

        public func authorizationController(
            controller: ASAuthorizationController, didCompleteWithError error: any Error
        ) {
            let code = (error as? ASAuthorizationError)?.code
            if code == .canceled { return finish(.failure(.cancelled)) }
            if #available(iOS 18, macOS 15, *), code == .matchedExcludedCredential { return finish(.failure(.exists)) }
            finish(.failure(.unavailable(reason: error._domain)))
        }
    }

    extension PasskeyKit: ASAuthorizationControllerPresentationContextProviding {
        public func presentationAnchor(for controller: ASAuthorizationController)
            -> ASPresentationAnchor
        { anchor() }
    }

    extension JSONObject {
        /// Web Authentication Level 3, section 5.1: bytes are Base64URL without padding.
        fileprivate func data(_ name: String) -> Data? {
            self[name]?.stringValue.flatMap { Base64URL.decode($0) }.map { Data($0) }
        }

        fileprivate func credentials(_ name: String) -> [ASAuthorizationPlatformPublicKeyCredentialDescriptor] {
            (self[name]?.arrayValue ?? []).compactMap { $0.objectValue?.data("id") }
                .map { ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0) }
        }

        fileprivate static func credential(_ id: Data, _ parts: [String: Data?]) -> JSONObject {
            let name = JSONValue.string(Base64URL.encode(Array(id)))
            var response: JSONObject = [:]
            for (part, bytes) in parts.sorted(by: { $0.key < $1.key }) {
                response[part] = bytes.map { .string(Base64URL.encode(Array($0))) }
            }
            return [
                "id": name, "rawId": name, "type": "public-key", "authenticatorAttachment": "platform",
                "response": .object(response), "clientExtensionResults": [:],
            ]
        }
    }
#endif
