// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("ProfileFlow")
struct ProfileFlowTests {
    func ada(_ bench: Bench, metadata: JSONObject = [:]) async throws -> User {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        attributes.emailConfirm = true
        attributes.userMetadata = metadata
        return try await UserAdministration(bench.ports).create(attributes, call: bench.call()).user
    }

    @Test("F-7 Registering creates the profile, then changes it, and is the same done twice")
    func upsert() async throws {
        let bench = try await Bench.make()
        let user = try await ada(bench)
        let flow = ProfileFlow(bench.ports)
        let call = bench.call(actor: .user(user.id))
        let changes = try ProfileChanges(
            name: .set("  Ada Lovelace "), picture: .set("https://example.com/a.png"), locale: .set("de-CH"))
        for _ in 0..<2 {
            let view = try await flow.register(changes, of: user.id, call: call)
            #expect(
                view.name == "Ada Lovelace" && view.picture == "https://example.com/a.png" && view.locale == "de-CH")
        }
        let later = try await flow.register(
            ProfileChanges(picture: .clear), of: user.id, call: bench.call(at: bench.now + .hours(1)))
        #expect(later.name == "Ada Lovelace" && later.picture == nil)
        let events = try await bench.ports.store.scan(in: nil) {
            try $0.auditEventCount(in: user.directoryID, actions: [.profileChanged], user: user.id)
        }
        #expect(events == 2)
    }

    @Test("F-7 Registering changes nothing of the account")
    func accountStays() async throws {
        let bench = try await Bench.make()
        let user = try await ada(bench, metadata: ["name": "Ada"])
        let view = try await ProfileFlow(bench.ports).register(
            ProfileChanges(name: .set("Somebody else")), of: user.id, call: bench.call())
        #expect(view.account == AccountSummary(user))
    }

    @Test("Y-FR7 Y-US3 The view has email, name and picture: the profile's own, else the account's metadata")
    func view() async throws {
        let bench = try await Bench.make()
        let user = try await ada(
            bench,
            metadata: ["full_name": "Ada L.", "picture": "javascript:alert(1)", "avatar_url": "https://a.example/x"])
        let flow = ProfileFlow(bench.ports)
        let before = try await flow.view(user.id, call: bench.call())
        #expect(before.account.email?.rawValue == "ada@example.com")
        #expect(before.name == "Ada L." && before.picture == "https://a.example/x" && before.updatedAt == nil)
        try await flow.register(ProfileChanges(name: .set("Countess")), of: user.id, call: bench.call())
        #expect(try await flow.view(user.id, call: bench.call()).name == "Countess")
    }

    @Test("F-7 Each bad value is refused by its field")
    func validation() {
        func field(_ make: () throws -> ProfileChanges) -> String? {
            do {
                _ = try make()
                return nil
            } catch { return (error as? AuthError)?.field }
        }
        for name in ["", "   ", "a\u{0}b", "a\nb", "\u{202E}gnp.exe", String(repeating: "x", count: 201)] {
            #expect(field { try ProfileChanges(name: .set(name)) } == "name", "\(name.debugDescription)")
        }
        for name in ["Ö", "王小明", "Jean-Luc O’Neill", "👩‍🚀", String(repeating: "x", count: 200)] {
            #expect(field { try ProfileChanges(name: .set(name)) } == nil, "\(name)")
        }
        let pictures = [
            "", "http://example.com/a", "javascript:alert(1)", "https://", "https:///path", "https://:443/",
            "https://user@example.com/", "https://exa mple.com", "https://example.com/\u{0}", "//example.com",
            "https://ü.ch",
            "https://example.com/" + String(repeating: "a", count: 2048),
        ]
        for picture in pictures {
            #expect(field { try ProfileChanges(picture: .set(picture)) } == "picture", "\(picture)")
        }
        #expect(field { try ProfileChanges(picture: .set("https://example.com/a.png?s=1#x")) } == nil)
        for locale in ["", "e", "de_CH", "de-", "-de", "1a", "de--CH", String(repeating: "a", count: 36)] {
            #expect(field { try ProfileChanges(locale: .set(locale)) } == "locale", "\(locale)")
        }
        for locale in ["en", "de-CH", "zh-Hant-TW", "sl-rozaj-biske-1994"] {
            #expect(field { try ProfileChanges(locale: .set(locale)) } == nil, "\(locale)")
        }
        #expect((try? ProfileChanges())?.isEmpty == true)
    }
}
