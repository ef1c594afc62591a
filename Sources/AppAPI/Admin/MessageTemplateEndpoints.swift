// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/admin/message-templates`: an operator's own words for the mails and text messages of the Directory, the
/// Directory of whoever asks. What there is none for is sent in the built-in words.
enum MessageTemplateEndpoints {
    /// What a template is made of, and where a Directory keeps it.
    private static let parts:
        [(name: String, place: any WritableKeyPath<DirectorySettings.MailSettings, [String: String]> & Sendable)] = [
            ("subject", \.subjects), ("html", \.bodies), ("text", \.texts), ("appLink", \.appLinks),
        ]

    static func list(_ call: AppCall) async throws -> Response {
        let mail = try await settings(call).mail
        let names = Set(parts.flatMap { mail[keyPath: $0.place].keys })
        let templates = names.sorted().map { JSONValue.object(document($0, mail)) }
        return AppAPI.answer(["templates": .array(templates)])
    }

    static func get(_ call: AppCall) async throws -> Response {
        let name = try name(of: call)
        let template = document(name, try await settings(call).mail)
        guard template.members.count > 1 else { throw AuthError(.notFound, field: "name") }
        return AppAPI.answer(template)
    }

    /// Puts in place of what there was what is given: what is not has the built-in words again.
    static func put(_ call: AppCall) async throws -> Response {
        let name = try name(of: call)
        let body = try await RequestReading.object(of: call.request)
        var given: [String: String] = [:]
        for member in body.members {
            guard parts.contains(where: { $0.name == member.name }) else {
                throw AuthError(.invalidRequest, reason: "unknown member", field: member.name)
            }
            if member.value.isNull { continue }
            guard let text = member.value.stringValue else {
                throw AuthError(.invalidRequest, reason: "expected a text", field: member.name)
            }
            given[member.name] = text
        }
        guard !given.isEmpty else { throw AuthError(.invalidRequest, reason: "expected a subject, html or text") }
        let changed = try await change(call, name, to: given)
        return AppAPI.answer(document(name, changed.mail))
    }

    static func delete(_ call: AppCall) async throws -> Response {
        let name = try name(of: call)
        guard document(name, try await settings(call).mail).members.count > 1 else {
            throw AuthError(.notFound, field: "name")
        }
        _ = try await change(call, name, to: [:])
        return AppAPI.answer(["deleted": true])
    }

    private static func name(of call: AppCall) throws(AuthError) -> String {
        guard let name = call.id, name.utf8.count <= 64 else { throw AuthError(.notFound, field: "name") }
        return name
    }

    private static func change(
        _ call: AppCall, _ name: String, to given: [String: String]
    ) async throws -> DirectorySettings {
        let changed: Directory
        do {
            changed = try await call.accounts.directoryAdministration.update(call.directory.id, at: call.now) {
                settings in
                for part in parts { settings.mail[keyPath: part.place][name] = given[part.name] }
            }
        } catch let error as AuthError {
            // By the names of this document.
            let field = [
                "mail.subjects": "subject", "mail.bodies": "html", "mail.texts": "text", "mail.appLinks": "appLink",
            ]
            throw AuthError(error.code, reason: error.reason, field: error.field.map { field[$0] ?? $0 })
        }
        call.accounts.directories.invalidate()
        return changed.settings
    }

    private static func settings(_ call: AppCall) async throws -> DirectorySettings {
        let directory = try await call.accounts.directories.directory(call.directory.id, at: call.now)
        guard let directory else { throw AuthError(.notFound, field: "directory") }
        return directory.settings
    }

    private static func document(_ name: String, _ mail: DirectorySettings.MailSettings) -> JSONObject {
        var json: JSONObject = ["name": .string(name)]
        for part in parts { json[part.name] = mail[keyPath: part.place][name].map { .string($0) } }
        return json
    }
}
