// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Foundation
import Hummingbird

/// `/emulator/v1/projects/{project}/…`: what the test suites of apps ask the platform's emulator for. Without a
/// credential, as there, and so in development alone.
enum EmulatorEndpoints {
    /// Messages that are looked through.
    private static let mostLookedAt = 1000

    /// `DELETE …/accounts`: every user of the project, or of the tenant.
    static func deleteAccounts(_ call: DialectCall) async throws -> Response {
        var call = call
        call.flow.actor = .administrator("emulator")
        let users = call.accounts.userAdministration
        while true {
            let page = try await users.list(matching: nil, after: nil, limit: 1000, call: call.flow)
            for record in page.records { try await users.delete(record.user.id, soft: false, call: call.flow) }
            if page.next == nil { return Answer.object([:]) }
        }
    }

    /// `GET …/oobCodes`: the codes of mails that are still good, in the order in which they were sent.
    static func oobCodes(_ call: DialectCall) async throws -> Response {
        let messages = try await call.accounts.outboxInspection.messages(limit: mostLookedAt)
            .filter { $0.directoryID == call.directory.id && $0.channel == .mail }
        var codes: [JSONValue] = []
        for message in messages.reversed() {
            guard let link = message.link, let code = parameter("oobCode", of: link),
                let proof = try await call.accounts.inspectProof(
                    .linkToken(code), purposes: ActionMode.inspectable, call: call.flow),
                let mode = ActionMode(proof.purpose)
            else { continue }
            var json: JSONObject = [
                "email": .string(proof.user.user.email?.rawValue ?? message.recipient),
                "requestType": .string(mode.requestType), "oobCode": .string(code), "oobLink": .string(link),
            ]
            json["newEmail"] = proof.newEmail.map { .string($0.rawValue) }
            codes.append(.object(json))
        }
        return Answer.object(["oobCodes": .array(codes)])
    }

    /// `GET …/verificationCodes`: none, as long as no operation of this dialect sends any.
    static func verificationCodes(_ call: DialectCall) async throws -> Response {
        Answer.object(["verificationCodes": []])
    }

    /// `GET …/config`
    static func config(_ call: DialectCall) async throws -> Response { Answer.object(encode(call.flow.settings)) }

    /// `PATCH …/config`: the members that the body has.
    ///
    /// - Throws: the error of an operation that is not built, for several accounts with one address.
    static func updateConfig(_ call: DialectCall) async throws -> Response {
        var settings = call.flow.settings
        if try call.body.members("signIn")?.flag("allowDuplicateEmails") ?? false { throw WireError.notImplemented }
        if let isOn = try call.body.members("emailPrivacyConfig")?.flag("enableImprovedEmailPrivacy") {
            settings.signUp.concealsEmails = isOn
        }
        if settings != call.flow.settings {
            _ = try await call.accounts.directoryAdministration.update(
                call.directory.id, settings: settings, at: call.now)
            call.dialect.directories.invalidate()
        }
        return Answer.object(encode(settings))
    }

    private static func encode(_ settings: DirectorySettings) -> JSONObject {
        [
            "signIn": ["allowDuplicateEmails": false],
            "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(settings.signUp.concealsEmails)],
        ]
    }

    private static func parameter(_ name: String, of link: String) -> String? {
        URLComponents(string: link)?.queryItems?.first { $0.name == name }?.value
    }
}
