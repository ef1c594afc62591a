// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Foundation
import LatchkeyClient
import Testing

/// The whole library at a server behind a proxy that counts what comes (``FaultProxy``): by many callers, and by
/// several processes at once.
@Suite(.serverBehindProxy(["LATCHKEY_DIRECTORY_SRP": "true"]), .serialized, .timeLimit(.minutes(5)))
struct BadNetworkTests {
    let server: RunningServer
    let proxy: FaultProxy

    init() throws {
        server = try #require(RunningServer.current)
        proxy = try #require(FaultProxy.current)
    }

    enum Dialect: String, CaseIterable { case supabase, firebase, cognito, openID }

    func vendor(_ spoken: Dialect, of address: String) async throws -> Vendor {
        switch spoken {
        case .supabase: .supabase
        case .firebase: .firebase
        case .cognito: .cognito
        case .openID:
            .openID(
                clientID: try await Vendor.openIDClient(at: server), identifier: address,
                password: Device.password.reveal())
        }
    }

    @Test(
        "R13.9 Y-E5 A thousand calls with a token that is over are one refresh on the wire", arguments: Dialect.allCases
    )
    func thousandCalls(_ spoken: Dialect) async throws {
        proxy.calm()
        let address = server.freshAddress()
        let made = try Device(.supabase, at: server)
        try await made.register(address, with: await made.start())
        let device = try Device(try await vendor(spoken, of: address), at: server)
        let service = await device.start()
        try await service.signIn(with: device.vendor.proof(address, Device.password))
        proxy.calm()
        device.clock.advance(by: .hours(2))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 { group.addTask { try await service.accessToken().reveal() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && proxy.refreshes == 1)
        #expect(try await device.client(service).me()["email"]?.stringValue == address)
    }
}
