// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct MessageWordingTests {
    @Test(
        "R14.70 words that no message can be sent in are refused as they are stored, by setting and kind, and nothing changes"
    )
    func refused() async throws {
        let bench = try await ProofBench()
        let rows: [(field: String, kind: String, change: @Sendable (inout DirectorySettings) -> Void)] = [
            ("mail.subjects", "recovery", { $0.mail.subjects["recovery"] = "{{ .Nothing }}" }),
            ("mail.bodies", "recovery", { $0.mail.bodies["recovery"] = "{{ if .Email }}{{ end }}" }),
            ("mail.bodies", "recovery", { $0.mail.bodies["recovery"] = "<p>no link</p>" }),
            ("mail.texts", "sms", { $0.mail.texts["sms"] = "no code" }),
            ("mail.texts", "letter", { $0.mail.texts["letter"] = "{{code}}" }),
            ("mail.appLinks", "reauthentication", { $0.mail.appLinks["reauthentication"] = "app://x" }),
        ]
        for row in rows {
            let error = await #expect(throws: AuthError(.invalidRequest)) {
                try await DirectoryAdministration(bench.ports).update(bench.directory.id, at: bench.now, row.change)
            }
            #expect(error?.field == row.field && error?.reason?.hasPrefix(row.kind + ": ") == true, "\(error as Any)")
        }
        let stored = try await bench.ports.store.read { try $0.directory(bench.directory.id) }
        #expect(stored?.settings.mail == bench.directory.settings.mail)
    }

    @Test(
        "G-12.1 R14.70 a link leads into an app by a scheme of its own or by https, and nowhere that runs it or sends it in the clear",
        arguments: [
            ("myapp://verify-email", true), ("com.example.app://auth/verify?x=1", true),
            ("https://app.example/verify", true), ("http://app.example/verify", false), ("javascript://x", false),
            ("data://x", false), ("myapp:verify", false), ("myapp://", false), ("://x", false), ("", false),
            ("Myapp://x", false), ("myapp://a b", false), ("myapp://x\"y", false), ("myapp://x#y", false),
            ("file:///etc", false), ("myapp://\u{E4}", false),
        ])
    func appLinks(address: String, isTaken: Bool) async throws {
        var mail = DirectorySettings.MailSettings()
        mail.appLinks["recovery"] = address
        if isTaken {
            try MessageWording.require(mail, changedFrom: .init())
        } else {
            #expect(throws: AuthError(.invalidRequest)) { try MessageWording.require(mail, changedFrom: .init()) }
        }
    }

    @Test("R14.70 words that were stored by other rules break no message, and no change of anything else")
    func stored() async throws {
        let bench = try await ProofBench()
        var directory = bench.directory
        directory.settings.mail.bodies["recovery"] = "{{ if .Email }}x{{ end }}"
        directory.settings.mail.texts["sms"] = "{{nothing}}"
        let damaged = directory
        try await bench.ports.store.write { try $0.update(damaged) }
        let changed = try await DirectoryAdministration(bench.ports).update(directory.id, at: bench.now) {
            $0.mail.siteName = "Acme"
        }
        #expect(changed.settings.mail.siteName == "Acme")
        var call = bench.call()
        call.directory = changed
        let user = User(id: UserID("ann"), directoryID: changed.id, createdAt: bench.now)
        let text = bench.ports.messages.text(
            for: .phoneSignIn, to: try PhoneNumber("+491701234567"), code: "123456", user: user, call: call)
        #expect(text.text.hasPrefix("123456 is your code for Acme"))
    }
}
