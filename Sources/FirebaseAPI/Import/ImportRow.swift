// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// One user of an import as the wire has them.
struct ImportRow {
    /// Why a user can't be taken over, in the platform's words where it has any.
    struct Fault: Error {
        let message: String
    }

    let row: Input
    let hash: ImportHash?
    /// The tenant that the import is into.
    let tenant: String?
    let settings: DirectorySettings

    /// - Throws: ``Fault``; `WireError` for a member of another type, which fails the whole call.
    func user() throws -> ImportedUser {
        guard let localID = try row.given("localId"), let identifier = try? ExternalIdentifier(localID) else {
            throw Fault(message: "localId is missing")
        }
        var user = ImportedUser(identifier: identifier)
        guard try row.given("tenantId") ?? tenant == tenant else {
            throw Fault(message: "Tenant id in userInfo does not match the tenant id in request.")
        }
        if let text = try row.given("email") {
            guard let email = try? EmailAddress(text) else { throw Fault(message: "email is invalid") }
            user.email = email
        }
        user.isEmailVerified = try row.flag("emailVerified") ?? false
        if let text = try row.given("phoneNumber") {
            guard text.hasPrefix("+"), let phone = try? PhoneNumber(text) else {
                throw Fault(message: "phone number format is invalid")
            }
            user.phone = phone
        }
        if try row.given("rawPassword") != nil {
            throw Fault(message: "rawPassword is not supported: an import hashes nothing.")
        }
        user.factors = try factors(of: user)
        user.passwordHash = try passwordHash()
        user.userMetadata = try UpdateEndpoint.profile(row) ?? [:]
        user.operatorAttributes = try claims()
        user.providers = try providers()
        user.isBanned = try row.flag("disabled") ?? false
        user.createdAt = try row.number("createdAt").flatMap(Self.instant)
        user.lastSignInAt = try row.number("lastLoginAt").flatMap(Self.instant)
        user.tokensValidSince = try row.number("validSince").flatMap { seconds in
            Self.seconds.contains(seconds) ? Instant(seconds: seconds) : nil
        }
        return user
    }

    private func passwordHash() throws -> String? {
        guard let text = try row.given("passwordHash") else { return nil }
        guard let hash else { throw WireError("INVALID_HASH_ALGORITHM") }
        guard let encoded = hash.text(text, salt: try row.text("salt")) else {
            throw Fault(message: "password hash is invalid")
        }
        return encoded
    }

    private func factors(of user: ImportedUser) throws -> [GivenFactor] {
        let entries = try row.objects("mfaInfo")
        guard !entries.isEmpty else { return [] }
        guard settings.factors.phone != .off else { throw Fault(message: "Second factor not supported.") }
        guard user.email != nil else { throw Fault(message: "Second factor account requires email to be presented.") }
        guard user.isEmailVerified else {
            throw Fault(message: "Second factor account requires email to be verified.")
        }
        do {
            let factors = try GivenEnrolments.read(entries, settings)
            guard factors.allSatisfy({ $0.phone != nil }) else {
                throw Fault(message: "Importing TOTP MFA is not supported.")
            }
            return factors
        } catch let error as AuthError {
            throw Fault(
                message: error.code == .invalidPhone ? "phone number format is invalid" : "enrolledAt is invalid")
        } catch let error as WireError where error.code == GivenEnrolments.unsupported.code {
            throw Fault(message: "Second factor not supported.")
        }
    }

    private func claims() throws -> JSONObject {
        guard let text = try row.given("customAttributes") else { return [:] }
        do throws(WireError) {
            return try CustomClaims(text).stored
        } catch {
            switch error.code {
            case "CLAIMS_TOO_LARGE": throw Fault(message: "Custom claims provided are too large.")
            case "FORBIDDEN_CLAIM": throw Fault(message: "Custom claims provided include a reserved claim.")
            default: throw Fault(message: "Invalid custom claims provided.")
            }
        }
    }

    /// What the address and the number are ways in by is not among them: that follows from the user.
    private func providers() throws -> [GivenIdentity] {
        var found: [GivenIdentity] = []
        for entry in try row.objects("providerUserInfo") {
            let name = try entry.given("providerId")
            if name == "password" || name == "phone" { continue }
            let subject = try entry.given("rawId") ?? entry.given("federatedId")
            guard let provider = try ProviderEntry.read(entry, subject: subject),
                !found.contains(where: { $0.name == provider.name && $0.subject == provider.subject })
            else { throw Fault(message: "federatedId or (providerId & rawId) is required") }
            found.append(provider)
        }
        return found
    }

    /// Years that every date format has.
    private static let seconds: ClosedRange<Int64> = 0...253_402_300_799

    private static func instant(milliseconds: Int64) -> Instant? {
        guard (0...253_402_300_799_000).contains(milliseconds) else { return nil }
        return Instant(microseconds: milliseconds * 1000)
    }
}
