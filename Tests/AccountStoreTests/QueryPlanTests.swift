// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import GRDB
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

/// What a request waits for must cost the same in a store of a million users as in one of ten.
@Suite("Query plans", .timeLimit(.minutes(10)))
struct QueryPlanTests {
    /// A call of the store, and what its plan must hold beside no scan.
    struct Call: Sendable, CustomTestStringConvertible {
        let name: String
        /// Each must be in the plan.
        var uses: [String] = []
        /// Walks an index in the order of its answer and stops at the limit.
        var walksIndex = false
        /// Its answer is small before it is sorted.
        var maySort = false
        let body: @Sendable (any StoreWriting & StoreScanning) throws -> Void

        var testDescription: String { name }
    }

    private static let home = Rows.home
    private static let ann = UserID("ann")
    private static let hash = [UInt8](repeating: 1, count: 32)
    private static let now = Rows.now

    static let calls: [Call] = [
        Call(name: "Directory by name") { _ = try $0.directory(named: "x") },
        Call(name: "user by identifier") { _ = try $0.user(ann, in: home) },
        Call(name: "user by an identifier brought along", uses: ["user_identifiers USING PRIMARY KEY"], maySort: true) {
            _ = try $0.user(identifier: "x", in: home)
        },
        Call(name: "identifiers brought along, of several users") {
            _ = try $0.externalIdentifiers(of: [ann], in: home)
        },
        Call(name: "user by email", uses: ["users_email"]) {
            _ = try $0.user(email: EmailAddress("a@example.com"), in: home)
        },
        Call(name: "user by phone", uses: ["users_phone"]) {
            _ = try $0.user(phone: PhoneNumber("+4930123456"), in: home)
        },
        Call(name: "forms of hashes", uses: ["users_password_form"], walksIndex: true) {
            _ = try $0.passwordForms(in: home, limit: 9)
        },
        Call(
            name: "user by name", uses: ["users_username", "user_identifiers"], maySort: true
        ) {
            _ = try $0.user(username: Username("ada"), in: home)
        },
        Call(
            name: "whether one of several texts is a name", uses: ["users_username (directory_id=? AND username_key=?)"]
        ) { _ = try $0.isAnyName(["x"], in: home) },
        Call(
            name: "R9.15 users by a filter of the email",
            uses: [
                "users_email (directory_id=? AND email=? AND email_holder<?)",
                "users_email (directory_id=? AND email>? AND email<?)",
            ]
        ) {
            _ = try $0.users(in: home, matching: .email(.exact("ann")), after: nil, limit: 50, at: now)
            let start = UserPosition("anna")
            _ = try $0.users(in: home, matching: .email(.prefix("ann")), after: start, limit: 50, at: now)
        },
        Call(
            name: "R9.15 users by a filter of the name",
            uses: [
                "users_username (directory_id=? AND username_key=?)",
                "users_username (directory_id=? AND username_key>? AND username_key<?)",
            ]
        ) {
            _ = try $0.users(
                in: home, matching: .called(.exact("ann"), in: DialectName("any")), after: nil, limit: 50, at: now)
            _ = try $0.users(
                in: home, matching: .called(.prefix(""), in: DialectName("any")), after: nil, limit: 50, at: now)
        },
        Call(
            name: "R9.15 users by a filter of the phone",
            uses: [
                "users_phone (directory_id=? AND phone=? AND phone_holder<?)",
                "users_phone (directory_id=? AND phone>? AND phone<?)",
            ]
        ) {
            _ = try $0.users(in: home, matching: .phone(.exact("+49")), after: nil, limit: 50, at: now)
            _ = try $0.users(in: home, matching: .phone(.prefix("+49")), after: nil, limit: 50, at: now)
        },
        Call(name: "R9.15 users by a filter of an attribute", uses: ["(directory_id=? AND id>?)"]) {
            let filter = UserFilter.attribute("name", of: DialectName("x"), orShared: .name, .exact("Ann"))
            let start = UserPosition("ann")
            _ = try $0.users(in: home, matching: filter, after: start, limit: 50, at: now)
        },
        Call(name: "several users", uses: ["(directory_id=? AND id=?)"]) { _ = try $0.users([ann], in: home) },
        Call(name: "user by a filter of the identifier") {
            _ = try $0.users(
                in: home, matching: .identifier(.exact("ann"), in: DialectName("any")), after: nil, limit: 50, at: now)
        },
        Call(name: "users that are enabled") {
            _ = try $0.users(in: home, matching: .enabled(true), after: nil, limit: 50, at: now)
        },
        Call(name: "client by identifier") { _ = try $0.client(ClientID("c")) },
        Call(name: "resource servers") { tx in
            _ = try tx.resourceServers(in: home)
            _ = try tx.resourceServer("api", in: home)
        },
        Call(name: "domain by name, and those of a Directory", uses: ["directory_domains_kind"]) { tx in
            _ = try tx.domain(named: "one")
            _ = try tx.domains(in: home)
        },
        Call(name: "R12.2 identity providers", uses: ["identity_providers_name", "identities_subject"]) { tx in
            _ = try tx.identityProviders(in: home)
            _ = try tx.identityProvider(named: "google", in: home)
            _ = try tx.hasIdentities(of: "google", in: home)
        },
        Call(name: "R12.2 what a browser was sent to a provider with, and grants") { tx in
            _ = try tx.pendingFederation(stateHash: hash)
            _ = try tx.use(PendingFederationID("one"), at: now)
            _ = try tx.upstreamGrant(of: IdentityID("one"), in: home)
            _ = try tx.deleteUpstreamGrant(of: IdentityID("one"), in: home)
            _ = try tx.identity(IdentityID("one"), in: home)
        },
        Call(name: "Y-E4 grants that are to be asked about", uses: ["upstream_grants_due"]) {
            _ = try $0.upstreamGrants(dueAt: now, limit: 100)
        },
        Call(name: "H-8 that an identity has ended") { tx in
            _ = try tx.identityEnd(hash, in: home)
            try tx.noteIdentityEnd(hash, in: home, at: now)
        },
        Call(name: "H-8 purge of what identities have ended", uses: ["identity_ends_when"]) {
            _ = try $0.purgeIdentityEnds(before: now, limit: 100)
        },
        Call(name: "R12.2 purge of what browsers were sent away with", uses: ["pending_federations_expiry"]) {
            _ = try $0.purgeFederations(expiredBefore: now, limit: 100)
        },
        Call(
            name: "R12.7 identity pools", uses: ["identity_pools_directory", "pool_identities_pool"], walksIndex: true
        ) { tx in
            _ = try tx.identityPools(in: home, after: nil, limit: 9)
            _ = try tx.identityPool(IdentityPoolID("one"))
            _ = try tx.poolIdentities(in: IdentityPoolID("one"), after: nil, withMerged: false, limit: 9)
        },
        Call(name: "R12.7 logins of an identity", uses: ["pool_logins_identity"], maySort: true) { tx in
            _ = try tx.poolIdentity(PoolIdentityID("one"))
            _ = try tx.logins(of: PoolIdentityID("one"))
            _ = try tx.identity(of: PoolLogin(.upstream("google"), subject: "1"), in: IdentityPoolID("one"))
        },
        Call(name: "clients of a Directory", uses: ["clients_directory"]) { _ = try $0.clients(in: home) },
        Call(name: "page of users", uses: ["users_created"]) {
            _ = try $0.users(in: home, search: nil, offset: 50, limit: 50)
        },
        Call(name: "page of users, the oldest first", uses: ["users_created"]) {
            _ = try $0.users(in: home, search: nil, oldestFirst: true, offset: 50, limit: 50)
        },
        Call(
            name: "users by a prefix",
            uses: ["users_email", "users_phone", "user_identifiers USING PRIMARY KEY"], maySort: true
        ) {
            _ = try $0.users(in: home, search: "ann", offset: 0, limit: 50)
        },
        Call(name: "R10.3 users by a part", uses: ["users_created"]) {
            let part = try UserPart("ann", orIn: "full_name")
            _ = try $0.userIDs(
                in: home, holding: part, oldestFirst: false, after: UserPosition("1 ann"), limit: 50)
        },
        Call(
            name: "R9.15 users behind a place in the order in which they were made",
            uses: ["users_created (directory_id=?)", "users_created (directory_id=? AND (created_at,id)"]
        ) { tx in
            for oldestFirst in [true, false] {
                for place in [nil, UserPosition("1 ann")] {
                    _ = try tx.users(in: home, oldestFirst: oldestFirst, after: place, limit: 50)
                    _ = try tx.userPosition(in: home, oldestFirst: oldestFirst, after: place, passing: 50)
                }
            }
        },
        Call(name: "own identity by subject", uses: ["identities_user (directory_id=? AND user_id=?)"]) {
            _ = try $0.identity(provider: "email", subject: "ann", in: home)
        },
        Call(name: "number of users") { _ = try $0.userCount(in: home) },
        Call(name: "users for export") { _ = try $0.users(in: home, after: ann, limit: 100) },
        Call(name: "users deleted", uses: ["users_deleted (directory_id=? AND deleted_at<?)"]) {
            _ = try $0.usersDeleted(in: home, before: now, limit: 100)
        },
        Call(name: "update of a user") { _ = try $0.update(Rows.user("ann")) },
        Call(name: "deletion of a user") { _ = try $0.deleteUser(ann, in: home) },
        Call(name: "identities of a user", uses: ["identities_user"]) {
            _ = try $0.identities(of: ann, in: home)
        },
        Call(name: "R9.14 identities of several users", uses: ["identities_user"], maySort: true) {
            _ = try $0.identities(of: [ann], in: home)
        },
        Call(name: "R9.14 groups of several users", uses: ["group_members_user"], maySort: true) {
            _ = try $0.groups(of: [ann], in: home)
        },
        Call(name: "R9.14 profiles of several users") { _ = try $0.profiles(of: [ann], in: home) },
        Call(name: "identity by subject", uses: ["identities_subject"]) {
            _ = try $0.identity(provider: "google", subject: "1", in: home)
        },
        Call(name: "session by identifier") { _ = try $0.session(SessionID("s"), in: home) },
        Call(name: "sessions of a user", uses: ["sessions_user"], maySort: true) {
            _ = try $0.sessions(of: ann, in: home)
        },
        Call(name: "G-6.2 a page of a user's sessions", uses: ["sessions_user"], maySort: true) {
            _ = try $0.sessions(of: ann, in: home, after: nil, limit: 9)
            let position = SessionPosition(createdAt: now, id: SessionID("s"))
            _ = try $0.sessions(of: ann, in: home, after: position, limit: 9)
            _ = try $0.devices(of: ann, in: home, limit: 9)
        },
        Call(name: "a known network", uses: ["sessions_user"]) {
            _ = try $0.hasSession(of: ann, in: home, from: "192.0.2.0", activeSince: now)
        },
        Call(name: "refresh of a session") { tx in
            let session = Session(
                id: SessionID("s"), directoryID: home, userID: ann, device: DeviceMetadata(), methods: [],
                assurance: .aal1, createdAt: now, lastActiveAt: now, notAfter: nil,
                family: RefreshTokenFamily(generation: 1, liveHash: hash, steps: []))
            _ = try tx.advance(session, from: 0)
            _ = try tx.restart(session, from: 0)
        },
        Call(name: "R11.2 clients' sessions in a browser's", uses: ["sessions_parent"], maySort: true) {
            _ = try $0.sessions(under: SessionID("s"), in: home)
        },
        Call(name: "R11.3 end of a client's sessions of a user", uses: ["sessions_user"]) {
            _ = try $0.revokeSessions(of: ann, client: ClientID("c"), in: home, because: .signedOut, at: now)
        },
        Call(name: "pending authorization") { _ = try $0.pendingAuthorization(PendingAuthorizationID("p")) },
        Call(name: "completion of a pending authorization") {
            _ = try $0.complete(PendingAuthorizationID("p"), at: now)
        },
        Call(
            name: "purge of pending authorizations",
            uses: ["pending_authorizations_expiry", "device_authorizations_expiry"]
        ) {
            _ = try $0.purgeAuthorizations(expiredBefore: now, limit: 100)
        },
        Call(name: "R11.9 device by its own code") { _ = try $0.deviceAuthorization(deviceHash: hash, in: home) },
        Call(name: "R11.9 device by its user's code") { _ = try $0.deviceAuthorization(userHash: hash, in: home) },
        Call(name: "R11.9 use of a device's code") { _ = try $0.use(DeviceAuthorizationID("d"), at: now) },
        Call(name: "R11.9 initial access token by hash") { _ = try $0.initialAccessToken(hash: hash) },
        Call(name: "R11.9 initial access tokens", uses: ["initial_access_tokens_directory"]) {
            _ = try $0.initialAccessTokens(in: home)
        },
        Call(name: "R11.9 use of an initial access token, and its scopes") {
            _ = try $0.useInitialAccessToken(InitialAccessTokenID("t"))
            try $0.update(
                InitialAccessToken(
                    id: InitialAccessTokenID("t"), directoryID: home, name: "t", hash: hash, grants: [], scopes: [],
                    createdAt: now))
        },
        Call(name: "R11.9 a client that has registered itself") {
            _ = try $0.selfRegistration(of: ClientID("c"), in: home)
            _ = try $0.selfRegistrations(in: home)
            try $0.update(
                SelfRegistration(
                    clientID: ClientID("c"), directoryID: home, accessHash: [],
                    initialToken: InitialAccessTokenID("t")))
        },
        Call(name: "consents of a user") { _ = try $0.consents(of: ann, in: home) },
        Call(name: "end of a session", uses: ["sessions_parent"]) {
            _ = try $0.revoke(SessionID("s"), in: home, because: .signedOut, at: now)
        },
        Call(name: "end of a user's sessions", uses: ["sessions_user"]) {
            _ = try $0.revokeSessions(of: ann, in: home, except: nil, because: .signedOut, at: now)
        },
        Call(name: "R14.2 end of a user's sessions below a level", uses: ["sessions_user"]) {
            _ = try $0.revokeSessions(of: ann, below: .aal2, in: home, except: nil, because: .replaced, at: now)
        },
        Call(name: "R14.2 end of a factor's challenges", uses: ["factor_challenges_factor"]) {
            try $0.deleteChallenges(of: FactorID("f"), in: home)
        },
        Call(name: "R14.2 newest challenge of a session", uses: ["factor_challenges_user"], maySort: true) {
            _ = try $0.latestChallenge(of: ann, holder: "session s", in: home)
        },
        Call(name: "remembered devices of a user", uses: ["remembered_devices_user"]) {
            _ = try $0.rememberedDevices(of: ann, in: home)
        },
        Call(name: "purge of sessions", uses: ["sessions_revoked", "sessions_ended"]) {
            _ = try $0.purgeSessions(endedBefore: now, limit: 100)
        },
        Call(name: "one-time token by hash") { _ = try $0.oneTimeToken(linkHash: hash, in: home) },
        Call(name: "one-time token of a user", uses: ["one_time_tokens_"]) {
            _ = try $0.oneTimeToken(of: ann, purpose: .recovery, in: home)
        },
        Call(name: "all of a user's one-time tokens of a purpose", uses: ["one_time_tokens_user"]) {
            _ = try $0.oneTimeTokens(of: ann, purpose: .signUpConfirmation, in: home)
        },
        Call(name: "sign-up by identifier") { _ = try $0.signUpAttempt(SignUpAttemptID("a"), in: home) },
        Call(name: "sign-ups of a user", uses: ["sign_up_attempts_user"]) {
            _ = try $0.signUpAttempts(of: ann, in: home)
        },
        Call(name: "deletion of sign-ups", uses: ["sign_up_attempts_user"]) {
            try $0.deleteSignUpAttempt(SignUpAttemptID("a"), in: home)
            try $0.deleteSignUpAttempts(of: ann, in: home)
        },
        Call(name: "one-time tokens to a recipient", uses: ["one_time_tokens_recipient"], maySort: true) {
            _ = try $0.oneTimeTokens(to: "a@example.com", purpose: .recovery, in: home, askedBy: [1], limit: 10)
        },
        Call(name: "consumption of a token") { _ = try $0.consume(OneTimeTokenID("t")) },
        Call(name: "a wrong code") { _ = try $0.countAttempt(OneTimeTokenID("t"), isOwn: true) },
        Call(name: "deletion of a user's tokens", uses: ["one_time_tokens_user"]) {
            try $0.deleteOneTimeTokens(of: ann, in: home, purposes: nil)
            try $0.deleteOneTimeTokens(of: ann, in: home, purposes: [.recovery])
        },
        Call(name: "purge of tokens and codes", uses: ["one_time_tokens_expiry", "authorization_codes_expiry"]) {
            _ = try $0.purgeOneTime(expiredBefore: now, limit: 100)
        },
        Call(name: "authorization code by hash") { _ = try $0.authorizationCode(hash: hash, in: home) },
        Call(name: "use of an authorization code") {
            _ = try $0.use(FlowStateID("f"), session: SessionID("s"), at: now)
        },
        Call(name: "standing of a session") { _ = try $0.standing(of: SessionID("x"), in: home) },
        Call(name: "deletion of a user's codes", uses: ["authorization_codes_user"]) {
            try $0.deleteAuthorizationCodes(of: ann, in: home)
        },
        Call(name: "signing keys", maySort: true) { _ = try $0.signingKeys(in: home) },
        Call(name: "API keys", uses: ["api_keys_directory"], maySort: true) { _ = try $0.apiKeys(in: home) },
        Call(name: "keys of service accounts", uses: ["service_account_keys_account"], maySort: true) {
            _ = try $0.serviceAccountKeys(in: home)
        },
        Call(
            name: "R10.5 keys of one service account", uses: ["service_account_keys_account", "account=?"],
            maySort: true
        ) { _ = try $0.serviceAccountKeys(of: "backend", in: home) },
        Call(name: "key of a service account") {
            _ = try $0.serviceAccountKey(ServiceAccountKeyID("k"), in: home)
        },
        Call(name: "C-6 API key by hash") { _ = try $0.apiKey(hash: hash) },
        Call(name: "page of the audit log", uses: ["audit_events_time"]) {
            _ = try $0.auditEvents(in: home, actions: nil, user: nil, offset: 0, limit: 50)
        },
        Call(name: "audit events of an action", uses: ["audit_events_action"]) {
            _ = try $0.auditEvents(in: home, actions: [.signedIn], user: nil, offset: 0, limit: 50)
        },
        Call(name: "audit events of several actions", uses: ["audit_events"], maySort: true) {
            _ = try $0.auditEvents(in: home, actions: [.signedIn, .signedOut], user: nil, offset: 0, limit: 50)
        },
        Call(name: "audit events of a user", uses: ["audit_events_user"], maySort: true) {
            _ = try $0.auditEvents(in: home, actions: nil, user: ann, offset: 0, limit: 50)
        },
        Call(
            name: "a later page of the audit log",
            uses: [
                "audit_events_time (directory_id=? AND (at,id)<(?,?))",
                "audit_events_action (directory_id=? AND action=? AND (at,id)<(?,?))",
                "audit_events_user (directory_id=? AND user_id=? AND action=? AND (at,id)<(?,?))",
            ]
        ) {
            let place = AuditPlace(at: now, id: AuditEventID("e"))
            _ = try $0.auditEvents(in: home, actions: nil, user: nil, after: place, limit: 50)
            _ = try $0.auditEvents(in: home, actions: [.signedIn], user: nil, after: place, limit: 50)
            _ = try $0.auditEvents(in: home, actions: [.signedIn], user: ann, after: place, limit: 50)
        },
        Call(name: "a later page of a user's audit events", uses: ["audit_events_user"], maySort: true) {
            let place = AuditPlace(at: now, id: AuditEventID("e"))
            _ = try $0.auditEvents(in: home, actions: nil, user: ann, after: place, limit: 50)
        },
        Call(name: "R14.3 a page of all that is written down of a user", uses: ["audit_events_user"]) {
            let position = AuditPosition(action: .signedIn, at: now, id: AuditEventID("e"))
            _ = try $0.auditEvents(of: ann, in: home, after: position, limit: 50)
        },
        Call(name: "R14.3 a page of a user's sessions", uses: ["sessions_user"], maySort: true) {
            _ = try $0.everySession(
                of: ann, in: home, after: SessionPosition(createdAt: now, id: SessionID("s")), limit: 50)
        },
        Call(name: "R14.3 a page of messages about a user", uses: ["outbox_user"], maySort: true) {
            _ = try $0.outbox(
                about: ann, in: home, after: OutboxPosition(createdAt: now, id: OutboxMessageID("m")), limit: 50)
        },
        Call(name: "R14.3 a page of messages to a recipient", uses: ["outbox_recipient"], maySort: true) {
            _ = try $0.outbox(
                to: "a@example.com", in: home, after: OutboxPosition(createdAt: now, id: OutboxMessageID("m")),
                limit: 50)
        },
        Call(name: "R53 the lock of one-time codes", uses: ["audit_events_user", "action=?"]) {
            _ = try $0.auditEvents(
                of: ann, in: home, action: .verificationFailed, until: now, offset: 9, limit: 1)
        },
        Call(name: "number of a user's audit events", uses: ["audit_events_user"]) {
            _ = try $0.auditEventCount(in: home, actions: nil, user: ann)
        },
        Call(name: "purge of the audit log", uses: ["audit_events_time (directory_id=? AND at<?)"]) {
            _ = try $0.purgeAuditEvents(in: home, before: now, limit: 100)
        },
        Call(name: "when the outbox is next due", uses: ["outbox_channel"]) {
            _ = try $0.nextOutboxDue([.mail])
        },
        Call(name: "what the outbox owes", uses: ["outbox_channel"]) {
            _ = try $0.claimOutbox(.mail, at: now, leaseEnd: now, limit: 4)
        },
        Call(name: "messages that are due too late", uses: ["outbox_channel"]) {
            _ = try $0.hastenOutbox(.mail, dueAfter: now, to: now)
        },
        Call(name: "where a message stands in its queue, and which is next", uses: ["outbox_queue"]) {
            let event = WebhookEvent(endpoint: "hook", name: "user.deleted", body: [:], user: ann)
            var message = OutboxMessage(
                id: OutboxMessageID("event"), directoryID: home, content: .webhook(event), dueAt: now, createdAt: now)
            try $0.enqueue(message)
            message.state = .sent
            try $0.update(message)
            try $0.deleteOutboxMessage(message.id)
        },
        Call(name: "events that were given up", uses: ["outbox_directory"], maySort: true) {
            _ = try $0.failedOutbox(.webhook, in: home, limit: 10)
        },
        Call(name: "messages to a recipient", uses: ["outbox_recipient"], maySort: true) {
            _ = try $0.outbox(in: nil, recipient: "a@example.com", limit: 10)
        },
        Call(name: "messages of a Directory", uses: ["outbox_directory"], maySort: true) {
            _ = try $0.outbox(in: home, recipient: nil, limit: 10)
        },
        Call(name: "the newest messages", uses: ["outbox_created"], walksIndex: true, maySort: true) {
            _ = try $0.outbox(in: nil, recipient: nil, limit: 10)
        },
        Call(name: "R10.1 what is forgotten of a deleted user") {
            _ = try $0.redactSessions(of: ann, in: home, limit: 9)
            _ = try $0.eraseSessions(of: ann, in: home, limit: 9)
            _ = try $0.eraseActivities(of: ann, in: home, limit: 9)
            try $0.deleteLockouts(of: ann, in: home)
            try $0.deleteOutbox(to: "a@example.com", in: home, includingOwed: false)
            try $0.deleteOutboxMessage(OutboxMessageID("m"))
        },
        Call(name: "R10.1 letters about a deleted user", uses: ["outbox_user"]) {
            try $0.deleteSettledLetters(about: ann, in: home)
        },
        Call(name: "G-10.4 events of a deleted user", uses: ["audit_events_user"]) {
            let position = AuditPosition(action: .signedIn, at: now, id: AuditEventID("e"))
            _ = try $0.redactAuditEvents(of: ann, in: home, after: nil, limit: 9)
            _ = try $0.redactAuditEvents(of: ann, in: home, after: position, limit: 9)
        },
        Call(
            name: "G-11 terms, and what a user has said to them",
            uses: ["terms_effective", "agreements_time", "(directory_id=? AND user_id=? AND name=? AND sequence=?)"],
            walksIndex: true
        ) { tx in
            _ = try tx.terms(in: home)
            _ = try tx.agreement(of: ann, to: "terms", in: home)
            _ = try tx.agreement(of: ann, to: "terms", sequence: 1, in: home)
            _ = try tx.agreements(
                of: ann, in: home, after: AgreementPosition(at: now, name: "terms", sequence: 1), limit: 50)
        },
        Call(name: "G-10.4 what is still to be erased", walksIndex: true) {
            _ = try $0.erasures(limit: 9)
            _ = try $0.erasure(of: ann, in: home)
        },
        Call(name: "G-10.4 who is to be deleted", uses: ["users_deletion_due"]) {
            _ = try $0.users(dueForDeletionAt: now, limit: 9)
        },
        Call(name: "G-10.4 who waits to be deleted", uses: ["users_deletion_waiting"]) {
            _ = try $0.users(waitingForDeletionIn: home, limit: 9)
        },
        Call(name: "G-9.1 second factors as they are shown", uses: ["factors_user"]) {
            _ = try $0.secondFactors(of: ann, in: home)
        },
        Call(name: "G-9.8 a recovery of factors") {
            _ = try $0.factorRecovery(of: ann, in: home)
            _ = try $0.deleteFactorRecovery(of: ann, in: home)
        },
        Call(name: "G-9.8 whose wait is over", uses: ["factor_recoveries_due"]) {
            _ = try $0.factorRecoveries(dueAt: now, limit: 9)
        },
        Call(name: "G-9.8 purge of recoveries", uses: ["factor_recoveries_end"]) {
            _ = try $0.purgeFactorRecoveries(endedBefore: now, limit: 9)
        },
        Call(name: "purge of the outbox", uses: ["outbox_created"]) {
            _ = try $0.purgeOutbox(finishedBefore: now, limit: 100)
        },
        Call(name: "group by name", uses: ["user_groups_name"]) { _ = try $0.group(named: "x", in: home) },
        Call(name: "groups of a user", uses: ["group_members_user"], maySort: true) {
            _ = try $0.groups(of: ann, in: home)
        },
        Call(name: "R9.15 members of a group", uses: ["(group_id=? AND user_id>?)"]) {
            _ = try $0.members(of: GroupID("g"), in: home, after: ann, limit: 50)
        },
        Call(name: "counts of changes") { _ = try $0.changeCounts() },
        Call(name: "attempts that are added") { tx in
            let addition = AttemptAddition(key: hash, directory: home, debt: .seconds(1), size: .seconds(60))
            _ = try tx.addAttempts([addition], at: now)
        },
        Call(name: "a mark of the store") { tx in
            _ = try tx.mark(.production)
            try tx.set(.written, at: now)
        },
        Call(name: "a spent nonce") { tx in
            _ = try tx.isSpent(hash, in: home)
            _ = try tx.spend(hash, in: home, until: now)
        },
        Call(name: "counted attempts") { tx in
            let rule = RateLimitRule(name: "rule", count: 5, period: .minutes(1))
            _ = try tx.attemptsEnd(hash, in: home)
            _ = try tx.attemptsEnds(hash, hash, in: home)
            _ = try tx.attemptsEnds(hash, hash, in: home, andRecoveryOf: ann)
            _ = try tx.takeAttempt(rule, key: hash, in: home, at: now)
            try tx.giveBackAttempt(rule, key: hash, in: home)
            try tx.forgetAttempts(hash, in: home)
        },
        Call(name: "a lockout", uses: ["(directory_id=? AND key=?)"]) { tx in
            let lockout = Lockout(key: hash, directoryID: home, userID: ann)
            _ = try tx.lockout(hash, in: home)
            try tx.put(lockout, until: now)
            _ = try tx.deleteLockout(hash, in: home)
        },
        Call(name: "lockouts of a user", uses: ["lockouts_user"]) { _ = try $0.lockouts(of: ann, in: home) },
        Call(name: "what is locked", uses: ["lockouts_locked"]) {
            _ = try $0.lockouts(in: home, after: nil, limit: 50)
            _ = try $0.lockouts(in: home, after: LockoutPosition(lockedAt: now, key: hash), limit: 50)
        },
        Call(name: "purge of lockouts", uses: ["lockouts_end"]) {
            _ = try $0.purgeLockouts(endedBefore: now, limit: 100)
        },
        Call(name: "purge of nonces and attempts", uses: ["spent_nonces_expiry", "counted_attempts_end"]) {
            _ = try $0.purgeNonces(expiredBefore: now, limit: 100)
            _ = try $0.purgeAttempts(endedBefore: now, limit: 100)
        },
        Call(name: "profile") { _ = try $0.profile(of: ann, in: home) },
        Call(name: "activities", uses: ["activities USING PRIMARY KEY (directory_id=? AND user_id=? AND at"]) {
            _ = try $0.activities(
                of: ann, in: home, matching: ActivityFilter(from: now, until: now),
                after: ActivityPosition(at: now, id: ActivityID("a")), limit: 50)
        },
        Call(name: "activities of a type", uses: ["activities_type"]) {
            _ = try $0.activities(of: ann, in: home, matching: ActivityFilter(type: "yoga"), after: nil, limit: 50)
        },
    ]

