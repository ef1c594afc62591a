// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// An identity provider as an operator is shown it, here and on the command line, and as it is written. Its secret is
/// written and never shown.
public enum IdentityProviderDocument {
    public static func encode(_ provider: IdentityProvider) -> JSONObject {
        var mapping: JSONObject = [:]
        for (attribute, claim) in provider.attributeMapping.sorted(by: { $0.key < $1.key }) {
            mapping[attribute] = .string(claim)
        }
        return [
            "name": .string(provider.name), "kind": .string(provider.kind.rawValue),
            "displayName": text(provider.displayName), "issuer": text(provider.issuer),
            "clientIds": texts(provider.clientIDs), "hasSecret": .bool(provider.secret != nil),
            "appleTeamId": text(provider.appleTeamID), "appleKeyId": text(provider.appleKeyID),
            "scopes": texts(provider.scopes), "authorizationEndpoint": text(provider.endpoints.authorization),
            "tokenEndpoint": text(provider.endpoints.token), "userInfoEndpoint": text(provider.endpoints.userInfo),
            "jwksUri": text(provider.endpoints.jwks), "revocationEndpoint": text(provider.endpoints.revocation),
            "organizations": texts(provider.organizations), "enabled": .bool(provider.isEnabled),
            "signUpAllowed": .bool(provider.signUpAllowed), "emailOptional": .bool(provider.emailOptional),
            "skipsNonceCheck": .bool(provider.skipsNonceCheck),
            "grantCheckHours": .integer(Int64(provider.grantCheckHours)), "attributeMapping": .object(mapping),
            "createdAt": .string(provider.createdAt.rfc3339), "updatedAt": .string(provider.updatedAt.rfc3339),
        ]
    }

    /// What is said of a provider. A member that is left out stays; a null empties what may be empty.
    ///
    /// - Parameter passed: members that are somebody else's to read.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the member, for an unknown one too.
    public static func change(
        _ json: JSONObject, passing passed: Set<String> = []
    ) throws(AuthError) -> IdentityProviderChange {
        var change = IdentityProviderChange()
        for member in json.members where !passed.contains(member.name) {
            let reader = MemberReader(name: member.name, value: member.value)
            switch member.name {
            case "displayName": change.displayName = try reader.change { $0.stringValue }
            case "issuer": change.issuer = try reader.change { $0.stringValue }
            case "clientIds": change.clientIDs = try reader.texts()
            case "secret": change.secret = Secret(member.value == .null ? "" : try reader.text())
            case "appleTeamId": change.appleTeamID = try reader.change { $0.stringValue }
            case "appleKeyId": change.appleKeyID = try reader.change { $0.stringValue }
            case "scopes": change.scopes = try reader.texts()
            case "authorizationEndpoint": change.authorizationEndpoint = try reader.change { $0.stringValue }
            case "tokenEndpoint": change.tokenEndpoint = try reader.change { $0.stringValue }
            case "userInfoEndpoint": change.userInfoEndpoint = try reader.change { $0.stringValue }
            case "jwksUri": change.jwksURI = try reader.change { $0.stringValue }
            case "revocationEndpoint": change.revocationEndpoint = try reader.change { $0.stringValue }
            case "organizations": change.organizations = try reader.texts()
            case "enabled": change.isEnabled = try reader.flag()
            case "signUpAllowed": change.signUpAllowed = try reader.flag()
            case "emailOptional": change.emailOptional = try reader.flag()
            case "skipsNonceCheck": change.skipsNonceCheck = try reader.flag()
            case "grantCheckHours": change.grantCheckHours = Int(clamping: try reader.number() ?? 0)
            case "attributeMapping": change.attributeMapping = try mapping(reader)
            default: throw AuthError(.invalidRequest, reason: "unknown member", field: member.name)
            }
        }
        return change
    }

    /// The members that only say what is: `show` prints them, and a file that it printed may be read again.
    public static let shownOnly: Set<String> = ["name", "kind", "hasSecret", "createdAt", "updatedAt"]

    /// - Throws: `AuthErrorCode.invalidRequest`.
    public static func kind(_ json: JSONObject) throws(AuthError) -> IdentityProvider.Kind {
        guard let value = json["kind"] else {
            throw AuthError(.invalidRequest, reason: "a kind is needed", field: "kind")
        }
        return try MemberReader(name: "kind", value: value).choice()
    }

    private static func mapping(_ reader: MemberReader) throws(AuthError) -> [String: String] {
        guard let object = reader.value.objectValue else {
            throw AuthError(.invalidRequest, reason: "not of its type", field: reader.name)
        }
        var mapping: [String: String] = [:]
        for member in object.members {
            mapping[member.name] = try MemberReader(name: reader.name, value: member.value).text()
        }
        return mapping
    }

    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    private static func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
}
