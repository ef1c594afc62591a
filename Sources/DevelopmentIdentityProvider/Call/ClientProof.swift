// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import ServerKit

/// How a client proves itself: by its secret, in the header or in the form (RFC 6749, section 2.3.1), or at Apple's by
/// its team's key.
struct ClientProof: Sendable {
    let clientID: String

    /// - Throws: `invalid_client`.
    init(_ call: Call) throws {
        let vendor = try call.vendor
        let (name, secret) = Self.basic(call) ?? (call["client_id"] ?? "", call["client_secret"] ?? "")
        let registration = vendor.registration
        let isProven =
            vendor == .apple
            ? ClientSecretToken.isValid(secret, of: name, keys: call.keys, at: call.now)
            : constantTimeEqual(Array(secret.utf8), Array(registration.secret.reveal().utf8))
        guard registration.knows(name), isProven else { throw Self.refusal(of: vendor) }
        clientID = name
    }

    private static func basic(_ call: Call) -> (String, String)? {
        guard let field = call.headers[.authorization], field.prefix(6).lowercased() == "basic ",
            let bytes = Base64.decode(String(field.dropFirst(6))), let text = String(strictUTF8: bytes),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[colon...].dropFirst()))
    }

    private static func refusal(of vendor: Vendor) -> OAuthError {
        switch vendor {
        case .apple: OAuthError(.badRequest, "invalid_client", "")
        case .gitHub:
            OAuthError(
                .badRequest, "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.")
        case .facebook: OAuthError(.badRequest, "invalid_client", "Error validating client secret.")
        case .google, .microsoft, .openID:
            OAuthError(
                .unauthorized, "invalid_client", "The client is not known, or its secret is wrong",
                challenge: #"Basic realm="development""#)
        }
    }
}
