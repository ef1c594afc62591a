// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

extension PlatformAccounts {
    private static let secretLengths = 10...128
    /// With a blank and a number behind it, it is a name too; the platform's passkeys have no longer ones.
    private static let longestName = Factor.longestName - 8

    /// `nil` for one that was never proved: nothing is left of what it was to be proved by.
    ///
    /// - Parameter others: the user's, by whose names it is not called.
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the column.
    func factor(_ row: PlatformRow, of user: User, beside others: [Factor]) throws -> Factor? {
        guard row.text("status") == "verified" else { return nil }
        let id = try row.identifier("id")
        let createdAt = try row.time("created_at", otherwise: user.createdAt)
        let updatedAt = try row.time("updated_at", otherwise: createdAt)
        return Factor(
            id: FactorID(id), directoryID: directory.id, userID: user.id,
            credential: try credential(row, id, of: user), name: name(row, beside: others), verifiedAt: createdAt,
            createdAt: createdAt, updatedAt: updatedAt, lastChallengedAt: try row.time("last_challenged_at"))
    }

    /// Whether its user was verified when it was made, nobody wrote down.
    ///
    /// - Parameter others: the user's, by whose names it is not called.
    func passkey(_ row: PlatformRow, of user: User, beside others: [Factor]) throws -> Factor {
        func octets(_ column: String) -> [UInt8]? {
            row.text(column).flatMap { $0.hasPrefix("\\x") ? Hex.decode(String($0.dropFirst(2))) : nil }
        }
        guard let id = octets("credential_id"), (1...1023).contains(id.count), let key = octets("public_key"),
            (1...4096).contains(key.count), let count = UInt32(exactly: row.whole("sign_count") ?? 0)
        else { throw AuthError(.invalidRequest, reason: "no public key credential", field: "webauthn_credentials") }
        let createdAt = try row.time("created_at", otherwise: user.createdAt)
        let credential = WebAuthnCredential(
            use: .signIn, id: id, publicKey: key, signatureCount: count,
            transports: (row.json["transports"]?.arrayValue ?? []).compactMap(\.stringValue),
            aaguid: row.text("aaguid").flatMap(UUIDText.decode) ?? [],
            relyingParty: try relyingParty("webauthn_credentials"), isDiscoverable: true,
            isBackupEligible: row.flag("backup_eligible"), isBackedUp: row.flag("backed_up"),
            userHandle: Array(user.id.rawValue.utf8))
        return Factor(
            id: FactorID(try row.identifier("id")), directoryID: directory.id, userID: user.id,
            credential: .webAuthn(credential), name: name(row, beside: others), verifiedAt: createdAt,
            createdAt: createdAt, updatedAt: try row.time("updated_at", otherwise: createdAt),
            lastUsedAt: try row.time("last_used_at"))
    }

    /// What a factor is called, as much of it as a name may be here: users choose it, and none of them can keep their
    /// account from being taken over by a long one. Two that are called the same there are told apart by a number.
    private func name(_ row: PlatformRow, beside others: [Factor]) -> String? {
        var name = ""
        for scalar in row.text("friendly_name")?.unicodeScalars ?? "".unicodeScalars
        where scalar.properties.generalCategory != .control {
            guard name.utf8.count + UTF8.width(scalar) <= Self.longestName else { break }
            name.unicodeScalars.append(scalar)
        }
        guard !name.isEmpty else { return nil }
        let names = Set(others.compactMap(\.name))
        guard names.contains(name) else { return name }
        return (2...).lazy.map { "\(name) \($0)" }.first { !names.contains($0) }
    }

    /// For which site a key is taken that does not say so itself: the Directory's, or the host of its site, where the
    /// platform's clients make them.
    private func relyingParty(_ column: String) throws -> String {
        guard
            let host = directory.settings.passkeys.relyingPartyID ?? site
        else {
            throw AuthError(
                .invalidRequest, reason: "needs to be told for which site it was made: directory.passkeys.rpId",
                field: column)
        }
        return host
    }

    private func credential(_ row: PlatformRow, _ id: String, of user: User) throws -> Factor.Credential {
        switch row.text("factor_type") {
        case "totp":
            let text = try row.text("secret").map { try secrets.opened($0, of: id, "secret").reveal() }
            guard let secret = text.flatMap(Base32.decode), Self.secretLengths.contains(secret.count) else {
                throw AuthError(.invalidRequest, reason: "no secret of 80 to 1,024 bits in Base32", field: "secret")
            }
            return .totp(Secret(secret))
        case "phone":
            guard let number = row.text("phone") else {
                throw AuthError(.invalidRequest, reason: "no number", field: "mfa_factors.phone")
            }
            return .phone(try PhoneNumber(number))
        case "webauthn":
            return .webAuthn(try webAuthn(row.object("web_authn_credential"), of: user))
        default:
            throw AuthError(.invalidRequest, reason: "no kind of factor that is known", field: "factor_type")
        }
    }

    /// As the platform's library writes one down (go-webauthn, `Credential`).
    private func webAuthn(_ json: JSONObject, of user: User) throws -> WebAuthnCredential {
        func octets(_ name: String, in json: JSONObject = json) -> [UInt8]? {
            json[name]?.stringValue.flatMap { Base64.decode($0) ?? Base64URL.decode($0) }
        }
        let flags = json["flags"]?.objectValue ?? [:]
        let authenticator = json["authenticator"]?.objectValue ?? [:]
        guard let id = octets("id"), (1...1023).contains(id.count), let key = octets("publicKey"),
            (1...4096).contains(key.count),
            let count = UInt32(exactly: authenticator["signCount"]?.integerValue ?? 0)
        else {
            throw AuthError(.invalidRequest, reason: "no public key credential", field: "web_authn_credential")
        }
        return WebAuthnCredential(
            use: .secondFactor, id: id, publicKey: key, signatureCount: count,
            transports: (json["transport"]?.arrayValue ?? []).compactMap(\.stringValue),
            aaguid: octets("AAGUID", in: authenticator) ?? [], relyingParty: try relyingParty("web_authn_credential"),
            isUserVerified: flags["userVerified"]?.boolValue ?? false,
            isBackupEligible: flags["backupEligible"]?.boolValue ?? false,
            isBackedUp: flags["backupState"]?.boolValue ?? false, userHandle: Array(user.id.rawValue.utf8))
    }
}
