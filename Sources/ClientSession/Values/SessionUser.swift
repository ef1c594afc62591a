// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The user of a session as the app shows them. `subject` is the only part that identifies (Y-K1).
public struct SessionUser: Sendable, Hashable {
    /// The identity service's own, stable identifier of the user: the claim `sub`.
    public var subject: String
    /// As the service knows it, confirmed or not.
    public var email: String?
    /// `nil` where the service does not say.
    public var emailVerified: Bool?
    /// In E.164, where the service has one.
    public var phoneNumber: String?
    /// The whole name, to be shown.
    public var name: String?
    /// The address of a picture, as the service gives it.
    public var picture: String?
    /// An account without any proof, which can be upgraded.
    public var isAnonymous: Bool
    /// What the user signed in with most recently, in the service's own word (`email`, `google`, `apple.com`).
    public var provider: String?
    /// What else the service tells of the user: metadata and profile attributes.
    public var attributes: JSONObject

    /// Somebody of whom the service says no more than this.
    public init(
        subject: String, email: String? = nil, emailVerified: Bool? = nil, phoneNumber: String? = nil,
        name: String? = nil, picture: String? = nil, isAnonymous: Bool = false, provider: String? = nil,
        attributes: JSONObject = [:]
    ) {
        self.subject = subject
        self.email = email
        self.emailVerified = emailVerified
        self.phoneNumber = phoneNumber
        self.name = name
        self.picture = picture
        self.isAnonymous = isAnonymous
        self.provider = provider
        self.attributes = attributes
    }
}
