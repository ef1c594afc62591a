// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Passwords
import Testing

@testable import SupabaseAPI

/// What rows of the platform's tables become.
@Suite struct PlatformAccountsTests {
    private static let id = "7668d88e-67f5-4cd9-8382-e14772bc401f"
    private static let session = "11111111-2222-4333-8444-555555555555"
    private static let other = "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11"
    private static let time = "2026-01-02T03:04:05.678901+00:00"
    private static let at = Instant(microseconds: 1_767_323_045_678_901)
    private static let now = Instant(seconds: 1_800_000_000)

    private func accounts(_ own: Set<String> = []) -> PlatformAccounts {
        var settings = DirectorySettings()
        settings.metadataLimit = 1024
        settings.sessions.timebox = 0
        return PlatformAccounts(
            into: Directory(
                id: DirectoryID("d"), name: "d", settings: settings, tokenKey: Secret([1]), createdAt: Self.now,
                updatedAt: Self.now), secrets: PlatformSecrets(), ownProviders: own, site: "app.example",
            at: Self.now)
    }

    /// A row as an up-to-date version has it, with `changes` laid over.
    private func account(_ changes: JSONObject = [:], own: Set<String> = []) throws -> BroughtAccount {
        let row: JSONObject = [
            "id": .string(Self.id), "email": "A@Example.com", "phone": .null, "role": "authenticated",
            "email_confirmed_at": .string(Self.time), "created_at": .string(Self.time),
            "updated_at": .string(Self.time),
            "encrypted_password": "", "raw_app_meta_data": ["provider": "azure", "providers": ["azure", "email"]],
            "raw_user_meta_data": ["name": "Zoë"], "is_anonymous": false, "is_sso_user": false, "banned_until": .null,
            "identities": .null, "factors": .null, "sessions": .null,
        ]
        return try accounts(own).account(row.merging(changes))
    }

    private func sessions(_ changes: JSONObject, tokens: [(String, Bool)] = []) throws -> BroughtAccount {
        let rows: [JSONValue] = tokens.enumerated().map { index, token in
            [
                "token": .string(token.0), "revoked": .bool(token.1),
                "created_at": .string("2026-01-02T0\(index):00:00+00:00"),
            ]
        }
        let session: JSONObject = [
            "id": .string(Self.session), "aal": "aal1", "created_at": .string(Self.time), "refreshed_at": .null,
            "tokens": .array(rows),
        ]
        return try account(["sessions": [.object(session.merging(changes))]])
    }

    @Test("R9.12 a user keeps identifier, address, confirmation, metadata and times; the usual role is none")
    func user() throws {
        let user = try account().user
        #expect(user.id.rawValue == Self.id && user.email?.rawValue == "a@example.com")
        #expect(user.emailVerifiedAt == Self.at && user.createdAt == Self.at && user.updatedAt == Self.at)
        #expect(user.role == nil && user.passwordHash == nil && user.phone == nil && !user.sharesEmail)
        #expect(user.origin == .transfer && user.isConfirmed && user.isProved)
        #expect(user.userMetadata == ["name": "Zoë"])
        // Providers are called as they are called here.
        #expect(user.appMetadata == ["provider": "microsoft", "providers": ["microsoft", "email"]])
        #expect(try account(["role": "editor"]).user.role == "editor")
    }

    @Test(
        "R9.12 hashes of the platform's forms come as they are",
        arguments: [
            "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
            "$argon2id$v=19$m=65536,t=1,p=4$g8kq2tgWjyhTZGUw$Pfq+q38LqcPYP1KNc4LBQJ2Gz4iF+1bH8gbhwOZzhG0",
        ])
    func hashes(text: String) throws {
        #expect(try account(["encrypted_password": .string(text)]).user.passwordHash?.encoded == text)
    }

