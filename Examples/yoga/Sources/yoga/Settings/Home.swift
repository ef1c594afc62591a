// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LatchkeyClient

/// Where the app keeps what lasts: its settings as they are, the session encrypted.
struct Home {
    let directory: String

    init() {
        let chosen = ProcessInfo.processInfo.environment["YOGA_HOME"] ?? ""
        directory = chosen.isEmpty ? NSHomeDirectory() + "/.yoga" : chosen
    }

    private var file: URL { URL(fileURLWithPath: directory + "/settings.json") }

    /// The key has a directory of its own: a copy of the store alone is worth nothing.
    var store: EncryptedFileStore {
        EncryptedFileStore(directory: directory + "/store", key: KeyFile(directory: directory + "/key"))
    }

    func settings() throws -> Settings {
        guard let data = try? Data(contentsOf: file) else {
            throw ValidationError("Say first which service to sign in to: yoga configure --help")
        }
        return try JSONDecoder().decode(Settings.self, from: data)
    }

    func keep(_ settings: Settings) throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(settings).write(to: file, options: .atomic)
    }
}
