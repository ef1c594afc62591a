// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What makes passkeys and signs with them: the system's own sheet, or a security key. It shows the user whose they are
/// and for which service, and asks for finger, face or PIN.
///
/// Options and answers have the JSON forms of Web Authentication Level 3, section 5.1
/// (`PublicKeyCredentialCreationOptionsJSON`, `…RequestOptionsJSON`, `RegistrationResponseJSON`,
/// `AuthenticationResponseJSON`), in which services and browsers exchange them.
public protocol PasskeyAuthenticator: Sendable {
    /// Makes a credential for these options.
    func register(_ options: JSONObject) async throws(PasskeyError) -> JSONObject
    /// Signs by one of the credentials that the options name, or by any of the service's where they name none.
    func authenticate(_ options: JSONObject) async throws(PasskeyError) -> JSONObject
}

/// Why there is no answer of an authenticator.
public enum PasskeyError: Error, Sendable, Hashable {
    /// The user closed the sheet. Not an error to show.
    case cancelled
    /// The device has none of the credentials that would do.
    case noCredential
    /// It has one of the user's already.
    case exists
    /// There are no passkeys here, or not for this app and service.
    case unavailable(reason: String)
}

extension AuthError {
    /// A ceremony that came to nothing.
    public init(noPasskey error: PasskeyError) {
        switch error {
        case .cancelled: self.init(.cancelled)
        case .noCredential: self.init(.factorNotFound, reason: "no passkey on this device")
        case .exists: self.init(.factorExists, reason: "a passkey on this device already")
        case .unavailable(let reason): self.init(.unsupported, reason: AuthError.readable(reason))
        }
    }
}
