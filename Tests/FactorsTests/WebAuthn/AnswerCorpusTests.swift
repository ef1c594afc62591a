// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Replays the inputs in `Corpus/`: some of the standard's and of real clients, some written by hand, and what
/// libFuzzer has found worth keeping (`scripts/fuzz`).
@Suite("Octets that are said to be an authenticator's") struct AnswerCorpusTests {
    private static func inputs(_ properties: AnswerProperties) throws -> [(name: String, octets: [UInt8])] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Corpus/\(properties.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().map {
            ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
        }
    }

    @Test(
        "R14.2 whatever is kept in the corpus is read or refused, and what is read holds what was promised; what is named bad is refused",
        arguments: AnswerProperties.allCases)
    func replayed(_ properties: AnswerProperties) throws {
        var read = 0
        let inputs = try Self.inputs(properties)
        for (name, octets) in inputs {
            var isRead = false
            #expect(properties.fault(of: octets, isRead: &isRead) == nil, "\(name)")
            if !name.hasPrefix("found-") { #expect(isRead != name.hasPrefix("bad-"), "\(name)") }
            if isRead { read += 1 }
        }
        #expect(read >= 3 && inputs.count > read)
        #expect(inputs.count <= 100 && inputs.map(\.octets.count).reduce(0, +) <= 200_000)
    }

    @Test("R14.2 an answer of which any octet is another is read or refused, and holds as much")
    func changed() throws {
        for properties in AnswerProperties.allCases {
            for (name, octets) in try Self.inputs(properties) where !name.hasPrefix("bad-") && octets.count < 600 {
                for place in octets.indices {
                    var (changed, isRead) = (octets, false)
                    changed[place] ^= 0x40
                    #expect(properties.fault(of: changed, isRead: &isRead) == nil, "\(name), octet \(place)")
                }
            }
        }
    }
}
