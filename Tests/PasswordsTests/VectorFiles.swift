// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

/// The files under `Vectors/`, found from where this source lies.
enum VectorFiles {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")

    static func contents(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: root.appending(path: path))) }

    /// The cases of a file that lists them under `tests`.
    static func cases(_ path: String) throws -> [JSONObject] {
        try #require(try JSONObject(parsing: contents(path))["tests"]?.arrayValue).compactMap(\.objectValue)
    }

    static func naughtyStrings() throws -> [String] {
        try #require(try JSONValue(parsing: contents("blns.json")).arrayValue).compactMap(\.stringValue)
    }
}

extension JSONObject {
    func string(_ name: String) throws -> String { try #require(self[name]?.stringValue) }
    func integer(_ name: String) throws -> Int { Int(try #require(self[name]?.integerValue)) }
    func flag(_ name: String) throws -> Bool { try #require(self[name]?.boolValue as Bool?) }
    func hex(_ name: String) throws -> [UInt8] { try #require(Hex.decode(string(name))) }
}
