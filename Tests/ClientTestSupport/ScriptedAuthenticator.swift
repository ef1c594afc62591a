// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// An authenticator that answers in the forms of Web Authentication Level 3, section 5.1 (`RegistrationResponseJSON`,
/// `AuthenticationResponseJSON`), and keeps what it was asked. Its signatures are nobody's.
public final class ScriptedAuthenticator: PasskeyAuthenticator {
    private let inside = Guarded<(asked: [JSONObject], failure: PasskeyError?)>(([], nil))

    public init() {}

    /// The options, in the order of asking.
    public var asked: [JSONObject] { inside.value.asked }
    /// What comes of every ceremony from now on; `nil` for an answer.
    public func fail(with failure: PasskeyError?) { inside.withLock { $0.failure = failure } }

    public static let registration: JSONObject = [
        "id": "kC2YF4kz1qf0HZl8Ywq4rA", "rawId": "kC2YF4kz1qf0HZl8Ywq4rA", "type": "public-key",
        "authenticatorAttachment": "platform",
        "response": [
            "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0", "attestationObject": "o2NmbXRkbm9uZQ",
            "transports": ["internal", "hybrid"],
        ], "clientExtensionResults": ["credProps": ["rk": true]],
    ]
    public static let assertion: JSONObject = [
        "id": "kC2YF4kz1qf0HZl8Ywq4rA", "rawId": "kC2YF4kz1qf0HZl8Ywq4rA", "type": "public-key",
        "authenticatorAttachment": "platform",
        "response": [
            "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0", "authenticatorData": "SZYN5YgOjGh0NBcP",
            "signature": "MEUCIQ",
            "userHandle": "NWIxYw",
        ], "clientExtensionResults": [:],
    ]

    public func register(_ options: JSONObject) async throws(PasskeyError) -> JSONObject {
        try answer(Self.registration, to: options)
    }
    public func authenticate(_ options: JSONObject) async throws(PasskeyError) -> JSONObject {
        try answer(Self.assertion, to: options)
    }

    private func answer(_ answer: JSONObject, to options: JSONObject) throws(PasskeyError) -> JSONObject {
        let failure = inside.withLock { inside in
            inside.asked.append(options)
            return inside.failure
        }
        if let failure { throw failure }
        return answer
    }
}
