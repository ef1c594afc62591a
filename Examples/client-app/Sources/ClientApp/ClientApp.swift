// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// Says whether somebody is signed in on this device: the least that an app does with the library.
@main
struct ClientApp {
    static func main() async throws {
        let directory = CommandLine.arguments.dropFirst().first ?? ".client-app"
        let store = EncryptedFileStore(directory: directory + "/store", key: KeyFile(directory: directory + "/key"))
        let isKept = try await store.read(.session) != nil
        print(isKept ? "A session is kept in \(directory)." : "Nobody has signed in with \(directory).")
    }
}
