// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

extension WholeLibraryTests {
    @Test("R13.9 Y-US4 The demo user's activities come page by page, the same by each service")
    func activities() async throws {
        let (address, password) = (try server.setting("demo", "email"), try server.setting("demo", "password"))
        var found: Set<[String]> = []
        for vendor in Vendor.byPassword {
            let device = try Device(vendor, at: server)
            let service = await device.start()
            try await service.signIn(with: .password(identifier: address, password: Secret(password)))
            var (ids, pages) = ([String](), 0)
            for try await page in try device.client(service).activities {
                ids += page.items.compactMap { $0["id"]?.stringValue }
                pages += 1
            }
            #expect(pages > 1 && ids.count == Set(ids).count && ids.count >= 250)
            found.insert(ids)
        }
        #expect(found.count == 1)
    }

    /// From the browser to the sign-out, by tokens that files keep.
    private func byBrowser(_ vendor: Vendor, provider: String?) async throws -> SessionUser {
        let device = try Device(vendor, at: server)
        let first = await device.start()
        try await first.signIn(with: .browser(provider: provider, options: BrowserSignInOptions()))
        let service = await device.start()
        #expect(service.state.isSignedIn)
        let before = device.transport.refreshes
        device.clock.advance(by: .hours(2))
        #expect(try await thousand { try await service.accessToken() }.count == 1)
        #expect(device.transport.refreshes == before + 1)
        let user = try await service.refreshUser()
        #expect(try await device.client(service).me()["email"]?.stringValue == user.email)
        let kept = try await device.storedTokens()
        await service.signOut(SignOutOptions())
        let refused = await #expect(throws: AuthError.self) { try await device.backend.refresh(kept) }
        #expect(refused?.code.endsSession == true, "\(String(describing: refused))")
        return user
    }

    @Test("R13.9 Y-US1 Y-FR1 C-2 Google by Cognito's pages: kept, renewed, and over after the sign-out")
    func cognitoPages() async throws {
        #expect(try await byBrowser(.cognitoPages, provider: "google").email == "ada@example.com")
    }

    @Test("R13.9 Y-US1 The server's own pages, as an OpenID provider: kept, renewed, and over after the sign-out")
    func accountPages() async throws {
        let (address, password) = (try server.setting("demo", "email"), try server.setting("demo", "password"))
        let vendor = Vendor.openID(
            clientID: try await Vendor.openIDClient(at: server), identifier: address, password: password)
        #expect(try await byBrowser(vendor, provider: nil).email == address)
    }

    @Test("R13.9 G-6.5 Y-E4 A session that is ended on another device ends here with the API's next refusal")
    func endedElsewhere() async throws {
        let (device, other) = (try Device(.supabase, at: server), try Device(.supabase, at: server))
        let (address, service) = (server.freshAddress(), await device.start())
        try await device.register(address, with: service)
        let elsewhere = await other.start()
        try await elsewhere.signIn(with: .password(identifier: address, password: Device.password))
        await elsewhere.signOut(SignOutOptions(scope: .global))
        let client = try device.client(service)
        await #expect(throws: AuthError.self) { try await client.me() }
        #expect(service.state.reason == .sessionRevoked)
    }
}
