// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Foundation
import LatchkeyClient
import Testing

// An app and its extension, on one store.
extension BadNetworkTests {
    /// A device whose user is signed in.
    func signedIn(_ vendor: Vendor) async throws -> (Device, SessionUser) {
        proxy.calm()
        let device = try Device(vendor, at: server)
        let user = try await device.register(server.freshAddress(), with: await device.start())
        proxy.calm()
        return (device, user)
    }

    @Test(
        "R13.9 F5 Two processes on one store whose token is over ask for one refresh, and go on with the same session",
        arguments: Vendor.byPassword)
    func processes(_ vendor: Vendor) async throws {
        let (device, user) = try await signedIn(vendor)
        let place = Signposts(device.directory)
        let (path, url) = (device.directory.path, server.url)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...2 {
                group.addBlockingTask {
                    await #expect(processExitsWith: .success) {
                        [
                            vendor = vendor as Vendor, url = url as String, path = path as String,
                            number = number as Int
                        ] in
                        let app = try await AppProcess(vendor, url, path)
                        // Each has seen the old token in the store by the time that one of them has the lock.
                        let token = try await app.renewed { moment, place in
                            guard moment == .beforeLock else { return }
                            place.raise("waits-\(number)")
                            await place.reach("waits-\(3 - number)")
                        }
                        app.place.raise("got-\(number)", token)
                    }
                }
            }
        }
        let tokens = [1, 2].map { place.text("got-\($0)") }
        #expect(tokens[0] != nil && tokens[0] == tokens[1] && proxy.refreshes == 1)
        #expect(try await device.storedTokens().accessToken.reveal() == tokens[0])
        let service = await device.start()
        #expect(service.state.user?.subject == user.subject && service.state.isSignedIn)
    }
}
