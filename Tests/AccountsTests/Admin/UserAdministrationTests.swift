// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

@Suite("UserAdministration")
struct UserAdministrationTests {
    static let password = Secret("Tr1cky-Enough-Phrase")

    func attributes(_ email: String? = "ada@example.com", _ change: (inout UserAttributes) -> Void = { _ in })
        throws -> UserAttributes
    {
        var attributes = UserAttributes()
        attributes.email = try email.map { try EmailAddress($0) }
        change(&attributes)
        return attributes
    }

    func code(_ body: () async throws -> some Any) async -> AuthErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? AuthError)?.code }
    }

    @Test("A created user has identities and providers, and is confirmed only where the administrator says so")
    func create() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let first = try await administration.create(
            try attributes {
                $0.password = Self.password
                $0.userMetadata = ["name": "Ada"]
                $0.appMetadata = ["plan": "pro"]
            }, call: bench.call())
        #expect(first.user.emailVerifiedAt == nil)
        #expect(first.user.passwordHash != nil)
        #expect(first.identities.map(\.provider) == ["email"])
        #expect(first.user.appMetadata == ["provider": "email", "providers": ["email"], "plan": "pro"])
        let second = try await administration.create(
            try attributes(nil) {
                $0.phone = try? PhoneNumber("+41791234567")
                $0.phoneConfirm = true
            }, call: bench.call())
        #expect(second.user.phoneVerifiedAt == bench.now)
        #expect(second.user.passwordHash == nil)
        #expect(try await administration.get(first.user.id, call: bench.call()).user.email == first.user.email)
    }

    @Test("A taken address, number or identifier, a weak password and both of password and hash are refused")
    func refusals() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let id = UserID("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa")
        _ = try await administration.create(
            try attributes {
                $0.id = id
                $0.phone = try? PhoneNumber("+41791234567")
            }, call: bench.call())
        func refused(_ email: String?, _ change: (inout UserAttributes) -> Void = { _ in }) async -> AuthErrorCode? {
            await code { try await administration.create(try attributes(email, change), call: bench.call()) }
        }
        #expect(await refused("ADA@example.com") == .emailExists)
        #expect(await refused("b@example.com") { $0.phone = try? PhoneNumber("41791234567") } == .phoneExists)
        #expect(await refused("b@example.com") { $0.id = id } == .conflict)
        #expect(await refused("b@example.com") { $0.id = UserID("../etc") } == .invalidRequest)
        #expect(await refused("b@example.com") { $0.password = Secret("short") } == .weakPassword)
        #expect(await refused("b@example.com") { $0.role = "two words" } == .invalidRequest)
        #expect(await refused(nil) == .invalidRequest)
        let hash = try await bench.ports.passwords.hash(Self.password)
        #expect(
            await refused("b@example.com") {
                $0.password = Self.password
                $0.passwordHash = hash
            } == .invalidRequest)
    }

    @Test("C-5 No user and nobody unknown administers, whatever a dialect forgot", arguments: [true, false])
    func guarded(isUser: Bool) async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let record = try await administration.create(try attributes(), call: bench.call())
        let call = bench.call(actor: isUser ? .user(record.user.id) : .unknown)
        let email = try EmailAddress("b@example.com")
        #expect(
            await code { try await administration.create(try attributes("b@example.com"), call: call) } == .forbidden)
        #expect(
            await code { try await administration.update(record.user.id, try attributes(), call: call) } == .forbidden)
        #expect(await code { try await administration.get(record.user.id, call: call) } == .forbidden)
        #expect(await code { try await administration.list(call: call) } == .forbidden)
        #expect(await code { try await administration.delete(record.user.id, soft: false, call: call) } == .forbidden)
        #expect(await code { try await administration.invite(email: email, call: call) } == .forbidden)
        #expect(
            await code { try await administration.generateLink(.magicLink, email: email, call: call) } == .forbidden)
        #expect(await code { try await GroupAdministration(bench.ports).create(name: "g", call: call) } == .forbidden)
        #expect(
            await code { try await GroupAdministration(bench.ports).add(record.user.id, to: "g", call: call) }
                == .forbidden)
    }

    @Test(
        "R67 R33 A ban and a new password end every session, link and code; metadata alone ends nothing",
        arguments: ["ban", "password", "metadata"])
    func endings(change: String) async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let user = try await administration.create(
            try attributes { $0.emailConfirm = true }, call: bench.call()
        ).user
        let session = try await bench.openSession(of: user)
        _ = try await administration.generateLink(
            .recovery, email: EmailAddress("ada@example.com"), call: bench.call())
        _ = try await administration.update(
            user.id,
            try attributes(nil) {
                switch change {
                case "ban": $0.ban = .for(.hours(24))
                case "password": $0.password = Self.password
                default: $0.userMetadata = ["name": "Ada"]
                }
            }, call: bench.call())
        let (ended, token) = try await bench.ports.store.read { tx in
            (
                try tx.session(session, in: user.directoryID)?.revocation,
                try tx.oneTimeToken(of: user.id, purpose: .recovery, in: user.directoryID)
            )
        }
        switch change {
        case "ban": #expect(ended == .banned)
        case "password": #expect(ended == .passwordChanged)
        default: #expect(ended == nil)
        }
        #expect((token == nil) == (change != "metadata"))
    }

    @Test("A ban is lifted, metadata is merged and a null removes")
    func merges() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let user = try await administration.create(
            try attributes {
                $0.ban = .for(.hours(24))
                $0.userMetadata = ["a": 1, "b": 2]
            }, call: bench.call()
        ).user
        #expect(user.isBanned(at: bench.now))
        let changed = try await administration.update(
            user.id,
            try attributes(nil) {
                $0.ban = .lift
                $0.userMetadata = ["a": nil, "c": 3]
                $0.role = "editor"
            }, call: bench.call()
        ).user
        #expect(!changed.isBanned(at: bench.now))
        #expect(changed.userMetadata == ["b": 2, "c": 3])
        #expect(changed.role == "editor")
        #expect(changed.email == user.email)
    }

    @Test("A changed address keeps its identity in step and kills links sent to the old one")
    func changedAddress() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let user = try await administration.create(
            try attributes { $0.emailConfirm = true }, call: bench.call()
        ).user
        _ = try await administration.generateLink(.recovery, email: EmailAddress("ada@example.com"), call: bench.call())
        let changed = try await administration.update(user.id, try attributes("ada@example.net"), call: bench.call())
        #expect(changed.identities.map { $0.data["email"]?.stringValue } == ["ada@example.net"])
        #expect(changed.user.emailVerifiedAt == user.emailVerifiedAt)
        let token = try await bench.ports.store.read {
            try $0.oneTimeToken(of: user.id, purpose: .recovery, in: user.directoryID)
        }
        #expect(token == nil)
        let unconfirmed = try await administration.update(
            user.id, try attributes(nil) { $0.emailConfirm = false }, call: bench.call())
        #expect(unconfirmed.user.emailVerifiedAt == nil)
    }

    @Test("Pages are newest first, without overlap, and say how many users there are")
    func list() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        for index in 0..<7 {
            _ = try await administration.create(
                try attributes("user\(index)@example.com"), call: bench.call(at: bench.now + .seconds(Int64(index))))
        }
        var seen: [String] = []
        for page in 1...4 {
            let (records, total) = try await administration.list(page: page, perPage: 3, call: bench.call())
            #expect(total == 7)
            seen += records.compactMap { $0.user.email.map { String($0.localPart) } }
        }
        #expect(seen == (0..<7).reversed().map { "user\($0)" })
        let (found, _) = try await administration.list(search: "user3", call: bench.call())
        #expect(found.map(\.user.email?.rawValue) == ["user3@example.com"])
        #expect(await code { try await administration.list(page: 0, call: bench.call()) } == .invalidRequest)
        #expect(await code { try await administration.list(perPage: 10_001, call: bench.call()) } == .invalidRequest)
    }

    @Test("Each change is audited without address, number or secret")
    func audited() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let user = try await administration.create(
            try attributes { $0.password = Self.password }, call: bench.call(actor: .administrator("service_role"))
        ).user
        _ = try await administration.update(
            user.id,
            try attributes(nil) {
                $0.ban = .for(.hours(1))
                $0.password = Self.password
            }, call: bench.call())
        try await administration.delete(user.id, soft: false, call: bench.call())
        let events = try await bench.ports.store.scan(in: nil) {
            try $0.auditEvents(in: user.directoryID, actions: nil, user: user.id, offset: 0, limit: 20)
        }
        let actions = Set(events.map(\.action))
        #expect(actions.isSuperset(of: [.signedUp, .userModified, .userBanned, .userDeleted]))
        #expect(events.contains { $0.actor == .administrator("service_role") })
        for event in events {
            #expect(!event.details.text.contains("ada@") && !event.details.text.contains("Tr1cky"))
            #expect(event.emailHash?.contains("ada") != true)
        }
    }
}
