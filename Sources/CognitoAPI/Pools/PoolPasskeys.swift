// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// `WebAuthnConfiguration` of `SetUserPoolMfaConfig`: for which domain passkeys are made, and whether they verify their
/// user. Whether there are any is `SignInPolicy`'s to say.
enum PoolPasskeys {
    private static let domain = Member("RelyingPartyId", 1...127)

    /// What is not given stays: passkeys that were made for one domain are good for nothing under another.
    ///
    /// - Throws: `InvalidParameterException`.
    static func read(_ input: Input, into settings: inout DirectorySettings) throws(WireError) {
        guard let configuration = try input.members("WebAuthnConfiguration").map({ Input($0) }) else { return }
        let use = try configuration.choice(
            "FactorConfiguration", from: ["SINGLE_FACTOR", "MULTI_FACTOR_WITH_USER_VERIFICATION"])
        guard use != "SINGLE_FACTOR" else {
            throw .parameter("FactorConfiguration SINGLE_FACTOR is not supported by this server.")
        }
        if let id = try configuration.text(domain) {
            guard isDomain(id) else { throw .parameter("RelyingPartyId is not a domain name.") }
            settings.passkeys.relyingPartyID = id
        }
        if let verification = try configuration.choice("UserVerification", from: ["required", "preferred"]) {
            settings.passkeys.userVerification = verification == "required" ? .required : .preferred
        }
    }

    /// `nil` for a pool that was told no domain.
    static func json(of settings: DirectorySettings) -> JSONObject? {
        guard let domain = settings.passkeys.relyingPartyID else { return nil }
        return [
            "RelyingPartyId": .string(domain),
            "UserVerification": settings.passkeys.userVerification == .required ? "required" : "preferred",
            "FactorConfiguration": "MULTI_FACTOR_WITH_USER_VERIFICATION",
        ]
    }

    /// Labels of letters, digits and hyphens (RFC 1123, section 2.1), in lower case.
    private static func isDomain(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
        }
    }
}
