// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Hummingbird
import Testing

@testable import ServerKit

@Suite("What a request says of its device")
struct DeviceMetadataTests {
    private func metadata(_ headers: HTTPFields, client: ClientAddress = .unknown) -> DeviceMetadata {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/", headerFields: headers)
        return DeviceMetadata(Request(head: head, body: .init(buffer: ByteBuffer())), client: client)
    }

    @Test("G-6.7 its names are kept, and of its address only the place")
    func reads() throws {
        let client = try #require(ClientAddress("203.0.113.77"))
        let metadata = metadata(
            [.deviceName: "Ann’s iPhone 👩‍💻", .deviceSystem: "iOS 26", .appVersion: "1.2", .userAgent: "App/1"],
            client: client)
        #expect(metadata.name == "Ann’s iPhone 👩‍💻")
        #expect(metadata.operatingSystem == "iOS 26")
        #expect(metadata.appVersion == "1.2")
        #expect(metadata.userAgent == "App/1")
        #expect(metadata.truncatedAddress == "203.0.113.0")
    }

    @Test("what would turn, hide or break the text of a list is left out")
    func hostile() {
        #expect(metadata([.deviceName: "a\u{202E}b\u{2066}c\u{2028}d\u{FEFF}e\u{9B}f"]).name == "abcdef")
        #expect(metadata([.deviceName: "\u{202E}\u{200B}"]).name == nil)
        #expect(metadata([:]).name == nil)
    }

    @Test("long texts are cut")
    func long() {
        let text = String(repeating: "x", count: 10_000)
        let metadata = metadata([.deviceName: text, .deviceSystem: text, .appVersion: text, .userAgent: text])
        #expect(metadata.name?.count == 100)
        #expect(metadata.operatingSystem?.count == 100)
        #expect(metadata.appVersion?.count == 50)
        #expect(metadata.userAgent?.count == 300)
    }
}
