// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// What the operator's programs do with a project's or a tenant's users.
enum AdminUserEndpoints {
    /// `POST …/accounts`
    static func create(_ call: DialectCall) async throws -> Response {
        var attributes = try details(of: call.body)
        let factors = try call.body.objects("mfaInfo")
        if !factors.isEmpty { attributes.factors = try GivenEnrolments.read(factors, call.flow.settings) }
        if let id = try call.body.given("localId") { try name(&attributes, id) }
        if attributes.email == nil, attributes.phone == nil {
            // The platform's users need be called nothing but their identifier. Here that is no name to sign in by, so
            // one is made up.
            attributes.username = try Username("user-" + call.accounts.random.letters(24))
        }
        if attributes.email == nil { attributes.emailConfirm = nil }
        if try call.body.flag("disabled") ?? false { attributes.ban = .indefinitely }
        let record: UserRecord
        do {
            record = try await call.accounts.userAdministration.create(attributes, call: call.flow)
        } catch let error as AuthError
            where error.code == .conflict && ["id", "external_identifiers"].contains(error.field)
        {
            throw WireError("DUPLICATE_LOCAL_ID")
        }
        var json = Kind.signUp.object
        json["localId"] = .string(record.user.localID)
        json["email"] = record.user.email.map { .string($0.rawValue) }
        json["displayName"] = record.user.shared(.name).map { .string($0) }
        return Answer.object(json)
    }

    /// `POST …/accounts:update`
    static func update(_ call: DialectCall) async throws -> Response {
        guard let text = try call.body.given("localId") else { throw WireError("MISSING_LOCAL_ID") }
        let users = call.accounts.userAdministration
        guard let before = try await users.find(.user(UserID(text)), call: call.flow), before.user.deletedAt == nil
        else { throw AuthError(.userNotFound) }
        let id = before.user.id
        var attributes = try details(of: call.body)
        if let claims = try call.body.text("customAttributes") {
            attributes.operatorAttributes = try CustomClaims(claims).change
        }
        if let disabled = try call.body.flag("disableUser") { attributes.ban = disabled ? .indefinitely : .lift }
        if let email = attributes.email, email != before.user.email, attributes.emailConfirm == nil {
            attributes.emailConfirm = false
        }
        attributes.removes = try UpdateEndpoint.removals(call.body)
        if let seconds = try call.body.number("validSince") {
            guard (0...User.forever.seconds).contains(seconds) else { throw AuthError(.invalidRequest) }
            attributes.tokensValidSince = Instant(seconds: seconds)
        }
        attributes.identities = try ProviderEntry.linked(by: call.body)
        for name in ["createdAt", "lastLoginAt", "provider", "upgradeToFederatedLogin"]
        where call.body.has(name) {
            throw WireError.notAllowed(name)
        }
        if let factors = try call.body.members("mfa") {
            attributes.factors = try GivenEnrolments.read(try factors.objects("enrollments"), call.flow.settings)
        }
        let record = try await users.update(id, attributes, call: call.flow)
        return Answer.object(UserInfo.changed(record))
    }

    /// `POST …/accounts:batchDelete`. An identifier that nobody has is as good as deleted.
    static func deleteMany(_ call: DialectCall) async throws -> Response {
        let ids = try call.body.texts("localIds")
        guard (1...1000).contains(ids.count) else {
            throw WireError(ids.isEmpty ? "MISSING_LOCAL_ID" : "LOCAL_ID_LIST_EXCEEDS_LIMIT")
        }
        let force = try call.body.flag("force") ?? false
        let users = call.accounts.userAdministration
        var errors: [JSONValue] = []
        for (index, id) in ids.enumerated() {
            guard let record = try await users.find(.user(UserID(id)), call: call.flow),
                record.user.deletedAt == nil
            else { continue }
            guard force || record.user.isBanned(at: call.now) else {
                errors.append([
                    "index": .integer(Int64(index)), "localId": .string(id),
                    "message": "NOT_DISABLED : Disable the account before batch deletion.",
                ])
                continue
            }
            try await users.delete(record.user.id, soft: false, call: call.flow)
        }
        return Answer.object(errors.isEmpty ? [:] : ["errors": .array(errors)])
    }

    /// `GET …/accounts:batchGet?maxResults=&nextPageToken=`
    static func list(_ call: DialectCall) async throws -> Response {
        let limit = call.query["maxResults"].map { Int64($0) ?? 0 }
        return try await page(limit: limit, after: call.query["nextPageToken"], call)
    }

    /// The same in the API before: `POST downloadAccount`.
    static func download(_ call: DialectCall) async throws -> Response {
        guard call.isAdministrator else { throw WireError.unauthenticated }
        return try await page(
            limit: try call.body.number("maxResults"), after: try call.body.given("nextPageToken"), call)
    }

    private static func page(limit: Int64?, after: String?, _ call: DialectCall) async throws -> Response {
        guard let limit = Int(exactly: limit ?? 20), limit > 0 else { throw AuthError(.invalidRequest) }
        let page = try ListPage(size: min(limit, 1000), token: after, of: "users", call)
        let found = try await call.accounts.userAdministration.list(
            matching: nil, after: page.after.map { UserPosition($0) }, limit: page.size, looksAhead: false,
            call: call.flow)
        let records = found.records
        var json = Kind.download.object
        if !records.isEmpty {
            json["users"] = .array(
                zip(records, try await UserInfo.encode(records, call)).map { record, user in
                    var user = user
                    if call.entry.seesHashes { UserInfo.show(hashOf: record.user, in: &user) }
                    return .object(user)
                })
        }
        json["nextPageToken"] = found.next.map { page.next(after: $0.text) }
        return Answer.object(json)
    }

    // MARK: Attributes

    /// What creating and changing a user have in common.
    private static func details(of body: Input) throws -> UserAttributes {
        var attributes = UserAttributes()
        attributes.email = try body.email()
        attributes.phone = try body.phone()
        // The operator vouches for a number.
        if attributes.phone != nil { attributes.phoneConfirm = true }
        attributes.password = try body.secret("password")
        attributes.emailConfirm = try body.flag("emailVerified")
        attributes.userMetadata = try UpdateEndpoint.profile(body)
        return attributes
    }

    /// A UUID in lower case is our own identifier, and so the user's in every dialect; any other text is theirs in this
    /// one.
    ///
    /// - Throws: `INVALID_LOCAL_ID`.
    private static func name(_ attributes: inout UserAttributes, _ localID: String) throws(WireError) {
        guard !UUIDText.isIdentifier(localID) else { return attributes.id = UserID(localID) }
        guard let identifier = try? ExternalIdentifier(localID) else {
            throw WireError("INVALID_LOCAL_ID", "1 to 128 characters without control characters are needed.")
        }
        attributes.externalIdentifier = identifier
    }
}