    @Test("R9.12 an anonymous user, a ban without end, one of single sign-on, and an address that nobody confirmed")
    func kinds() throws {
        let anonymous = try account(["is_anonymous": true, "email": "", "email_confirmed_at": .null]).user
        #expect(anonymous.isAnonymous && anonymous.email == nil && anonymous.origin == .transfer)
        #expect(try account(["banned_until": "infinity"]).user.isBanned(at: Instant(seconds: 100_000_000_000)))
        #expect(try account(["banned_until": .string(Self.time)]).user.bannedUntil == Self.at)
        #expect(try account(["banned_until": "-infinity"]).user.bannedUntil == nil)
        #expect(try account(["is_sso_user": true]).user.sharesEmail)
        let unproved = try account(["email_confirmed_at": .null]).user
        #expect(unproved.origin == .signUp && unproved.isUnverified)
        let invited = try account(["email_confirmed_at": .null, "invited_at": .string(Self.time)]).user
        #expect(invited.origin == .invitation && invited.invitedAt == Self.at)
    }

    @Test(
        "What can't be taken over is named by its column, without its value",
        arguments: [
            ("email", "no address secret"), ("phone", "secret"), ("encrypted_password", "secret"),
            ("created_at", "secret"), ("id", "SECRET"),
        ])
    func refused(column: String, value: String) throws {
        let error = #expect(throws: AuthError.self) { try account([column: .string(value)]) }
        #expect(error?.field == column && error?.description.contains(value) == false)
    }

