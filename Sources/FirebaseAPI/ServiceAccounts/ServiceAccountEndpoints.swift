// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// The keys of a project's service accounts, as the platform's IAM API has them (`iam.googleapis.com`, v1). An account
/// is what its keys say it is: it begins with its first and has ended with its last.
enum ServiceAccountEndpoints {
    /// `GET /v1/projects/{project}/serviceAccounts`
    static func list(_ call: DialectCall) async throws -> Response {
        let keys = try await call.accounts.serviceAccountAdministration.list(in: call.directory)
        let accounts = Set(keys.filter { $0.revokedAt == nil }.map(\.account)).sorted()
        return Answer.object(
            accounts.isEmpty
                ? [:]
                : [
                    "accounts": .array(
                        accounts.map { account in
                            let email = ServiceAccountEmail(account, in: call.directory)
                            return [
                                "name": .string(name(email)), "projectId": .string(email.project),
                                "uniqueId": .string(email.text), "email": .string(email.text),
                                "displayName": .string(account),
                            ]
                        })
                ])
    }

    /// `POST /v1/projects/{project}/serviceAccounts/{account}/keys`: the answer alone has the private key.
    static func createKey(_ call: DialectCall) async throws -> Response {
        for (name, taken) in [("privateKeyType", fileType), ("keyAlgorithm", algorithm)] {
            guard let value = try call.body.given(name) else { continue }
            guard value == taken else { throw AuthError(.invalidRequest, field: name) }
        }
        let (key, privateKey) = try await call.accounts.serviceAccountAdministration.create(
            try account(call).account, scopes: call.entry.scopes, in: call.directory, at: call.now,
            by: call.flow.actor)
        let file = try ServiceAccountFile(
            key, privateKey: privateKey, in: call.directory, url: call.dialect.settings.url.text)
        var json = encode(key, call)
        json["privateKeyType"] = .string(fileType)
        json["privateKeyData"] = .string(Base64.encode(file.json.reveal().serialized()))
        var response = Answer.object(json)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// `GET …/keys`: those that are good.
    static func listKeys(_ call: DialectCall) async throws -> Response {
        let account = try account(call).account
        let keys = try await call.accounts.serviceAccountAdministration.list(in: call.directory)
            .filter { $0.account == account && $0.revokedAt == nil }
        return Answer.object(keys.isEmpty ? [:] : ["keys": .array(keys.map { .object(encode($0, call)) })])
    }

    /// `DELETE …/keys/{key}`
    static func deleteKey(_ call: DialectCall) async throws -> Response {
        let account = try account(call).account
        let id = ServiceAccountKeyID(call.parameter("key") ?? "")
        let administration = call.accounts.serviceAccountAdministration
        guard
            try await administration.list(in: call.directory).contains(where: { $0.id == id && $0.account == account })
        else { throw AuthError(.notFound) }
        try await administration.revoke(id, in: call.directory, at: call.now, by: call.flow.actor)
        return Answer.object([:])
    }

    // MARK: Wire

    private static let fileType = "TYPE_GOOGLE_CREDENTIALS_FILE"
    private static let algorithm = "KEY_ALG_RSA_2048"

    private static func account(_ call: DialectCall) throws -> ServiceAccountEmail {
        guard let email = ServiceAccountEmail(call.parameter("account") ?? ""),
            email.project == call.directory.projectID
        else { throw AuthError(.notFound) }
        return email
    }

    private static func name(_ email: ServiceAccountEmail) -> String {
        "projects/\(email.project)/serviceAccounts/\(email.text)"
    }

    private static func encode(_ key: ServiceAccountKey, _ call: DialectCall) -> JSONObject {
        let email = ServiceAccountEmail(key.account, in: call.directory)
        return [
            "name": .string("\(name(email))/keys/\(key.id.rawValue)"), "keyAlgorithm": .string(algorithm),
            "keyOrigin": "GOOGLE_PROVIDED", "keyType": "USER_MANAGED",
            "validAfterTime": .string(Instant(seconds: key.createdAt.seconds).rfc3339),
            "validBeforeTime": "9999-12-31T23:59:59Z",
        ]
    }
}
