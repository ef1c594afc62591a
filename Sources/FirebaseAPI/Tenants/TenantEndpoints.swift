// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// The tenants of a project: Directories that say they are a part of its one. A tenant has users, keys and policies of
/// its own; what it is made without it takes over from the project.
enum TenantEndpoints {
    /// `POST …/tenants`
    static func create(_ call: DialectCall) async throws -> Response {
        let title = try call.body.given("displayName")
        guard title.map(isTitle) ?? true else { throw WireError("INVALID_DISPLAY_NAME") }
        var settings = call.directory.settings
        settings.partOf = call.directory.name
        settings.issuer = nil
        settings.audience = nil
        settings.title = title
        // The platform's tenants sign nobody in until they are told how.
        settings.signUp.emailEnabled = false
        settings.signUp.emailLinkEnabled = false
        settings.signUp.anonymousEnabled = false
        settings.oneTime.testCodes = [:]
        settings.attributes = [:]
        try Configuration.tenant.apply(call.body.object, mask: nil, passing: outside, to: &settings)
        let administration = call.accounts.directoryAdministration
        let directory = try await administration.create(
            name: DirectoryAdministration.slug(from: title ?? "tenant", random: call.accounts.random),
            settings: settings,
            at: call.now)
        call.dialect.directories.invalidate()
        return Answer.object(encode(directory))
    }

    /// `GET …/tenants?pageSize=&pageToken=`
    static func list(_ call: DialectCall) async throws -> Response {
        let page = try ListPage(call, of: "tenants", most: 1000)
        let (tenants, next) = page.cut(
            try await call.accounts.directoryAdministration.list()
                .filter { $0.settings.partOf == call.directory.name }, by: \.name)
        var json = JSONObject()
        if !tenants.isEmpty { json["tenants"] = .array(tenants.map { .object(encode($0)) }) }
        json["nextPageToken"] = next
        return Answer.object(json)
    }

    /// `GET …/tenants/{tenant}`
    static func get(_ call: DialectCall) async throws -> Response { Answer.object(encode(try await tenant(call))) }

    /// `PATCH …/tenants/{tenant}?updateMask=`: the members that the mask names; without one, those of the body.
    static func update(_ call: DialectCall) async throws -> Response {
        let directory = try await tenant(call)
        let body = call.body
        let mask = call.query["updateMask"].flatMap { $0.isEmpty ? nil : $0 }
        let names = mask?.split(separator: ",").map { Configuration.camelCase(String($0)) }
        let updated = try await call.accounts.directoryAdministration.update(directory.id, at: call.now) { settings in
            if names?.contains("displayName") ?? body.has("displayName") {
                let title = try body.given("displayName")
                guard title.map(isTitle) ?? true else { throw WireError("INVALID_DISPLAY_NAME") }
                settings.title = title
            }
            try Configuration.tenant.apply(body.object, mask: mask, passing: outside, to: &settings)
        }
        call.dialect.directories.invalidate()
        return Answer.object(encode(updated))
    }

    /// `DELETE …/tenants/{tenant}`: with every user in it.
    static func delete(_ call: DialectCall) async throws -> Response {
        try await call.accounts.directoryAdministration.delete(try await tenant(call).id)
        call.dialect.directories.invalidate()
        return Answer.object([:])
    }

    // MARK: Wire

    static func encode(_ directory: Directory) -> JSONObject {
        var json: JSONObject = [
            "name": .string("projects/\(directory.projectID)/tenants/\(directory.name)")
        ]
        json["displayName"] = directory.settings.title.map { .string($0) }
        for member in Configuration.tenant.json(of: directory).members { json[member.name] = member.value }
        return json
    }

    /// What is not its configuration.
    private static let outside: Set<String> = ["name", "displayName", "hashConfig"]

    private static func tenant(_ call: DialectCall) async throws -> Directory {
        guard let name = call.tenant,
            let directory = try await call.dialect.directories.directory(named: name, at: call.now),
            directory.settings.partOf == call.directory.name
        else { throw WireError("TENANT_NOT_FOUND") }
        return directory
    }

    /// 4 to 20 letters, digits and hyphens, a letter first.
    private static func isTitle(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }
        return (4...20).contains(bytes.count) && isLetter(bytes[0])
            && bytes.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
