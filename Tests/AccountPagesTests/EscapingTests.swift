// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountPages
import Accounts
import AuthTypes
import Hummingbird
import HummingbirdTesting
import ServerKit
import TestBench
import Testing

@Suite("Pages of the development server")
struct EscapingTests {
    /// Each is one `Character` with the markup in it, and to a browser the markup with something behind or before it.
    static let disguises = ["\u{301}", "\u{20E3}", "\u{FE0F}", "\u{200D}", "\u{338}"]

    @Test("R8.18 what a message says is never markup, whatever combines with it", arguments: disguises)
    func mail(mark: String) async throws {
        let hostile = "<\(mark)img src=x onerror=alert(1)>\(mark) \"\(mark) onload='\(mark)x' &\(mark)amp;"
        let bench = try await AccountBench()
        let (store, now, directory) = (bench.ports.store, bench.now, bench.directory)
        let message = OutboxMessage(
            id: OutboxMessageID("m"), directoryID: directory.id,
            content: .mail(
                Letter(
                    kind: hostile, recipient: hostile, subject: hostile, text: hostile, html: hostile, code: hostile,
                    link: hostile)), dueAt: now, createdAt: now)
        try await store.write { try $0.enqueue(message) }
        let router = Router(context: LatchkeyRequestContext.self)
        let settings = DevelopmentSettings(
            sections: [.init(name: hostile, title: hostile, values: [(hostile, hostile, hostile)], snippets: [])])
        try DevelopmentPages(outbox: OutboxInspection(bench.ports), settings: { settings })
            .addRoutes(to: router, routes: KnownRoutes())
        for path in ["/dev", "/dev/mail", "/dev/mail/m"] {
            let page = try await Application(responder: router.buildResponder()).test(.router) {
                try await $0.execute(uri: path, method: .get) { String(buffer: $0.body) }
            }
            let plain = page.unicodeScalars.map { String($0) }
            for (place, scalar) in plain.enumerated() where plain.dropFirst(place + 1).first == mark {
                #expect(!["<", ">", "\"", "'", "&"].contains(scalar), "\(path): \(scalar) with \(mark)")
            }
            #expect(page.unicodeScalars.contains(mark.unicodeScalars.first ?? "x"), "\(path)")
        }
    }
}
