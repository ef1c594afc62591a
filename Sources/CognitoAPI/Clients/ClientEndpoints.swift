// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `CreateUserPoolClient`, `DescribeUserPoolClient`, `UpdateUserPoolClient`, `ListUserPoolClients`,
/// `DeleteUserPoolClient`.
enum ClientEndpoints {
    static func create(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.clientName)
        if try call.input.text(Member("ClientSecret", 24...64, .clientID, sensitive: true)) != nil {
            throw WireError.parameter("ClientSecret is not supported by this server: GenerateSecret makes one.")
        }
        let settings = try ClientRequest.settings(call.input, of: call.pool)
        let withSecret = try call.input.flag("GenerateSecret") ?? false
        try await check(settings, hasSecret: withSecret, call)
        try await prepare(settings, call)
        let client = try await known {
            try await call.accounts.clientAdministration.create(
                name: name, withSecret: withSecret, settings: settings, dialect: CognitoDialect.name,
                scopes: OAuthMembers.scopeRule, call: call.flow)
        }
        call.dialect.clients.invalidate()
        return answer(client, call)
    }

    static func describe(_ call: DialectCall) async throws -> JSONObject {
        answer(try await named(call) { try await $0.get($1, call: call.flow) }, call)
    }

    static func update(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.text(.clientName)
        let settings = try ClientRequest.settings(call.input, of: call.pool)
        let former = try await named(call) { try await $0.get($1, call: call.flow) }
        try await check(settings, hasSecret: former.isConfidential, call)
        try await prepare(settings, call)
        let client = try await named(call) { administration, id in
            try await known {
                // What is not said has its default: every list is written whole.
                try await administration.update(
                    id, name: name, scopes: OAuthMembers.scopeRule, writing: Set(ClientAdministration.List.allCases),
                    call: call.flow
                ) {
                    $0 = settings.with(whatIsNotOurs: $0)
                }
            }
        }
        call.dialect.clients.invalidate()
        return answer(client, call)
    }

    static func list(_ call: DialectCall) async throws -> JSONObject {
        let page = try Page(
            call.input, of: ["clients", call.directory.id.rawValue], limit: "MaxResults", token: .nextToken, least: 1)
        let all = try await call.accounts.clientAdministration.list(call: call.flow)
        let (clients, next) = page.cut(all, by: \.id.rawValue)
        var json: JSONObject = [
            "UserPoolClients": .array(clients.map { .object(ClientWire.summary($0, poolID: call.poolID)) })
        ]
        json["NextToken"] = next
        return json
    }

    static func delete(_ call: DialectCall) async throws -> JSONObject {
        try await named(call) { try await $0.delete($1, call: call.flow) }
        call.dialect.clients.invalidate()
        return [:]
    }

    private static func check(_ settings: ClientSettings, hasSecret: Bool, _ call: DialectCall) async throws {
        let offers = try await call.accounts.identityProviderCatalog.offers(in: call.directory.id, at: call.now)
        try OAuthMembers.check(
            settings.authorization, hasSecret: hasSecret, named: try OAuthMembers.providerNames(call.input),
            providers: Set(offers.map(\.name)), poolID: call.poolID)
    }

    /// Verifiers for SRP are easier to guess passwords by than hashes are, so a pool keeps them only once a client
    /// needs them: from then on, for every password that is set or typed.
    private static func prepare(_ settings: ClientSettings, _ call: DialectCall) async throws {
        guard settings.flows.contains(.srp), !call.flow.settings.password.srpEnabled else { return }
        try await call.accounts.directoryAdministration.update(call.directory.id, at: call.now) {
            $0.password.srpEnabled = true
        }
        call.dialect.directories.invalidate()
    }

    private static func known(_ body: () async throws -> Client) async throws -> Client {
        do {
            return try await body()
        } catch let error as UnknownScope {
            throw OAuthMembers.unknown(error)
        }
    }

    /// Says a missing client in the service's words.
    private static func named<Value: Sendable>(
        _ call: DialectCall, _ body: (ClientAdministration, ClientID) async throws -> Value
    ) async throws -> Value {
        let id = try call.input.required(.clientID)
        do {
            return try await body(call.accounts.clientAdministration, ClientID(id))
        } catch let error as AuthError where error.code == .clientNotFound {
            throw WireError.noClient(id)
        }
    }

    private static func answer(_ client: Client, _ call: DialectCall) -> JSONObject {
        ["UserPoolClient": .object(ClientWire.encode(client, poolID: call.poolID))]
    }
}