    @Test("Metadata beyond what is kept of a user is refused, and named")
    func large() {
        let error = #expect(throws: AuthError(.metadataTooLarge)) {
            try account(["raw_user_meta_data": ["x": .string(String(repeating: "x", count: 2_000))]])
        }
        #expect(error?.field == "raw_user_meta_data")
    }

    @Test("R9.12 identities keep identifier and subject; those of the address are the user's own")
    func identities() throws {
        func row(_ provider: String, _ subject: String) -> JSONValue {
            [
                "id": .string(Self.other), "provider": .string(provider), "provider_id": .string(subject),
                "identity_data": ["sub": .string(subject), "iss": "https://api.example/me"],
                "last_sign_in_at": .string(Self.time), "created_at": .string(Self.time),
            ]
        }
        let rows: JSONObject = [
            "identities": [
                row("azure", "42"), row("google", "43"), row("email", Self.id), row("phone", Self.id),
                row("sso:\(Self.session)", "44"),
            ]
        ]
        let taken = try account(rows)
        #expect(taken.identities.map(\.provider) == ["microsoft", "google", "email", "sso:\(Self.session)"])
        #expect(taken.identities.map(\.subject) == ["42", "43", Self.id, "44"])
        #expect(taken.identities.allSatisfy { $0.id.rawValue == Self.other && $0.lastSignInAt == Self.at })
        // One of the number that the user has not.
        #expect(taken.left == TakeOver.Counts([.identities: 1]))
        #expect(taken.identities[1].data["iss"] == nil && taken.identities[0].data["iss"] != nil)
        // A Directory's own provider of that name is that one.
        #expect(try account(rows, own: ["azure"]).identities.first?.provider == "azure")
    }

    @Test("R9.12 confirmed factors come with what proves them, others stay and are counted")
    func factors() throws {
        func row(_ type: String, _ changes: JSONObject, status: String = "verified") -> JSONValue {
            let row: JSONObject = [
                "id": .string(Self.other), "factor_type": .string(type), "status": .string(status),
                "friendly_name": "", "created_at": .string(Self.time), "updated_at": .string(Self.time),
            ]
            return .object(row.merging(changes))
        }
        let taken = try account([
            "factors": [
                row("totp", ["secret": "JBSWY3DPEHPK3PXPJBSWY3DP", "friendly_name": "app"]),
                row("phone", ["phone": "4915112345678"]),
                row(
                    "webauthn",
                    [
                        "web_authn_credential": [
                            "id": "AQID", "publicKey": "BAUG", "transport": ["internal"],
                            "flags": ["userPresent": true, "userVerified": true, "backupEligible": true],
                            "authenticator": ["AAGUID": "AAAAAAAAAAAAAAAAAAAAAA==", "signCount": 7],
                        ]
                    ]), row("totp", ["secret": "JBSWY3DPEHPK3PXP"], status: "unverified"),
            ]
        ])
        #expect(taken.left == TakeOver.Counts([.factors: 1]))
        #expect(taken.factors.map(\.kind) == [.totp, .phone, .webAuthn] && taken.factors.allSatisfy(\.isVerified))
        #expect(taken.factors.map(\.name) == ["app", nil, nil])
        #expect(taken.factors.allSatisfy { $0.id.rawValue == Self.other && $0.verifiedAt == Self.at })
        guard case .totp(let secret) = taken.factors[0].credential else { throw AuthError(.invalidRequest) }
        #expect(secret.reveal() == Array("Hello!".utf8) + [0xDE, 0xAD, 0xBE, 0xEF] + Array("Hello".utf8))
        #expect(taken.factors[1].recipient == "+4915112345678")
        let key = try #require(taken.factors[2].webAuthn)
        #expect(key.id == [1, 2, 3] && key.publicKey == [4, 5, 6] && key.signatureCount == 7)
        #expect(key.relyingParty == "app.example" && key.isUserVerified && key.isBackupEligible && !key.isBackedUp)
        #expect(key.userHandle == Array(Self.id.utf8) && key.transports == ["internal"])
        let error = #expect(throws: AuthError.self) { try account(["factors": [row("totp", ["secret": "no base32"])]]) }
        #expect(error?.field == "secret")
    }

    @Test(
        "R25 a session's live token is the last of its chain, others that are live are as good, and the rest are before"
    )
    func sessions() throws {
        let taken = try sessions(
            [
                "aal": "aal2", "factor_id": .string(Self.other), "user_agent": "App\n/1", "ip": "203.0.113.77",
                "refreshed_at": "2026-01-03T00:00:00",
                "methods": [
                    ["authentication_method": "totp", "updated_at": "2026-01-02T04:00:00+00:00"],
                    ["authentication_method": "password", "updated_at": "2026-01-02T03:00:00+00:00"],
                    ["authentication_method": "token_refresh", "updated_at": "2026-01-02T05:00:00+00:00"],
                ],
            ], tokens: [("a", true), ("b", true), ("c", false), ("d", false)])
        let session = try #require(taken.sessions.first)
        #expect(session.id.rawValue == Self.session && session.assurance == .aal2 && session.endedAt == nil)
        #expect(session.chain.map { $0.text.reveal() } == ["a", "b", "d"])
        #expect(session.twins.map { $0.text.reveal() } == ["c"])
        #expect(session.methods.map(\.name.rawValue) == ["password", "totp"])
        #expect(session.methods.map { $0.factor?.rawValue } == [nil, Self.other])
        #expect(session.device.userAgent == "App/1" && session.device.truncatedAddress == "203.0.113.0")
        #expect(session.lastActiveAt == Instant(seconds: 1_767_398_400) && session.notAfter == nil)
    }

    @Test("R9.12 passkeys come as ways in, and two of one name get two")
    func passkeys() throws {
        func row(_ credential: String) -> JSONValue {
            [
                "id": .string(Self.other), "credential_id": .string(credential), "public_key": "\\x0405",
                "aaguid": .string(Self.id), "sign_count": 3, "transports": ["hybrid"], "backup_eligible": true,
                "backed_up": true, "friendly_name": "phone", "created_at": .string(Self.time),
                "last_used_at": .string(Self.time),
            ]
        }
        let factors = try account(["passkeys": [row("\\x0102"), row("\\x0103")]]).factors
        #expect(factors.allSatisfy { $0.isPasskey && $0.isVerified && $0.lastUsedAt == Self.at })
        #expect(factors.map(\.name) == ["phone", "phone 2"] && factors.map(\.webAuthn?.id) == [[1, 2], [1, 3]])
        let key = try #require(factors.first?.webAuthn)
        #expect(key.publicKey == [4, 5] && key.signatureCount == 3 && key.isDiscoverable && !key.isUserVerified)
        #expect(key.isBackupEligible && key.isBackedUp && key.relyingParty == "app.example")
        #expect(key.aaguid == UUIDText.decode(Self.id) && key.userHandle == Array(Self.id.utf8))
        #expect(throws: AuthError(.invalidRequest)) { try account(["passkeys": [row("0102")]]) }
    }

    @Test(
        "R9.12 names of factors and passkeys come whole as far as a name may be long, and keep no account from coming")
    func names() throws {
        func row(_ name: String, _ more: JSONObject) -> JSONValue {
            let row: JSONObject = ["id": .string(Self.other), "friendly_name": .string(name)]
            return .object(row.merging(more))
        }
        func named(factors: [String] = [], passkeys: [String] = []) throws -> [String?] {
            let totp: JSONObject = [
                "factor_type": "totp", "status": "verified", "secret": "JBSWY3DPEHPK3PXPJBSWY3DP",
            ]
            let key: JSONObject = ["credential_id": "\\x0102", "public_key": "\\x0405"]
            return try account([
                "factors": .array(factors.map { row($0, totp) }), "passkeys": .array(passkeys.map { row($0, key) }),
            ]).factors.map(\.name)
        }
        // The longest that the platform's passkeys have.
        let whole = String(repeating: "é", count: 60)
        #expect(
            try named(passkeys: ["Google Password Manager on Ada's phone", whole]) == [
                "Google Password Manager on Ada's phone", whole,
            ])
        #expect(try named(passkeys: [whole, whole]) == [whole, whole + " 2"])
        let long = String(repeating: "x", count: 100_000)
        #expect(try named(factors: [long, long + "y"]) == [String(long.prefix(120)), String(long.prefix(120)) + " 2"])
        #expect(
            try named(factors: ["a\nb", "e" + String(repeating: "\u{301}", count: 9_999), "\n"]).map {
                $0.map { $0.utf8.count <= Factor.longestName && !$0.contains("\n") }
            } == [true, true, nil])
    }

    @Test("R25 a session without a live token has ended; one of another's client stays, and is counted")
    func endedSessions() throws {
        let ended = try #require(sessions([:], tokens: [("a", true), ("b", true)]).sessions.first)
        #expect(ended.endedAt == Self.at && ended.chain.count == 2)
        let fresh = try #require(sessions([:]).sessions.first)
        #expect(fresh.endedAt == nil && fresh.chain.isEmpty)
        let client = try sessions(["oauth_client_id": .string(Self.other)], tokens: [("a", false), ("b", false)])
        #expect(client.sessions.isEmpty && client.left == TakeOver.Counts([.sessions: 1, .tokens: 2]))
    }

    @Test("R25 of counted tokens the last is live and sixteen before it are known; those of rows are before them")
    func counted() throws {
        let key = Base64URL.encode(Array(0..<32))
        let taken = try sessions(
            ["refresh_token_hmac_key": .string(key), "refresh_token_counter": 300], tokens: [("row", true)])
        let session = try #require(taken.sessions.first)
        #expect(session.chain.count == 18 && session.twins.isEmpty && session.endedAt == nil)
        #expect(session.chain.first?.text.reveal() == "row")
        #expect(session.chain.last?.text.reveal() == "ABEREREiIkMzhERVVVVVVVWsAg7ZC0vLuQzqLzMCy_Bbh8fZrB2g")
        let first = try sessions(["refresh_token_hmac_key": .string(key), "refresh_token_counter": 0])
        #expect(first.sessions.first?.chain.count == 1)
    }
}
