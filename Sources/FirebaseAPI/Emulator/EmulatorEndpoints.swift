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

    /// `GET …/verificationCodes`: the codes of text messages, in the order in which they were sent: of each number the
    /// last one, for as long as it is good unless it was used.
    static func verificationCodes(_ call: DialectCall) async throws -> Response {
        let messages = try await call.accounts.outboxInspection.messages(limit: mostLookedAt)
            .filter { $0.directoryID == call.directory.id && $0.channel == .sms && $0.code != nil }
        var seen: Set<String> = []
        var codes: [JSONValue] = []
        for message in messages where seen.insert(message.recipient).inserted {
            guard let code = message.code, let number = try? PhoneNumber(message.recipient),
                call.now.age(of: message.createdAt) < .minutes(10)
            else { continue }
            let session = try call.accounts.phoneSignIn.session(for: number, call: call.flow)
            codes.append([
                "phoneNumber": .string(number.e164), "sessionInfo": .string(session), "code": .string(code),
            ])
        }
        return Answer.object(["verificationCodes": .array(codes.reversed())])
    }

    /// `GET …/config`
    static func config(_ call: DialectCall) async throws -> Response { Answer.object(encode(call.flow.settings)) }

    /// `PATCH …/config`: the members that the body has.
    ///
    /// - Throws: `INVALID_CONFIG`, for several accounts with one address.
    static func updateConfig(_ call: DialectCall) async throws -> Response {
        if try call.body.members("signIn")?.flag("allowDuplicateEmails") ?? false {
            throw ConfigurationField.unsupported("signIn.allowDuplicateEmails")
        }
        let isPrivate = try call.body.members("emailPrivacyConfig")?.flag("enableImprovedEmailPrivacy")
        let updated = try await call.accounts.directoryAdministration.update(call.directory.id, at: call.now) {
            $0.signUp.concealsEmails = isPrivate ?? $0.signUp.concealsEmails
        }
        call.dialect.directories.invalidate()
        return Answer.object(encode(updated.settings))
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
