// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/admin/pages`: how the pages look on which users of the Directory sign in, the Directory of whoever asks. Its
/// members are settings, and are what configuration files and commands set by longer names.
enum PagesEndpoints {
    private static let prefix = "directory.pages."

    static func get(_ call: AppCall) async throws -> Response {
        let directory = try await call.accounts.directories.directory(call.directory.id, at: call.now)
        guard let directory else { throw AuthError(.notFound, field: "directory") }
        return AppAPI.answer(document(directory.settings))
    }

    /// Changes what is given: null takes a value away, and `texts` takes the place of the ones before.
    static func update(_ call: AppCall) async throws -> Response {
        let members = try await RequestReading.object(of: call.request).members
        let changes = try members.map { member throws(AuthError) in
            guard let setting = settings.first(where: { $0.name == member.name })?.setting else {
                throw AuthError(.invalidRequest, reason: "unknown member", field: member.name)
            }
            return (name: member.name, setting: setting, value: member.value)
        }
        let changed = try await call.accounts.directoryAdministration.update(call.directory.id, at: call.now) {
            settings in
            for change in changes {
                do throws(AuthError) {
                    try change.setting.set(change.value, in: &settings)
                } catch {
                    throw AuthError(error.code, reason: error.reason, field: change.name)
                }
            }
        }
        call.accounts.directories.invalidate()
        return AppAPI.answer(document(changed.settings))
    }

    /// By what each is called here.
    static let settings: [(name: String, setting: Setting<DirectorySettings>)] = DirectorySettings.table.compactMap {
        setting in
        guard let key = setting.key else { return nil }
        if key == "directory.siteName" { return ("siteName", setting) }
        return key.hasPrefix(prefix) ? (String(key.dropFirst(prefix.count)), setting) : nil
    }

    private static func document(_ directory: DirectorySettings) -> JSONObject {
        var json = JSONObject()
        for (name, setting) in settings { json[name] = setting.value(in: directory) ?? .null }
        return json
    }
}
