// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Foundation

/// What a message says, as its one column keeps it: live links and codes, and the texts around them.
struct OutboxContent: Codable {
    var subject: String
    var text: String
    var html: String?
    var code: String?
    var link: String?
    var tokenHash: String?

    init(_ message: OutboxMessage) {
        subject = message.subject
        text = message.text
        html = message.html
        code = message.code
        link = message.link
        tokenHash = message.tokenHash
    }

    /// - Throws: ``StoredRowError`` for what ``bytes`` did not give.
    init(_ bytes: [UInt8], column: Int) throws {
        guard let content = try? JSONDecoder().decode(OutboxContent.self, from: Data(bytes)) else {
            throw StoredRowError(column: column)
        }
        self = content
    }

    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            return Array(try encoder.encode(self))
        }
    }
}
