// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatchkeyClient

/// From a start of the app to `signedIn`, with a session in an encrypted file and its key in another.
enum RestoreTime {
    static func measure() async throws -> JSONObject {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let app = try await SignedInApp(store: directory.store())
        var (times, bare) = (Times(), Times())
        for _ in 0..<500 {
            let backend = SignedInApp.backend(app.gate)
            let start = ContinuousClock.now
            let service = SessionService(backend: backend, store: directory.store())
            await service.restore()
            times.add(ContinuousClock.now - start)
            guard case .signedIn = service.state else { throw Failure("restored to \(service.state)") }
            let read = ContinuousClock.now
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path + "/store") {
                _ = FileManager.default.contents(atPath: directory.path + "/store/" + name)
            }
            bare.add(ContinuousClock.now - read)
        }
        return ["restore": .object(times.report), "files": .object(bare.report)]
    }
}

/// A directory that is removed again.
struct TemporaryDirectory {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent(
                "client-bench-" + SystemRandomSource().uuid()
            ).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// An encrypted store whose key is in a file of another directory.
    func store(_ name: String = "") -> EncryptedFileStore {
        EncryptedFileStore(directory: "\(path)/store\(name)", key: KeyFile(directory: "\(path)/key\(name)"))
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// Why there is no figure.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
