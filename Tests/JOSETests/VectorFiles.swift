// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE
import Testing

/// The files under `Vectors/`, found from where this source lies.
enum VectorFiles {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")

    static func contents(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: root.appending(path: path))) }

    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path()).sorted()
    }

    /// The files of a folder and of those below it, by their paths.
    static func allPaths(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
            .filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }.sorted()
    }

    static func object(_ path: String) throws -> JSONObject { try JSONObject(parsing: contents(path)) }

    /// The groups of a Wycheproof file, each with its cases.
    static func groups(_ name: String) throws -> [(group: JSONObject, cases: [JSONObject])] {
        let groups = try #require(try object("wycheproof/\(name).json")["testGroups"]?.arrayValue)
        return try groups.map { group in
            let group = try #require(group.objectValue)
            return (group, try #require(group["tests"]?.arrayValue).compactMap(\.objectValue))
        }
    }
}

extension JSONObject {
    func string(_ name: String) -> String { self[name]?.stringValue ?? "" }
    func integer(_ name: String) -> Int64 { self[name]?.integerValue ?? -1 }
    func object(_ name: String) -> JSONObject { self[name]?.objectValue ?? [:] }
    func hex(_ name: String) -> [UInt8] { Hex.decode(string(name)) ?? [] }
}

/// Runs `body` and says with which code it was refused; `nil` when it was not.
func refusal(_ body: () throws(JOSEError) -> Void) -> JOSEError.Code? {
    do {
        try body()
        return nil
    } catch { return error.code }
}
