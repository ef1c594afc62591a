// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `CreateUserPoolDomain`, `DescribeUserPoolDomain`, `UpdateUserPoolDomain`, `DeleteUserPoolDomain`.
enum DomainEndpoints {
    static func create(_ call: DialectCall) async throws -> JSONObject {
        let request = try DomainRequest(call.input)
        let name = try request.newName(in: call.dialect)
        do {
            let domain = try await call.accounts.domainAdministration.create(
                name: name, kind: request.kind, attributes: request.attributes, call: call.flow)
            call.dialect.directories.invalidate()
            return answer(domain, call)
        } catch let error as AuthError where error.code == .conflict {
            throw error.field == "kind"
                ? WireError.parameter("User pool already has a domain configured.") : DomainRequest.taken
        }
    }

    /// Says nothing of a domain that is none, and is no error: so the service has it.
    static func describe(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.domain)
        guard let (domain, directory) = try await call.accounts.domainAdministration.find(name, call: call.flow) else {
            return ["DomainDescription": [:]]
        }
        return ["DomainDescription": .object(encode(domain, of: directory, call.dialect))]
    }

    static func update(_ call: DialectCall) async throws -> JSONObject {
        let request = try DomainRequest(call.input)
        let domain = try await named(call) { administration, name in
            try await administration.update(name, call: call.flow) { domain in
                guard request.certificate == nil || domain.kind == .custom else {
                    throw WireError.parameter("CustomDomainConfig is of custom domains, and this is a prefix.")
                }
                domain.attributes = domain.attributes.merging(request.attributes)
            }
        }
        call.dialect.directories.invalidate()
        return answer(domain, call)
    }

    static func delete(_ call: DialectCall) async throws -> JSONObject {
        try await named(call) { try await $0.delete($1, call: call.flow) }
        call.dialect.directories.invalidate()
        return [:]
    }

    // MARK: Shared

    /// Says a missing domain in the service's words, which call it a bad parameter.
    private static func named<Value: Sendable>(
        _ call: DialectCall, _ body: (DomainAdministration, String) async throws -> Value
    ) async throws -> Value {
        let name = try call.input.required(.domain)
        do {
            return try await body(call.accounts.domainAdministration, name)
        } catch let error as AuthError where error.code == .notFound {
            throw WireError.parameter("No such domain or user pool exists.")
        }
    }

    private static func answer(_ domain: DirectoryDomain, _ call: DialectCall) -> JSONObject {
        var json: JSONObject = ["ManagedLoginVersion": domain.attributes["ManagedLoginVersion"] ?? 1]
        if domain.kind == .custom { json["CloudFrontDomain"] = .string(call.dialect.host) }
        return json
    }

    /// `DomainDescriptionType`. What a custom domain's name is to lead to is this server.
    private static func encode(
        _ domain: DirectoryDomain, of directory: Directory, _ dialect: CognitoDialect
    ) -> JSONObject {
        var json: JSONObject = [
            "UserPoolId": .string(dialect.poolID(of: directory)), "AWSAccountId": "000000000000",
            "Domain": .string(domain.name), "CloudFrontDistribution": .string(dialect.host),
            "Version": .string(version(domain.updatedAt)), "Status": "ACTIVE",
            "ManagedLoginVersion": domain.attributes["ManagedLoginVersion"] ?? 1,
        ]
        json["CustomDomainConfig"] = domain.attributes["CustomDomainConfig"]
        return json
    }

    /// Digits of the last change's time, as the service has them.
    private static func version(_ instant: Instant) -> String {
        String(instant.rfc3339.filter { $0.isASCII && $0.isNumber }.prefix(14))
    }
}
