// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import Testing

@testable import Accounts

@Suite("G-6 Where a user is signed in") struct SessionListTests {
    private func call(_ bench: PasswordBench, _ device: DeviceMetadata, after span: TimeSpan = .zero) -> CallContext {
        bench.call(after: span).with { $0.device = device }
    }

    private func newDevices(_ bench: PasswordBench) async throws -> [OutboxMessage] {
        try await bench.base.messages().filter { $0.kind == MailKind.newDevice.rawValue }
    }

    @Test("G-6.2 G-6.6 each is listed once, page by page, with its own marked, and no use of one moves it")
    func pages() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        var issued: [IssuedSession] = []
        for index in 0..<5 {
            let device = DeviceMetadata(
                name: "phone \(index)", operatingSystem: "iOS 26", appVersion: "4.\(index)",
                truncatedAddress: "192.0.2.0")
            issued.append(try await bench.signIn(at: call(bench, device, after: .minutes(Int64(index)))))
        }
        let authenticated = try await bench.authenticated(issued[1])
        let list = SessionList(bench.ports)
        var (seen, position, turn) = ([SessionList.Entry](), SessionPosition?.none, 0)
        repeat {
            let page = try await list.page(
                of: authenticated, after: position, limit: 2, call: bench.call(after: .hours(1)))
            seen += page.entries
            position = page.next
            if turn == 0 {
                _ = try await bench.refresh(issued[0].refreshToken, at: bench.call(after: .hours(1)))
            }
            turn += 1
        } while position != nil && turn < 9
        #expect(seen.map(\.session.id) == issued.reversed().map(\.session.id))
        #expect(seen.map(\.isCurrent) == [false, false, false, true, false])
        #expect(seen.last?.session.device.appVersion == "4.0")
        #expect(seen.last?.session.lastActiveAt == bench.now + .hours(1))
        for limit in [0, 101] {
            await #expect(throws: AuthError(.invalidRequest)) {
                _ = try await list.page(of: authenticated, limit: limit, call: bench.call())
            }
        }
        // Those whose time is over are none, though nobody has ended them.
        let late = try await list.page(of: authenticated, limit: 100, call: bench.call(after: .days(91)))
        #expect(late.entries.isEmpty && late.next == nil)
    }

    @Test("G-6.4 all others are ended, and the one that asks goes on")
    func others() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        try await bench.user("b@example.com")
        let stranger = try await bench.signIn("b@example.com")
        let sessions = [try await bench.signIn(), try await bench.signIn(), try await bench.signIn()]
        let count = try await SessionList(bench.ports).revokeOthers(
            of: try await bench.authenticated(sessions[1]), call: bench.call())
        #expect(count == 2)
        for index in [0, 2] {
            await #expect(throws: AuthError(.refreshTokenNotFound)) {
                _ = try await bench.refresh(sessions[index].refreshToken, at: bench.call())
            }
        }
        _ = try await bench.refresh(sessions[1].refreshToken, at: bench.call())
        _ = try await bench.refresh(stranger.refreshToken, at: bench.call())
    }

    @Test("G-6 a sign-in from a new device is told by mail where the Directory says so, and the first ever is not")
    func newDevice() async throws {
        let bench = try await PasswordBench { $0.sessions.newDeviceMail = true }
        try await bench.user()
        let phone = DeviceMetadata(name: "Ada's phone", operatingSystem: "iOS 26.0", truncatedAddress: "192.0.2.0")
        func signIn(_ device: DeviceMetadata, mails: Int, _ comment: Comment) async throws {
            _ = try await bench.signIn(at: call(bench, device))
            #expect(try await newDevices(bench).count == mails, comment)
        }
        try await signIn(phone, mails: 0, "the first ever")
        var renewed = phone
        (renewed.operatingSystem, renewed.appVersion, renewed.truncatedAddress) = ("iOS 26.1", "5", "198.51.100.0")
        try await signIn(renewed, mails: 0, "a newer version, elsewhere")
        let browser = DeviceMetadata(
            userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            truncatedAddress: "192.0.2.0")
        try await signIn(browser, mails: 1, "a browser")
        var later = browser
        later.userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0"
        try await signIn(later, mails: 1, "the browser once more")
        later.truncatedAddress = "203.0.113.0"
        try await signIn(later, mails: 2, "such a browser somewhere else")
        let text = try await newDevices(bench).map(\.text).first { $0.contains("203.0.113.0") }
        #expect(text?.contains("Firefox, Linux") == true && text?.contains(bench.now.minute) == true)
    }

    @Test("G-6 nobody who does not get in makes a mail of a new device, and nobody is told who did not ask")
    func strangers() async throws {
        let bench = try await PasswordBench { $0.sessions.newDeviceMail = true }
        try await bench.user()
        _ = try await bench.signIn(at: call(bench, DeviceMetadata(name: "phone")))
        let other = call(bench, DeviceMetadata(name: "burglar's"))
        for password in ["Wrong-Horse-7", "Wrong-Horse-8"] {
            await #expect(throws: AuthError(.invalidCredentials)) {
                _ = try await bench.signIn(password: password, at: other)
            }
        }
        #expect(try await newDevices(bench).isEmpty)
        let quiet = try await PasswordBench()
        try await quiet.user()
        for name in ["phone", "tablet"] { _ = try await quiet.signIn(at: call(quiet, DeviceMetadata(name: name))) }
        #expect(try await newDevices(quiet).isEmpty)
    }
}
