// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The values that a mail is filled with.
public struct MailContext: Sendable {
    public var siteName: String
    /// `nil` where the sender knows of no place.
    public var siteURL: String?
    public var email: String
    public var newEmail: String?
    /// What the user signs in as, where a mail says it.
    public var username: String?
    /// What an identity provider is called, where a mail is about one.
    public var provider: String?
    public var link: String?
    public var code: String?
    public var tokenHash: String?
    public var redirectTo: String?
    /// When, and roughly from where and from what, what the mail is about was done, where it says so.
    public var time: String?
    public var network: String?
    public var device: String?
    /// How long the link works.
    public var expiresInMinutes: Int64?
    /// How long the code works, where it is shorter.
    public var codeExpiresInMinutes: Int64?
    /// The user's own metadata, for an operator's templates.
    public var data: JSONObject

    public init(
        siteName: String, siteURL: String?, email: String, newEmail: String? = nil, link: String? = nil,
        code: String? = nil, tokenHash: String? = nil, redirectTo: String? = nil, expiresInMinutes: Int64? = nil,
        codeExpiresInMinutes: Int64? = nil, data: JSONObject = [:]
    ) {
        self.siteName = siteName
        self.siteURL = siteURL
        self.email = email
        self.newEmail = newEmail
        self.link = link
        self.code = code
        self.tokenHash = tokenHash
        self.redirectTo = redirectTo
        self.expiresInMinutes = expiresInMinutes
        self.codeExpiresInMinutes = codeExpiresInMinutes
        self.data = data
    }

    /// Every value under its name, for templates; each text has passed through `escape`.
    ///
    /// The metadata is a user's own, so nothing of it but texts, whole numbers and flags gets in, four objects deep.
    func values(escapedBy escape: (String) -> String) -> [String: Any] {
        var values: [String: Any] = [:]
        func set(_ name: String, _ text: String?) { values[name] = text.map(escape) }
        set("siteName", siteName)
        set("siteURL", siteURL)
        set("email", email)
        set("newEmail", newEmail)
        set("username", username)
        set("provider", provider)
        set("link", link)
        set("code", code)
        set("tokenHash", tokenHash)
        set("redirectTo", redirectTo)
        set("time", time)
        set("network", network)
        set("device", device)
        set("expiry", expiresInMinutes.map(Self.duration))
        set("codeExpiry", (codeExpiresInMinutes ?? expiresInMinutes).map(Self.duration))
        values["data"] = Self.values(of: data, depth: OperatorTemplate.deepestData, escape)
        return values
    }

    private static func values(of object: JSONObject, depth: Int, _ escape: (String) -> String) -> [String: Any] {
        var values: [String: Any] = [:]
        for member in object.members {
            let name = OperatorTemplate.memberName(member.name)
            switch member.value {
            case .string(let text): values[name] = escape(text)
            case .integer(let number): values[name] = String(number)
            case .bool(let flag): values[name] = flag
            case .object(let inner) where depth > 1:
                values[name] = Self.values(of: inner, depth: depth - 1, escape)
            default: break
            }
        }
        return values
    }

    /// `90` as `1.5 h` would puzzle: whole hours are hours, all else is minutes. The units read the same in each
    /// language.
    private static func duration(_ minutes: Int64) -> String {
        minutes >= 60 && minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes) min"
    }
}
