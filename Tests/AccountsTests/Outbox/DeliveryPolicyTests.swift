// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct DeliveryPolicyTests {
    private let start = Instant(seconds: 1_800_000_000)

    private func message() -> OutboxMessage {
        OutboxMessage(
            id: OutboxMessageID("m"), directoryID: DirectoryID("d"),
            content: .mail(
                Letter(
                    kind: "recovery", recipient: "a@example.com", subject: "Subject", text: "text", html: "<p>text</p>",
                    code: "123456", link: "https://example.com/verify?token=t", tokenHash: "t")), dueAt: start,
            createdAt: start)
    }

    private func isErased(_ message: OutboxMessage) -> Bool {
        message.text.isEmpty && message.html == nil && message.code == nil && message.link == nil
            && message.tokenHash == nil
    }

    @Test("A delivered message is sent, and its texts and secrets are gone")
    func delivered() {
        let settled = DeliveryPolicy().settle(message(), after: .delivered, at: start + .seconds(3), jitter: 0)
        #expect(settled.state == .sent)
        #expect(settled.sentAt == start + .seconds(3))
        #expect(settled.attempts == 1)
        #expect(isErased(settled))
        #expect(settled.subject == "Subject" && settled.recipient == "a@example.com")
    }

    @Test("Where the outbox is the transport, texts stay to be read")
    func kept() {
        let settled = DeliveryPolicy(keepsBodies: true).settle(message(), after: .delivered, at: start, jitter: 0)
        #expect(settled.state == .sent)
        #expect(settled.code == "123456" && settled.text == "text" && settled.html != nil)
    }

    @Test("R10.3 without a transport a letter is kept where the outbox is read, and otherwise given up")
    func noTransport() {
        let kept = DeliveryPolicy(keepsBodies: true).settle(message(), after: .noTransport(.mail), at: start, jitter: 0)
        #expect(kept.state == .kept && kept.sentAt == nil && kept.code == "123456")
        let failed = DeliveryPolicy().settle(message(), after: .noTransport(.sms), at: start, jitter: 0)
        #expect(failed.state == .failed && failed.sentAt == nil && isErased(failed))
    }

    @Test("A refused message fails at once, and is erased")
    func refused() {
        let settled = DeliveryPolicy().settle(message(), after: .refused("550 no such user"), at: start, jitter: 0)
        #expect(settled.state == .failed)
        #expect(settled.lastError == "550 no such user")
        #expect(settled.sentAt == nil)
        #expect(isErased(settled))
    }

    @Test("F23 a deferred message keeps all it has and comes back later and later, then is given up after a day")
    func deferred() {
        let policy = DeliveryPolicy()
        var message = message()
        var waits: [TimeSpan] = []
        var tries = 0
        while message.state == .pending, tries < 1000 {
            let now = message.dueAt
            message = policy.settle(message, after: .deferred("connection refused"), at: now, jitter: 0)
            tries += 1
            if message.state == .pending {
                waits.append(message.dueAt - now)
                #expect(message.code == "123456" && message.text == "text")
            }
        }
        #expect(waits.prefix(5) == [.seconds(5), .seconds(20), .seconds(80), .seconds(320), .seconds(1280)])
        #expect(waits.dropFirst(5).allSatisfy { $0 == .hours(1) })
        #expect(message.state == .failed)
        #expect(message.attempts == tries)
        #expect((25...40).contains(tries))
        #expect(isErased(message))
    }

    @Test("Jitter only lengthens the wait, by at most a quarter", arguments: [UInt16.min, 1, 32_768, .max])
    func jitter(value: UInt16) {
        let policy = DeliveryPolicy()
        for attempts in 1...20 {
            let plain = policy.delay(after: attempts, jitter: 0).microseconds
            let shaken = policy.delay(after: attempts, jitter: value).microseconds
            #expect(shaken >= plain && shaken <= plain + plain / 4)
        }
    }

    @Test("A server's answer is noted as one short printable line")
    func errorLine() {
        let reason = "550\r\nX-Injected: 1\u{1B}[31m" + String(repeating: "x", count: 500)
        let noted = DeliveryPolicy().settle(message(), after: .deferred(reason), at: start, jitter: 0).lastError ?? ""
        #expect(noted.count == 200)
        #expect(noted.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }

    @Test("Absurd counts and delays neither trap nor wait for ever")
    func extremes() {
        var message = message()
        message.attempts = .max
        var policy = DeliveryPolicy()
        #expect(policy.settle(message, after: .deferred(""), at: start, jitter: .max).attempts == .max)
        policy.firstDelay = TimeSpan(microseconds: .max)
        #expect(policy.delay(after: .max, jitter: 0) == policy.longestDelay)
        #expect(policy.delay(after: .min, jitter: 0) == policy.longestDelay)
    }
}
