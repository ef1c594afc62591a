// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A pool's settings, as `CreateIdentityPool` and `UpdateIdentityPool` give them and `DescribeIdentityPool` shows them.
struct IdentityPoolMembers: Sendable {
    private static let name = Member("IdentityPoolName", 1...128, .title)
    private static let clientPattern = Member.Pattern(text: "[\\w.;_/-]+") {
        Member.Pattern.isWord($0) || ".;/-".unicodeScalars.contains($0)
    }
    private static let providerPattern = Member.Pattern(text: "[\\w._:/-]+") {
        Member.Pattern.isWord($0) || ".:/-".unicodeScalars.contains($0)
    }
    private static let clientsShape = WireShape.map(
        keys: Member("SupportedLoginProviders", 1...128), .text(1...128, clientPattern), 0...10)
    private static let sourcesShape = WireShape.list(
        .structure([
            "ProviderName": .text(1...128, providerPattern),
            "ClientId": .text(1...128, Member.Pattern(text: "[\\w_]+", accepts: Member.Pattern.isWord)),
            "ServerSideTokenCheck": .flag,
        ]), 0...100)
    private static let arnsShape = WireShape.list(.text(20...2048), 0...100)

    private var name: String
    private var allowsGuests: Bool
    private var allowsClassicFlow: Bool?
    private var developerProvider: String?
    private var userSources: [IdentityPool.UserSource] = []
    private var clientIDs: [String: String] = [:]
    private var openIDSources: [IdentityPool.OpenIDSource] = []
    private var tags: [String: String]?

    // MARK: Reading

    /// - Throws: `InvalidParameterException` for providers that this server does not take the word of.
    init(_ call: IdentityPoolCall) async throws {
        let input = call.input
        name = try input.required(Self.name)
        guard let guests = try input.flag("AllowUnauthenticatedIdentities") else {
            throw Input.missing("AllowUnauthenticatedIdentities")
        }
        allowsGuests = guests
        allowsClassicFlow = try input.flag("AllowClassicFlow")
        developerProvider = try input.text(.developerName)
        tags = try TagEndpoints.tags("IdentityPoolTags", of: input)
        if let saml = try Self.arnsShape.read("SamlProviderARNs", of: input)?.arrayValue, !saml.isEmpty {
            throw WireError.parameter("SAML providers are not supported by this server.")
        }
        for member in try Self.clientsShape.read("SupportedLoginProviders", of: input)?.objectValue?.members ?? [] {
            guard let own = LoginNames.upstream(member.name) else {
                throw WireError.parameter(
                    "\(Input.excerpt(member.name)) is not supported in SupportedLoginProviders by this server.")
            }
            clientIDs[own] = member.value.stringValue
        }
        userSources = try Self.userSources(call)
        openIDSources = try await Self.openIDSources(call)
    }

    private static func userSources(_ call: IdentityPoolCall) throws -> [IdentityPool.UserSource] {
        let list = try sourcesShape.read("CognitoIdentityProviders", of: call.input)?.arrayValue ?? []
        var sources: [IdentityPool.UserSource] = []
        for source in list.compactMap(\.objectValue) {
            guard let name = source["ProviderName"]?.stringValue else { throw Input.missing("ProviderName") }
            guard let client = source["ClientId"]?.stringValue else { throw Input.missing("ClientId") }
            guard let directory = call.names.directory(ofUserPool: name) else {
                throw WireError.parameter("\(Input.excerpt(name)) is not a user pool of this server.")
            }
            let added = IdentityPool.UserSource(
                directory: directory, client: ClientID(client),
                checksSession: source["ServerSideTokenCheck"]?.boolValue ?? false)
            guard !sources.contains(where: { $0.directory == directory && $0.client == added.client }) else {
                throw WireError.parameter("CognitoIdentityProviders has a client more than once.")
            }
            sources.append(added)
        }
        return sources
    }

    private static func openIDSources(_ call: IdentityPoolCall) async throws -> [IdentityPool.OpenIDSource] {
        let arns = try arnsShape.read("OpenIdConnectProviderARNs", of: call.input)?.arrayValue ?? []
        guard !arns.isEmpty else { return [] }
        let configured = try await call.providers()
        var sources: [IdentityPool.OpenIDSource] = []
        for arn in arns.compactMap(\.stringValue) {
            guard let provider = LoginNames.provider(ofARN: arn, among: configured) else {
                throw WireError.parameter("\(Input.excerpt(arn)) is not an identity provider of this server.")
            }
            guard !sources.contains(where: { $0.provider == provider }) else {
                throw WireError.parameter("OpenIdConnectProviderARNs has a provider more than once.")
            }
            sources.append(.init(provider: provider, resource: arn))
        }
        return sources
    }

    func apply(to pool: inout IdentityPool) {
        pool.name = name
        pool.allowsGuests = allowsGuests
        pool.allowsClassicFlow = allowsClassicFlow
        pool.developerProvider = developerProvider ?? pool.developerProvider
        pool.userSources = userSources
        pool.clientIDs = clientIDs
        pool.openIDSources = openIDSources
        pool.tags = tags ?? pool.tags
    }

    // MARK: Showing

    static func encode(_ pool: IdentityPool, _ names: LoginNames) -> JSONObject {
        var json: JSONObject = [
            "IdentityPoolId": .string(names.dialect.wireID(pool.id)), "IdentityPoolName": .string(pool.name),
            "AllowUnauthenticatedIdentities": .bool(pool.allowsGuests),
        ]
        json["AllowClassicFlow"] = pool.allowsClassicFlow.map { .bool($0) }
        json["DeveloperProviderName"] = pool.developerProvider.map { .string($0) }
        if !pool.clientIDs.isEmpty {
            var clients = JSONObject()
            for (provider, client) in pool.clientIDs.sorted(by: { $0.key < $1.key }) {
                clients[names.shown(.upstream(provider), in: pool)] = .string(client)
            }
            json["SupportedLoginProviders"] = .object(clients)
        }
        if !pool.openIDSources.isEmpty {
            json["OpenIdConnectProviderARNs"] = .array(pool.openIDSources.map { .string($0.resource) })
        }
        if !pool.userSources.isEmpty {
            json["CognitoIdentityProviders"] = .array(
                pool.userSources.map {
                    [
                        "ProviderName": .string(names.shown($0.directory)), "ClientId": .string($0.client.rawValue),
                        "ServerSideTokenCheck": .bool($0.checksSession),
                    ]
                })
        }
        if !pool.tags.isEmpty { json["IdentityPoolTags"] = TagEndpoints.encode(pool.tags) }
        return json
    }
}
