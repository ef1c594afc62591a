// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The values that a mail is filled with.
public struct MailContext: Sendable {
    public var siteName: String
    public var siteURL: String
    public var email: String
    public var newEmail: String?
    public var link: String?
    public var code: String?
    public var tokenHash: String?
    public var redirectTo: String?
    /// How long the link works.
    public var expiresInMinutes: Int64?
    /// How long the code works, where it is shorter.
    public var codeExpiresInMinutes: Int64?
    /// The user's own metadata, for an operator's templates.
    public var data: JSONObject

    public init(
        siteName: String, siteURL: String, email: String, newEmail: String? = nil, link: String? = nil,
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

    /// For templates: every value as text, under its name.
    var values: [String: Any] {
        var values: [String: Any] = ["siteName": siteName, "siteURL": siteURL, "email": email]
        values["newEmail"] = newEmail
        values["link"] = link
        values["code"] = code
        values["tokenHash"] = tokenHash
        values["redirectTo"] = redirectTo
        values["expiry"] = expiresInMinutes.map { Self.duration($0) }
        values["codeExpiry"] = (codeExpiresInMinutes ?? expiresInMinutes).map { Self.duration($0) }
        var data: [String: Any] = [:]
        for member in self.data.members {
            switch member.value {
            case .string(let text): data[member.name] = text
            case .integer(let number): data[member.name] = String(number)
            case .bool(let flag): data[member.name] = flag
            default: break
            }
        }
        values["data"] = data
        return values
    }

    /// `90` as `1.5 h` would puzzle: whole hours are hours, all else is minutes. The unit reads the same in each language.
    private static func duration(_ minutes: Int64) -> String {
        minutes >= 60 && minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes) min"
    }
}
