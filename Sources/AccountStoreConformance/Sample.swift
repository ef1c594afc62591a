// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Rows with every field set, each to a value of its own: a column that is written to the wrong place shows.
enum Sample {
    /// With microseconds, which a store must not round.
    static let now = Instant(microseconds: 1_790_000_000_123_457)

    static func at(_ seconds: Int64) -> Instant { now + .seconds(seconds) }

    /// 32 bytes that differ from one `name` to the next.
    static func hash(_ name: String) -> [UInt8] {
        Array((name + String(repeating: ".", count: 32)).utf8.prefix(31)) + [0xFF]
    }

    static func directory(_ name: String) -> Directory {
        Directory(
            id: DirectoryID(name), name: name, settings: DirectorySettings(), tokenKey: Secret(hash("key of " + name)),
            createdAt: now, updatedAt: now)
    }

    static let metadata: JSONObject = [
        "name": "Zoë “Σ” 🧘\u{0000}\n", "roles": ["a", 1, 2.5, true, nil], "nested": ["empty": [:], "list": []],
        "large": .integer(.max), "negative": .integer(.min),
    ]

    static func user(_ id: String, in directory: DirectoryID) throws -> User {
        var user = User(
            id: UserID(id), directoryID: directory,
            externalIdentifiers: try ExternalIdentifiers(["one": .string("Zoë of \(id)"), "two": "2"]), createdAt: at(1)
        )
        user.email = try EmailAddress("\(id)@example.com")
        user.emailVerifiedAt = at(2)
        user.phone = try PhoneNumber("+4915112345678")
        user.phoneVerifiedAt = at(3)
        user.passwordHash = try PasswordHash(
            "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
        user.confirmedAt = at(15)
        user.sharesEmail = true
        user.sharesPhone = true
        user.username = try Username("Name.of.\(id)")
        user.srpVerifier = SRPVerifier(
            salt: Array(hash("salt").prefix(SRPVerifier.saltLength)),
            verifier: Secret(hash("verifier") + hash("of \(id)")))
        user.temporaryPassword = TemporaryPassword(expiresAt: at(13))
        user.tokensValidSince = at(14)
        user.passwordChangedAt = at(15)
        user.pendingEmail = try EmailAddress("new-\(id)@example.com")
        user.pendingEmailHalfConfirmed = true
        user.pendingPhone = try PhoneNumber("+4915187654321")
        user.appMetadata = ["provider": "email"]
        user.userMetadata = metadata
        user.dialectData = try DialectData(
            ["one": ["user": .object(metadata), "operator": ["x": 1]], "two": ["operator": ["y": "z"]]])
        user.role = "editor"
        user.isAnonymous = true
        user.bannedUntil = at(4)
        user.invitedAt = at(5)
        user.deletionDueAt = at(16)
        user.lastSignInAt = at(6)
        user.language = .de
        user.sent.confirmation = at(7)
        user.sent.recovery = at(8)
        user.sent.emailChange = at(9)
        user.sent.phoneChange = at(10)
        user.sent.reauthentication = at(11)
        user.updatedAt = at(12)
        user.origin = .transfer
        user.version = 7
        return user
    }

    static func session(_ id: String, of user: User) -> Session {
        let step = RefreshTokenFamily.Step(
            nonce: Array(hash("nonce").prefix(16)), parentHash: hash("parent"), at: Instant(microseconds: -5))
        return Session(
            id: SessionID(id), directoryID: user.directoryID, userID: user.id,
            device: DeviceMetadata(
                name: "Zoë's phone", operatingSystem: "iOS 26.1", appVersion: "4.2 (17)", userAgent: "App/4.2",
                truncatedAddress: "2001:db8:1::"),
            methods: [
                AuthenticationMethod(.password, at: at(1)), AuthenticationMethod(.emailConfirmation, at: at(2)),
                AuthenticationMethod(.federated, at: at(3), provider: "custom:acme"),
                AuthenticationMethod(.totp, at: at(4), factor: FactorID("3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11")),
                AuthenticationMethod(.oneTimeCode, at: at(4), recipient: "0123456789abcdef0123456789abcdef"),
            ], assurance: .aal2, createdAt: at(3), lastActiveAt: at(4), notAfter: at(5),
            family: RefreshTokenFamily(
                generation: .max - 9, liveHash: hash("live"),
                steps: [step, .init(nonce: step.nonce.reversed(), parentHash: hash("live"), at: at(6))]),
            clientID: ClientID("client"), rotates: false, claims: metadata, parentID: SessionID("parent"),
            rememberedDevice: RememberedDeviceID("device"),
            grant: ClientGrant(
                scopes: ["openid", "a/b"], resources: ["https://api.example/"], claims: ["userinfo": ["name": nil]],
                isOffline: true, dpopKey: "key"))
    }

    static func token(_ id: String, of user: User, _ purpose: OneTimeToken.Purpose) -> OneTimeToken {
        OneTimeToken(
            id: OneTimeTokenID(id), directoryID: user.directoryID, userID: user.id, purpose: purpose,
            linkHash: hash("link " + id), codeHash: hash("code " + id), recipient: "zoe@example.com",
            codeChallenge: challenge,
            agreed: AgreedTerms(
                [TermsReference(unchecked: "terms", "2026-11")], dialect: DialectName("one"), at: at(1)),
            isDisabled: true, askedBy: hash("asker"), attempts: 1, ownAttempts: 2, createdAt: at(1),
            expiresAt: at(3), codeExpiresAt: at(2))
    }

    static func signUp(_ id: String, of user: User) throws -> SignUpAttempt {
        SignUpAttempt(
            id: SignUpAttemptID(id), directoryID: user.directoryID, userID: user.id,
            passwordHash: try PasswordHash(
                "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
            srpVerifier: SRPVerifier(
                salt: Array(hash("salt").prefix(SRPVerifier.saltLength)), verifier: Secret(hash("verifier"))),
            phone: try PhoneNumber("+4915187654321"), email: try EmailAddress("beside@example.com"),
            userMetadata: metadata,
            dialectData: try DialectData(["one": ["user": ["a": [1, nil]], "operator": ["b": true]]]), isDisabled: true,
            agreed: AgreedTerms(
                [TermsReference(unchecked: "terms", "2026-11"), TermsReference(unchecked: "news", "1")],
                dialect: DialectName("one"), clientID: ClientID("app"), at: at(1)),
            truncatedAddress: "192.0.2.0/24", createdAt: at(1))
    }

    static func code(_ id: String, of user: User) -> AuthorizationCode {
        AuthorizationCode(
            id: FlowStateID(id), directoryID: user.directoryID, userID: user.id, codeHash: hash("code " + id),
            request: AuthorizationRequest(
                clientID: ClientID("app"), redirectURI: "https://app.example/back?a=1", scopes: ["openid", "a/b"],
                nonce: "nonce “Σ”", challenge: challenge, resources: ["https://api.example/", "urn:two"],
                claims: metadata, dpopKey: "key"),
            methods: [
                AuthenticationMethod(.magicLink, at: at(1)), AuthenticationMethod(.password, at: at(2)),
            ], assurance: .aal2, parentID: SessionID("browser"),
            upstream: UpstreamTokens(access: Secret("access “Σ”"), refresh: Secret("refresh")), createdAt: at(1),
            expiresAt: at(2))
    }

    static let challenge = CodeChallenge(for: "verifier")

    /// Of the client `app`.
    static func pending(_ id: String, in directory: DirectoryID) -> PendingAuthorization {
        PendingAuthorization(
            id: PendingAuthorizationID(id), directoryID: directory, clientID: ClientID("app"),
            request: AuthorizationRequest(
                clientID: ClientID("app"), redirectURI: "https://app.example/back?a=1", scopes: ["openid", "a/b"],
                nonce: "nonce “Σ”", challenge: challenge, resources: ["https://api.example/", "urn:two"],
                claims: metadata, dpopKey: "key"),
            parameters: AuthorizationParameters(
                state: "state “Σ”", responseMode: .formPost, prompts: [.login, .consent], maxAge: 0,
                loginHint: "zoë@example.com", hintedSubject: UserID("zoe"), uiLocales: ["de-AT", "en"],
                acrValues: ["aal2"]),
            isPushed: true, pushedID: PendingAuthorizationID("pushed"), browser: hash("browser"),
            chosenSession: SessionID("session"), consentedBy: UserID("zoe"), consentedScopes: ["openid", "a/b"],
            isDenied: true, fault: AuthorizationFault(.invalidRequest, "attributes required: [email]"),
            createdAt: at(1),
            expiresAt: at(2), completedAt: at(3))
    }

    /// Of the client `app`.
    static func device(_ id: String, in directory: DirectoryID) -> DeviceAuthorization {
        DeviceAuthorization(
            id: DeviceAuthorizationID(id), directoryID: directory, clientID: ClientID("app"),
            deviceHash: hash("device " + id), userHash: hash("user " + id), scopes: ["openid", "a/b"],
            resources: ["https://api.example/", "urn:two"], interval: 10, polledAt: at(2),
            allowedIn: SessionID("session"), isDenied: true, createdAt: at(1), expiresAt: at(2), usedAt: at(3))
    }

    static func initialToken(_ id: String, in directory: DirectoryID) -> InitialAccessToken {
        InitialAccessToken(
            id: InitialAccessTokenID(id), directoryID: directory, name: "CI “Σ”", hash: hash("token " + id),
            grants: [.code, .deviceCode], scopes: ["openid", "a/b"],
            redirectHosts: ["tool.example", "com.example:", "*"],
            usesLeft: 3, createdAt: at(1), expiresAt: at(2), revokedAt: at(3))
    }

    static func identity(_ id: String, of user: User, provider: String = "email") -> Identity {
        Identity(
            id: IdentityID(id), directoryID: user.directoryID, userID: user.id, provider: provider,
            subject: "subject of " + id, data: metadata, lastSignInAt: at(1), createdAt: at(2), updatedAt: at(3))
    }

    static func signingKey(_ id: String, in directory: DirectoryID) -> SigningKeyRecord {
        SigningKeyRecord(
            id: SigningKeyID(id), directoryID: directory, purpose: .apiKeys, algorithm: "ES256",
            privateJWK: Secret("{\"kid\":\"\(id)\"}"), state: .retiring, createdAt: at(1), activatedAt: at(2),
            retiresAt: at(3))
    }

    static func client(_ id: String, in directory: DirectoryID) -> Client {
        var settings = ClientSettings()
        settings.flows = [.password, .administrator]
        settings.accessTokenLifetime = 301
        settings.idTokenLifetime = 302
        settings.refreshTokenLifetime = 303
        settings.concealsUsers = false
        settings.rotatesRefreshTokens = true
        settings.rotationGrace = 7
        settings.revokesTokens = false
        settings.stepLifetime = 304
        settings.passkeyOrigins = [
            "https://a.example", "android:apk-key-hash:pNiP5iKyQ8JwgGOaKA1zGPUPJIS-0H1xKCQcfIoGLck",
        ]
        settings.authorization.isEnabled = true
        settings.authorization.grants = [.clientCredentials, .code, .deviceCode, .refreshToken, .implicit]
        settings.authorization.scopes = ["openid", "a/b"]
        settings.authorization.redirectURIs = ["https://b.example/", "https://a.example/?x=1", "app:/back"]
        settings.authorization.defaultRedirectURI = "https://a.example/?x=1"
        settings.authorization.homeURI = "https://a.example/home"
        settings.authorization.signOutURIs = ["https://a.example/out", "https://a.example/?x=1"]
        settings.authorization.resources = ["urn:one", "https://api.example/"]
        settings.authorization.identityProviders = ["Name of one", "another"]
        settings.authorization.consent = .remembered
        settings.authorization.authentication = .secretPost
        settings.authorization.keys = ["keys": [.object(metadata)]]
        settings.authorization.backchannelLogoutURI = "https://a.example/told?x=1"
        settings.authorization.idTokenAlgorithm = .es256
        settings.authorization.requiresPushedRequests = true
        settings.authorization.requiresPKCE = true
        settings.authorization.providersOnly = true
        settings.authorization.requiresSignedRequests = true
        settings.authorization.requestAlgorithm = .ps256
        settings.authorization.isDPoPBound = true
        settings.authorization.profile = .fapi2
        settings.attributes = metadata
        let secrets = [
            ClientSecret(Secret("secret of \(id)"), id: ClientSecretID("new of " + id), createdAt: at(2)),
            ClientSecret(id: ClientSecretID("old of " + id), hash: hash("secret"), text: nil, createdAt: at(1)),
        ]
        return Client(
            id: ClientID(id), directoryID: directory, name: "Name of \(id) “Σ”",
            dialect: DialectName("dialect of \(id)"), secrets: secrets, settings: settings, createdAt: at(1),
            updatedAt: at(2),
            version: 3)
    }

    static func apiKey(_ id: String, in directory: DirectoryID) -> APIKey {
        APIKey(
            id: APIKeyID(id), directoryID: directory, name: "Key \(id)", kind: .secret, prefix: "sk_\(id)",
            hash: hash(id), scopes: ["users:read", "users:write"], createdAt: at(1), expiresAt: at(2),
            lastUsedAt: at(4))
    }

    static func serviceAccountKey(
        _ id: String, of account: String = "backend", in directory: DirectoryID
    ) -> ServiceAccountKey {
        ServiceAccountKey(
            id: ServiceAccountKeyID(id), directoryID: directory, account: account, publicJWK: "{\"kid\":\"\(id)\"}",
            scopes: ["users:read", "users:write"], createdAt: at(1))
    }

    static func event(_ id: String, in directory: DirectoryID, user: UserID? = nil) -> AuditEvent {
        AuditEvent(
            id: AuditEventID(id), directoryID: directory, action: .signedIn, actor: .administrator("service_role"),
            userID: user, emailHash: "hash", truncatedAddress: "192.0.2.0", userAgent: "App/4.2", details: metadata,
            at: at(1))
    }

    static func message(_ id: String, in directory: DirectoryID) -> OutboxMessage {
        OutboxMessage(
            id: OutboxMessageID(id), directoryID: directory, content: .mail(letter()), attempts: 2, dueAt: at(1),
            createdAt: at(2), sentAt: at(3), lastError: "451 busy")
    }

    static func letter(to recipient: String = "zoe@example.com") -> Letter {
        Letter(
            kind: "recovery", recipient: recipient, subject: "Grüße", text: "text", html: "<p>html</p>", code: "123456",
            link: "https://example.com/verify", tokenHash: "hash", user: UserID("someone"))
    }

    /// One of each channel.
    static let contents: [OutboxMessage.Content] = [
        .mail(letter()), .sms(Letter(kind: "phone_sign_in", recipient: "+491", text: "123456", code: "123456")),
        .webhook(WebhookEvent(endpoint: "hook", name: "user.created", body: metadata, user: UserID("someone"))),
        .userSync(
            UserSync(
                provider: "idp", proof: .idToken, token: Secret("token of “Σ”"), nonce: "nonce",
                dialect: DialectName("any"), receivedAt: at(1), user: UserID("ann"))),
        .upstreamRevocation(
            UpstreamRevocation(
                provider: "idp", subject: "7 “Σ”", tokenType: .refreshToken, token: Secret("token of “Σ”"))),
        .clientLogout(ClientLogout(client: ClientID("app"), user: UserID("ann"), session: SessionID("browser"))),
    ]

    static func group(_ id: String, in directory: DirectoryID, precedence: Int64? = 5) -> Group {
        Group(
            id: GroupID(id), directoryID: directory, name: "name of " + id, description: "What it is for",
            precedence: precedence, role: "role of " + id, createdAt: at(1), updatedAt: at(2))
    }

    static func resourceServer(_ identifier: String, in directory: DirectoryID) -> ResourceServer {
        ResourceServer(
            directoryID: directory, identifier: identifier, name: "Name of \(identifier) “Σ”",
            scopes: [
                ResourceServer.Scope(name: "write", description: "Writes “Σ” and more"),
                ResourceServer.Scope(name: "read", description: "Reads"),
            ], createdAt: at(1), updatedAt: at(2))
    }

    static func domain(
        _ name: String, _ kind: DirectoryDomain.Kind, in directory: DirectoryID
    ) -> DirectoryDomain {
        DirectoryDomain(
            directoryID: directory, name: name, kind: kind, attributes: metadata, createdAt: at(1), updatedAt: at(2))
    }

    static func identityProvider(_ name: String, in directory: DirectoryID) -> IdentityProvider {
        IdentityProvider(
            id: IdentityProviderID(name + " of " + directory.rawValue), directoryID: directory, name: name,
            kind: .openID, displayName: "Name of \(name) “Σ”", issuer: "https://\(name).example/",
            clientIDs: ["web “Σ”", "phone"], secret: Secret("secret of \(name)"), appleTeamID: "team",
            appleKeyID: "key", scopes: ["openid", "a/b"],
            endpoints: .init(
                authorization: "https://a.example/", token: "https://t.example/", userInfo: "https://u.example/",
                jwks: "https://j.example/", revocation: "https://r.example/"), organizations: ["one", "two"],
            isEnabled: false, signUpAllowed: false, emailOptional: true, skipsNonceCheck: true, grantCheckHours: 48,
            attributeMapping: ["name": "full name"], dialectData: metadata, createdAt: at(1), updatedAt: at(2),
            version: 3)
    }

    static func identityPool(_ id: String, in directory: DirectoryID) -> IdentityPool {
        IdentityPool(
            id: IdentityPoolID(id), directoryID: directory, name: "Name of \(id) “Σ”", allowsGuests: true,
            allowsClassicFlow: false, developerProvider: "login.acme",
            userSources: [.init(directory: directory, client: ClientID("c"), checksSession: true)],
            clientIDs: ["google": "g-1", "apple": "a-1"],
            openIDSources: [.init(provider: "custom:acme", resource: "arn “Σ”")],
            roles: .init(authenticated: "role/a", guest: "role/g"),
            roleMappings: [
                LoginSource(.upstream("google")): RoleMapping(.token, ambiguity: .deny),
                LoginSource(.users(directory), client: "c"): RoleMapping(
                    .rules([.init(claim: "groups", match: .startsWith, value: "“Σ”", role: "role/b")])),
            ],
            principalTags: [.upstream("google"): PrincipalTags(usesDefaults: false, claims: ["tag": "claim"])],
            tags: ["note": "“Σ”"], createdAt: at(1), updatedAt: at(2), version: 3)
    }

    static func poolIdentity(_ id: String, of pool: IdentityPool) -> PoolIdentity {
        PoolIdentity(
            id: PoolIdentityID(id), poolID: pool.id, directoryID: pool.directoryID, isAuthenticated: true,
            createdAt: at(1), updatedAt: at(2))
    }

    static func pendingFederation(_ id: String, in directory: DirectoryID) -> PendingFederation {
        PendingFederation(
            id: PendingFederationID(id), directoryID: directory, stateHash: hash("state " + id),
            providerID: IdentityProviderID("provider"), provider: "google", issuer: "https://accounts.google.com",
            binding: hash("browser"), nonce: "nonce “Σ”", verifier: Secret("verifier of " + id),
            redirectURI: "https://auth.example/callback?a=1", dialect: DialectName("one"), continuation: metadata,
            linksTo: UserID("zoe"), session: SessionID("session"), createdAt: at(1), expiresAt: at(2), usedAt: at(3))
    }

    static func grant(of identity: IdentityID, in directory: DirectoryID, _ token: String) -> UpstreamGrant {
        UpstreamGrant(identityID: identity, directoryID: directory, refreshToken: Secret(token), updatedAt: at(1))
    }

    static func activity(_ id: String, of user: User, type: String = "yoga.session", at instant: Instant) -> Activity {
        Activity(
            id: ActivityID(id), directoryID: user.directoryID, userID: user.id, type: type,
            description: "Sun salutation",
            durationSeconds: 1800, at: instant)
    }
}
