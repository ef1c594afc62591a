// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `CreateIdentityProvider`, `DescribeIdentityProvider`, `UpdateIdentityProvider`, `DeleteIdentityProvider`,
/// `ListIdentityProviders`, `GetIdentityProviderByIdentifier`.
enum IdentityProviderEndpoints {
    static func create(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.providerName)
        guard let type = try call.input.choice("ProviderType", from: ProviderDetails.types) else {
            throw Input.missing("ProviderType")
        }
        let kind = try ProviderDetails.kind(type)
        // The well-known ones are called what their type is, and others by a name that every dialect has for them.
        guard kind == .openID || name == type else {
            throw WireError.parameter("The provider name of \(type) must be \(type).")
        }
        guard let own = ProviderName.own(name), kind != .openID || IdentityProvider.Kind(rawValue: own) == nil else {
            throw WireError.parameter("A provider name has lower-case letters, digits, and . : - at this server.")
        }
        let change = try ProviderDetails(call.input, kind: kind, isNew: true)
        do {
            let provider = try await call.accounts.identityProviderAdministration.create(
                own, kind: kind, call: call.flow
            ) { change.apply(to: &$0) }
            call.accounts.identityProviderCatalog.invalidate()
            return answer(provider, call)
        } catch let error as AuthError where error.code == .conflict {
            guard error.field != "count" else {
                throw WireError("LimitExceededException", "You have exceeded the limit of identity providers.")
            }
            throw WireError("DuplicateProviderException", "A provider with the name \(name) already exists.")
        }
    }

    static func describe(_ call: DialectCall) async throws -> JSONObject {
        answer(try await named(call) { try await $0.get($1, call: call.flow) }, call)
    }

    /// What is not given stays.
    static func update(_ call: DialectCall) async throws -> JSONObject {
        let former = try await named(call) { try await $0.get($1, call: call.flow) }
        let change = try ProviderDetails(call.input, kind: former.kind, isNew: false)
        do {
            let provider = try await named(call) { providers, name in
                try await providers.update(name, call: call.flow) { change.apply(to: &$0) }
            }
            call.accounts.identityProviderCatalog.invalidate()
            return answer(provider, call)
        } catch let error as AuthError where error.code == .conflict {
            throw WireError.parameter("The issuer can't change while users sign in by it.")
        }
    }

    static func delete(_ call: DialectCall) async throws -> JSONObject {
        try await named(call) { try await $0.delete($1, call: call.flow) }
        call.accounts.identityProviderCatalog.invalidate()
        return [:]
    }

    static func list(_ call: DialectCall) async throws -> JSONObject {
        let page = try Page(
            call.input, of: ["identity providers", call.directory.id.rawValue], limit: "MaxResults", token: .nextToken)
        let (providers, next) = page.cut(try await all(call), by: \.name)
        var json: JSONObject = [
            "Providers": .array(
                providers.map { provider in
                    [
                        "ProviderName": .string(ProviderName.shown(provider.name)),
                        "ProviderType": .string(ProviderDetails.type(of: provider)),
                        "LastModifiedDate": provider.updatedAt.wireDate, "CreationDate": provider.createdAt.wireDate,
                    ]
                })
        ]
        json["NextToken"] = next
        return json
    }

    static func byIdentifier(_ call: DialectCall) async throws -> JSONObject {
        let identifier = try call.input.required(Member("IdpIdentifier", 1...40, .idpIdentifier))
        guard let found = try await all(call).first(where: { ProviderDetails.identifiers(of: $0).contains(identifier) })
        else { throw WireError.notFound("Identity provider \(Input.excerpt(identifier)) does not exist.") }
        return answer(found, call)
    }

    // MARK: Shared

    /// What the service's model can say: of the others it has no type.
    private static func all(_ call: DialectCall) async throws -> [IdentityProvider] {
        try await call.accounts.identityProviderAdministration.list(call: call.flow)
    }

    /// Says a missing provider in the service's words.
    private static func named<Value: Sendable>(
        _ call: DialectCall, _ body: (IdentityProviderAdministration, String) async throws -> Value
    ) async throws -> Value {
        let name = try call.input.required(.providerName)
        let missing = WireError.notFound("Identity provider \(Input.excerpt(name)) does not exist.")
        guard let own = ProviderName.own(name) else { throw missing }
        do {
            return try await body(call.accounts.identityProviderAdministration, own)
        } catch let error as AuthError where error.code == .identityProviderNotFound {
            throw missing
        }
    }

    private static func answer(_ provider: IdentityProvider, _ call: DialectCall) -> JSONObject {
        ["IdentityProvider": .object(ProviderDetails.encode(provider, poolID: call.poolID))]
    }
}

extension Member {
    fileprivate static let providerName = Member("ProviderName", 1...32, .providerName)
}

extension Member.Pattern {
    static let idpIdentifier = Self(text: "[\\w\\s+=.@-]+") {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || " _+=.@-".unicodeScalars.contains($0)
    }
}
