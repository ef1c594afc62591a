// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files under `Vectors/`, found from where this source lies.
enum VectorFiles {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")

    static func contents(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: root.appending(path: path))) }

    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path()).sorted()
    }
}