    /// Runs the call on a connection that notes the plans, and undoes it.
    private func plans(of call: Call) async throws -> [PlannedConnection.Plan] {
        try await withStore { store in
            try await store.addHome()
            try await store.write { try $0.insert(Rows.user("ann")) }
            return try await store.queue.writeWithoutTransaction { database in
                let connection = PlannedConnection(SQLiteConnection(database))
                try database.inTransaction {
                    try call.body(
                        SQLTransaction(
                            connection: connection, vault: Vault(random: SystemRandomSource(), masterKeys: { nil }),
                            damages: DamageReports { _, _ in }))
                    return .rollback
                }
                return connection.plans
            }
        }
    }

    @Test("no call walks through a table, and none sorts more than one user has", arguments: calls)
    func plan(_ call: Call) async throws {
        let plans = try await plans(of: call)
        #expect(!plans.isEmpty)
        let steps = plans.flatMap(\.steps)
        let text = plans.map(\.description).joined(separator: "\n")
        for step in steps {
            if step.hasPrefix("SCAN "), step != "SCAN CONSTANT ROW" {
                #expect(call.walksIndex && step.contains(" USING ") && step.contains("INDEX"), "\(text)")
            }
            if step.contains("TEMP B-TREE") { #expect(call.maySort, "\(text)") }
            #expect(!step.contains("AUTOMATIC"), "\(text)")
        }
        for wanted in call.uses { #expect(steps.contains { $0.contains(wanted) }, "\(wanted) in\n\(text)") }
    }

    @Test("a query that walks through a table is noticed")
    func notices() async throws {
        let call = Call(name: "scan") { tx in
            guard let tx = tx as? SQLTransaction else { return }
            _ = try tx.connection.query("SELECT id FROM users WHERE role = 'x' ORDER BY role", []) { try $0.text(0) }
        }
        let steps = try await plans(of: call).flatMap(\.steps)
        #expect(steps.contains { $0.hasPrefix("SCAN users") })
    }
}
