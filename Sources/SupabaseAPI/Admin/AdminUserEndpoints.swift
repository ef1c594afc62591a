// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import Passwords
import ServerKit

/// `/admin/users` and `/admin/users/{id}`.
enum AdminUserEndpoints {
    /// `GET /admin/users?page=&per_page=&sort=&filter=`
    static func list(_ call: DialectCall) async throws -> Response {
        let isOldestFirst = try oldestFirst(call.query["sort"])
        let page = try Page(call.query)
        let (records, total) = try await call.accounts.userAdministration.list(
            page: page.number, perPage: page.size, holding: try part(call.query["filter"]), oldestFirst: isOldestFirst,
            call: call.flow)
        var response = Answer.object([
            "users": .array(await records.mapGivingWay { .object(UserResponse.encode($0, in: call.directory)) }),
            "aud": .string(AccessTokenClaims.audience(of: call.directory)),
        ])
        page.describe(total: total, of: call.path, in: &response)
        return response
    }

    /// `filter`: a part of the address or of the name that the platform's own pages show.
    private static func part(_ filter: String?) throws(WireError) -> UserPart? {
        guard let filter, !filter.isEmpty else { return nil }
        do throws(AuthError) {
            return try UserPart(filter, orIn: "full_name")
        } catch {
            throw .validation("filter: at most \(UserPart.maximumLength) bytes")
        }
    }

    /// `sort`: the one field that the platform takes, with `asc` or, as without it, `desc`.
    private static func oldestFirst(_ sort: String?) throws(WireError) -> Bool {
        guard let sort else { return false }
        let parts = sort.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts[0] == "created_at" else {
            throw .validation("Bad Sort Parameters: bad field for sort '\(parts[0])'")
        }
        switch parts.count > 1 ? parts[1].lowercased() : "desc" {
        case "asc": return true
        case "desc": return false
        default:
            throw .validation(
                "Bad Sort Parameters: bad direction for sort '\(parts[1])', only 'asc' and 'desc' allowed")
        }
    }

    /// `POST /admin/users`
    static func create(_ call: DialectCall) async throws -> Response {
        var attributes = try attributes(call.body)
        guard attributes.email != nil || attributes.phone != nil else {
            throw WireError.validation("Cannot create a user without either an email or phone")
        }
        guard attributes.password == nil || attributes.passwordHash == nil else {
            throw WireError.validation("Only a password or a password hash should be provided")
        }
        // There, too, a new user with an empty one has none that anybody knows.
        if attributes.password?.reveal().isEmpty == true { attributes.password = nil }
        return call.answer(try await call.accounts.userAdministration.create(attributes, call: call.flow))
    }

    /// `GET /admin/users/{id}`
    static func get(_ call: DialectCall) async throws -> Response {
        try await call.answerWithFactors(
            try await call.accounts.userAdministration.get(try await userID(call), call: call.flow))
    }

    /// `PUT /admin/users/{id}`
    static func update(_ call: DialectCall) async throws -> Response {
        let id = try await userID(call)
        let attributes = try attributes(call.body)
        return call.answer(try await call.accounts.userAdministration.update(id, attributes, call: call.flow))
    }

    /// `DELETE /admin/users/{id}`
    static func delete(_ call: DialectCall) async throws -> Response {
        let soft = try call.body.flag("should_soft_delete") ?? false
        try await call.accounts.userAdministration.delete(try await userID(call), soft: soft, call: call.flow)
        return Answer.object([:])
    }

    /// Whose identifier the path names. The platform's are UUIDs; one that an import brought along is any text.
    static func userID(_ call: DialectCall) async throws -> UserID {
        let text = call.userID ?? ""
        do {
            return try await call.accounts.userAdministration.identifier(of: text, call: call.flow)
        } catch let error as AuthError where error.code == .userNotFound && !UUIDText.accepts(text) {
            throw WireError(.notFound, "validation_failed", "user_id must be an UUID")
        }
    }

    static func attributes(_ body: Input) throws -> UserAttributes {
        var attributes = UserAttributes()
        if let id = try body.text("id") {
            guard UUIDText.isIdentifier(id.lowercased()) else {
                throw WireError.validation("ID must conform to the uuid v4 format")
            }
            attributes.id = UserID(id.lowercased())
        }
        attributes.email = try body.email()
        attributes.phone = try body.phone()
        attributes.password = try body.newSecret("password")
        if let hash = try body.text("password_hash") {
            guard let parsed = try? PasswordHash(hash) else {
                throw WireError.validation("password_hash is not in a supported form")
            }
            attributes.passwordHash = parsed
        }
        // Here a false asks for nothing: only the domain's own callers can take a confirmation back.
        attributes.emailConfirm = try body.flag("email_confirm") == true ? true : nil
        attributes.phoneConfirm = try body.flag("phone_confirm") == true ? true : nil
        attributes.userMetadata = try body.members("user_metadata")
        attributes.appMetadata = try body.members("app_metadata")
        attributes.role = try body.text("role")
        if let duration = try body.text("ban_duration") {
            attributes.ban = duration == "none" ? .lift : .for(try DurationText(duration).span)
        }
        return attributes
    }
}
