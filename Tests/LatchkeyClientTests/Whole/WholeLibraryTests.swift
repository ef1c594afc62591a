// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

/// An app's session from the sign-up to its end: over sockets, with files, at a server that runs. One after the other:
/// a busy machine's server turns sign-ins away.
@Suite(.runningServer(["LATCHKEY_DIRECTORY_SRP": "true"]), .serialized, .timeLimit(.minutes(5)))
struct WholeLibraryTests {
    let server: RunningServer

    init() throws {
        server = try #require(RunningServer.current)
    }

    /// As many callers at once as ask for a token.
    func thousand(
        _ ask: @escaping @Sendable () async throws -> Secret<String>
    ) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 { group.addTask { try await ask().reveal() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
    }

    @Test(
        "R13.9 Y-US1 Y-US3 F-1 F-6 C-1 G-1.5 G-5.2 Who signs up is known to the API until the sign-out, by files too",
        arguments: Vendor.byPassword)
    func life(_ vendor: Vendor) async throws {
        let (device, address) = (try Device(vendor, at: server), server.freshAddress())
        let first = await device.start()
        #expect(first.state.reason == .neverSignedIn)
        let user = try await device.register(address, with: first)
        #expect(user.email == address && first.state.isSignedIn)
        #expect(try await device.client(first).me()["email"]?.stringValue == address)
        #expect(try await first.refreshUser().emailVerified == true)

        let (token, requests) = (try await first.accessToken(), device.transport.refreshes)
        let second = await device.start()
        #expect(second.state.user?.subject == user.subject)
        #expect(try await second.accessToken().reveal() == token.reveal() && device.transport.refreshes == requests)
        #expect(try await device.client(second).me()["email"]?.stringValue == address)

        let kept = try await device.storedTokens()
        await second.signOut(SignOutOptions())
        #expect(second.state.reason == .userSignedOut)
        let third = await device.start()
        #expect(third.state.reason != nil && third.state.user == nil)
        await #expect(throws: AuthError(.notSignedIn)) { try await third.accessToken() }
        // Firebase's users sign out on their device alone (F-4).
        guard vendor != .firebase else { return }
        let refused = await #expect(throws: AuthError.self) { try await device.backend.refresh(kept) }
        #expect(refused?.code.endsSession == true, "\(String(describing: refused))")
    }

    @Test(
        "R13.9 Y-E5 Y-US2 A thousand callers with a token that is over, or refused, share one refresh on the wire",
        arguments: Vendor.byPassword)
    func oneRefresh(_ vendor: Vendor) async throws {
        let device = try Device(vendor, at: server)
        let service = await device.start()
        try await device.register(server.freshAddress(), with: service)
        let first = try await service.accessToken()
        let before = device.transport.refreshes
        device.clock.advance(by: .hours(2))
        let second = try await thousand { try await service.accessToken() }
        #expect(second.count == 1 && second != [first.reveal()] && device.transport.refreshes == before + 1)
        let refused = Secret(try #require(second.first))
        let third = try await thousand { try await service.accessToken(insteadOf: refused) }
        #expect(third.count == 1 && device.transport.refreshes == before + 2)
        #expect(service.state.isSignedIn)
        #expect(try await device.client(service).me()["email"] != nil)
        // What the files hold is the last one, and the next start goes on with it.
        #expect(try await device.storedTokens().accessToken.reveal() == third.first)
    }

    @Test(
        "R13.9 F2 Y-SC2 A refresh whose answer is lost on the way is asked for once more, and nobody sees it",
        arguments: Vendor.byPassword)
    func lostAnswer(_ vendor: Vendor) async throws {
        let device = try Device(vendor, at: server)
        let service = await device.start()
        let user = try await device.register(server.freshAddress(), with: service)
        let before = device.transport.refreshes
        device.transport.loseNextRefresh()
        device.clock.advance(by: .hours(2))
        _ = try await device.clock.passingPauses { try await service.accessToken() }
        #expect(service.state.user?.subject == user.subject && service.state.reason == nil)
        #expect(device.transport.refreshes == before + 2 && service.state.isSignedIn)
        device.clock.advance(by: .hours(2))
        _ = try await service.accessToken()
        #expect(device.transport.refreshes == before + 3 && service.state.isSignedIn)
        #expect(try await device.client(service).me()["email"]?.stringValue == user.email)
    }

    @Test("R13.9 G-1.3 A wrong password says so and nobody is signed in", arguments: Vendor.byPassword)
    func wrongPassword(_ vendor: Vendor) async throws {
        let (device, other) = (try Device(vendor, at: server), try Device(vendor, at: server))
        let address = server.freshAddress()
        try await device.register(address, with: await device.start())
        let service = await other.start()
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await service.signIn(with: .password(identifier: address, password: Secret("Wrong-horse-7-battery")))
        }
        #expect(service.state.reason == .neverSignedIn)
        #expect(try await other.store.read(.session) == nil)
        try await service.signIn(with: .password(identifier: address, password: Device.password))
        #expect(service.state.isSignedIn)
    }

    @Test(
        "R13.9 G-5.4 G-6.5 Y-E4 Whom an operator bans or deletes is told so by the next refresh",
        arguments: Vendor.byPassword, Vendor.Measure.allCases)
    func ended(_ vendor: Vendor, _ measure: Vendor.Measure) async throws {
        let device = try Device(vendor, at: server)
        let service = await device.start()
        let user = try await device.register(server.freshAddress(), with: service)
        let token = try await service.accessToken()
        try await vendor.operate(measure, on: user, at: server)
        await #expect(throws: AuthError.self) { try await service.accessToken(insteadOf: token) }
        let reasons: [SignOutReason] = measure == .ban ? [.accountDisabled] : [.accountDeleted, .sessionRevoked]
        #expect(service.state.reason.map(reasons.contains) == true, "\(service.state)")
        // Returns when the files are erased too.
        await service.abandonStep()
        #expect(await device.start().state.user == nil)
    }
}
