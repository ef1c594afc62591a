// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `GetUICustomization`, `SetUICustomization`: how a pool's pages look. There is one look for all clients of a pool:
/// logo and colours are settings of the Directory's pages, and the sheet is shown as it was given.
enum CustomizationEndpoints {
    /// What names every client of a pool in the place of one.
    static let everyClient = "ALL"
    private static let key = "UICustomization"

    static func get(_ call: DialectCall) async throws -> JSONObject {
        try await requireDomain(call)
        return [key: .object(shown(call.directory.settings, call))]
    }

    /// Replaces sheet and image together, as the service does: what is not given is gone.
    static func set(_ call: DialectCall) async throws -> JSONObject {
        let text = try call.input.text(Member("CSS", 0...131_072)) ?? ""
        let sheet = try CustomizationSheet(text)
        let logo = try call.input.text(Member("ImageFile", 0...262_144, sensitive: true)).flatMap {
            text throws(WireError) in
            text.isEmpty ? nil : try LogoImage(base64: text).dataURL
        }
        try await requireDomain(call)
        guard call.flow.client == nil || text.isEmpty && logo == nil else {
            throw WireError.parameter(
                "ClientId other than ALL is not supported by this server: a pool's pages look alike for all clients.")
        }
        // One that never was is taken away: what tools do when they are done with it.
        guard call.flow.client == nil else { return [key: .object(shown(call.directory.settings, call))] }
        let now = call.now
        let directory = try await call.accounts.directoryAdministration.update(call.directory.id, at: now) { settings in
            var pool = PoolSettings(settings)
            let made = pool.customization?["CreationDate"] ?? now.wireDate
            pool.customization =
                text.isEmpty && logo == nil
                ? nil : ["CSS": .string(text), "CreationDate": made, "LastModifiedDate": now.wireDate]
            pool.keep(in: &settings)
            settings.pages.logo = logo
            settings.pages.accent = sheet.accent?.description
            settings.pages.background = sheet.background?.description
        }
        call.dialect.directories.invalidate()
        return [key: .object(shown(directory.settings, call))]
    }

    private static func shown(_ settings: DirectorySettings, _ call: DialectCall) -> JSONObject {
        guard let kept = PoolSettings(settings).customization else { return [:] }
        var json: JSONObject = ["UserPoolId": .string(call.poolID), "ClientId": .string(everyClient)]
        json["ImageUrl"] = settings.pages.logo.map { .string($0) }
        if let css = kept["CSS"]?.stringValue, !css.isEmpty {
            json["CSS"] = .string(css)
            json["CSSVersion"] = kept["LastModifiedDate"].map { .string($0.text.filter(\.isNumber)) }
        }
        json["LastModifiedDate"] = kept["LastModifiedDate"]
        json["CreationDate"] = kept["CreationDate"]
        return json
    }

    private static func requireDomain(_ call: DialectCall) async throws {
        guard try await !call.accounts.domainAdministration.list(call: call.flow).isEmpty else {
            throw WireError.parameter("There has to be an existing domain associated with this user pool")
        }
    }
}
