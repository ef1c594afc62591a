// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Foundation
import LatchkeyClient
import Testing

// An app that is killed in the midst of something, by the system and without a word.
extension BadNetworkTests {
    /// Has the app do something in a process of its own, which is killed at that moment.
    private func kill(
        _ vendor: Vendor, _ device: Device, at moment: StoreMoment, signingOut: Bool = false
    ) async {
        let (path, url) = (device.directory.path, server.url)
        await withTaskGroup(of: Void.self) { group in
            group.addBlockingTask {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        vendor = vendor as Vendor, url = url as String, path = path as String,
                        moment = moment as StoreMoment, signingOut = signingOut as Bool
                    ] in
                    let app = try await AppProcess(vendor, url, path)
                    let service = await app.start { reached, _ in
                        if reached == moment { Foundation.kill(getpid(), SIGKILL) }
                    }
                    if signingOut { await service.signOut(SignOutOptions()) }
                    _ = try await service.accessToken()
                }
            }
        }
    }

    @Test(
        "R13.9 F6 An app that is killed at any moment of a refresh finds its user signed in at the next start, with tokens that the service takes",
        arguments: Dialect.allCases, [StoreMoment.beforeLock, .locked, .answered, .stored])
    func killedInRefresh(_ spoken: Dialect, _ moment: StoreMoment) async throws {
        proxy.calm()
        let address = server.freshAddress()
        let made = try Device(.supabase, at: server)
        try await made.register(address, with: await made.start())
        let vendor = try await vendor(spoken, of: address)
        let device = try Device(vendor, at: server)
        let user = try await device.start().signIn(with: vendor.proof(address, Device.password)).user
        proxy.calm()
        await kill(vendor, device, at: moment)
        #expect(proxy.refreshes == ([.answered, .stored].contains(moment) ? 1 : 0))
        let next = await device.start()
        device.clock.advance(by: .hours(2))
        _ = try await next.accessToken()
        #expect(next.state.isSignedIn && next.state.user?.subject == user?.subject)
        #expect(try await device.client(next).me()["email"]?.stringValue == address)
    }

    private static let leaving: [StoreMoment] = [
        .beforeWrite(SecureStoreKey.leaving.rawValue), .afterWrite(SecureStoreKey.leaving.rawValue),
        .beforeRemoval(SecureStoreKey.session.rawValue), .afterRemoval(SecureStoreKey.session.rawValue),
        .afterRemoval(SecureStoreKey.lastValidated.rawValue), .beforeRemoval(SecureStoreKey.leaving.rawValue),
        .afterRemoval(SecureStoreKey.leaving.rawValue),
    ]

    @Test(
        "R13.9 G-13.3 An app that is killed at any moment of a sign-out finds its user signed in or out at the next start, wholly",
        arguments: leaving)
    func killedInSignOut(_ moment: StoreMoment) async throws {
        let (device, user) = try await signedIn(.supabase)
        await kill(.supabase, device, at: moment, signingOut: true)
        let next = await device.start()
        if moment == Self.leaving[0] {
            // Nobody had been told of anything.
            _ = try await next.accessToken()
            #expect(next.state.isSignedIn && next.state.user?.subject == user.subject)
        } else {
            let isFinished = moment == Self.leaving.last
            #expect(next.state.reason == (isFinished ? .neverSignedIn : .userSignedOut))
            await #expect(throws: AuthError.self) { try await next.accessToken() }
            for key in [SecureStoreKey.session, .lastValidated, .leaving] {
                #expect(try await device.store.read(key) == nil, "\(key)")
            }
        }
        await next.signOut(SignOutOptions())
        try await next.signIn(with: .password(identifier: try #require(user.email), password: Device.password))
        #expect(await device.start().state.user?.subject == user.subject)
    }
}
