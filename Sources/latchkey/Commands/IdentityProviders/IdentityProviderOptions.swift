// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AppAPI
import ArgumentParser
import AuthTypes
import Foundation

/// What is said of an identity provider when it is configured and when it is changed. What a file says comes first, and
/// the options over it.
struct IdentityProviderOptions: ParsableArguments {
    @Option(help: "A JSON file of settings, as `show --json` prints them; it may hold the secret too.")
    var settings: String?

    @Option(help: "A file with the client's secret, of Apple the team's private key; `-` for standard input.")
    var secretFile: String?

    @Option(help: "What users are shown; an empty one for the kind's own.") var displayName: String?

    @Option(help: "The issuer of an OpenID provider, or of one tenant of Microsoft.") var issuer: String?

    @Option(
        name: .customLong("client-id"), parsing: .upToNextOption,
        help: "The identifiers that this server and your apps have there; the first is sent with redirects.")
    var clientIDs: [String] = []

    @Option(name: .customLong("scope"), parsing: .upToNextOption, help: "What is asked for beside what is needed.")
    var scopes: [String] = []

    @Option(
        name: .customLong("organization"), parsing: .upToNextOption,
        help: "Whose people alone may come: Microsoft's tenants, Google's Workspace domains.")
    var organizations: [String] = []

    @Option(name: .customLong("apple-team-id"), help: "The team of Apple's key.") var appleTeamID: String?

    @Option(name: .customLong("apple-key-id"), help: "The identifier of Apple's key.") var appleKeyID: String?

    @Flag(inversion: .prefixedNo, help: "Whether users may come by it.") var enabled: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether whoever has no account gets one.") var signUp: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether somebody may come without an address.") var emailOptional: Bool?

    @Flag(
        name: .customLong("skip-nonce-check"), inversion: .prefixedNo,
        help: "Whether an ID token's nonce is not asked about, for SDKs that do not tell the app theirs.")
    var skipsNonceCheck: Bool?

    @Option(help: "After how many hours a grant is asked about again: 0 for never, or 24 and more.")
    var grantCheckHours: Int?

    func change() throws -> IdentityProviderChange {
        var change = try fileChange()
        if let displayName { change.displayName = Self.field(displayName) }
        if let issuer { change.issuer = Self.field(issuer) }
        if let appleTeamID { change.appleTeamID = Self.field(appleTeamID) }
        if let appleKeyID { change.appleKeyID = Self.field(appleKeyID) }
        change.clientIDs = Self.list(clientIDs) ?? change.clientIDs
        change.scopes = Self.list(scopes) ?? change.scopes
        change.organizations = Self.list(organizations) ?? change.organizations
        change.isEnabled = enabled ?? change.isEnabled
        change.signUpAllowed = signUp ?? change.signUpAllowed
        change.emailOptional = emailOptional ?? change.emailOptional
        change.skipsNonceCheck = skipsNonceCheck ?? change.skipsNonceCheck
        change.grantCheckHours = grantCheckHours ?? change.grantCheckHours
        if let secretFile { change.secret = try Self.secret(in: secretFile) }
        return change
    }

    private func fileChange() throws -> IdentityProviderChange {
        guard let settings else { return IdentityProviderChange() }
        guard let file = FileManager.default.contents(atPath: settings) else {
            throw CommandFailure("\(settings): no such file", .notFound)
        }
        guard let object = try? JSONObject(parsing: Array(file)) else {
            throw CommandFailure("\(settings): not a JSON object", .badData)
        }
        return try IdentityProviderDocument.change(object, passing: IdentityProviderDocument.shownOnly)
    }

    private static let longestSecret = 64 << 10

    /// Never an argument: whoever lists the machine's processes would read it.
    private static func secret(in path: String) throws -> Secret<String> {
        let data: Data?
        if path == "-" {
            data = try StandardInput.contents(limit: longestSecret)
        } else {
            data = FileManager.default.contents(atPath: path)
            guard data != nil else { throw CommandFailure("\(path): no such file", .notFound) }
        }
        guard let data, data.count <= longestSecret, let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure("\(path): not a secret", .badData)
        }
        return Secret(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static func field(_ text: String) -> FieldChange<String> { text.isEmpty ? .clear : .set(text) }

    /// `nil` where nothing is said; an empty text empties the list.
    private static func list(_ values: [String]) -> [String]? {
        values.isEmpty ? nil : values.filter { !$0.isEmpty }
    }
}
