// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation

/// What a message says, as its one sealed column keeps it: live links and codes and the texts around them, a body, a
/// token. The rest is in columns of its own.
enum OutboxContent {
    private struct LetterText: Codable {
        var subject: String
        var text: String
        var html: String?
        var code: String?
        var link: String?
        var tokenHash: String?
        var user: String?
    }

    private struct EventText: Codable {
        /// A text within the text: numbers must come back as they are.
        var body: String
        var user: String?
    }

    private struct SyncText: Codable {
        var token: String
        var nonce: String?
        var dialect: String?
        var receivedAt: Int64
        var user: String?
    }

    private struct LogoutText: Codable {
        var user: String
        var session: String
    }

    private struct RevocationText: Codable {
        var subject: String
        var tokenType: String
        var token: String
    }

    static func bytes(_ content: OutboxMessage.Content) throws -> [UInt8] {
        switch content {
        case .mail(let letter), .sms(let letter):
            try encode(
                LetterText(
                    subject: letter.subject, text: letter.text, html: letter.html, code: letter.code,
                    link: letter.link, tokenHash: letter.tokenHash, user: letter.user?.rawValue))
        case .webhook(let event):
            try encode(EventText(body: JSONValue.object(event.body).text, user: event.user?.rawValue))
        case .userSync(let sync):
            try encode(
                SyncText(
                    token: sync.token.reveal(), nonce: sync.nonce, dialect: sync.dialect?.rawValue,
                    receivedAt: sync.receivedAt.microseconds, user: sync.user?.rawValue))
        case .upstreamRevocation(let revocation):
            try encode(
                RevocationText(
                    subject: revocation.subject, tokenType: revocation.tokenType.rawValue,
                    token: revocation.token.reveal()))
        case .clientLogout(let logout):
            try encode(LogoutText(user: logout.user.rawValue, session: logout.session.rawValue))
        }
    }

    /// - Throws: ``StoredRowError`` for what ``bytes(_:)`` did not give.
    static func content(
        of channel: OutboxMessage.Channel, kind: String, recipient: String, _ bytes: [UInt8], column: Int
    ) throws -> OutboxMessage.Content {
        do {
            switch channel {
            case .mail: return .mail(try letter(kind, recipient, bytes))
            case .sms: return .sms(try letter(kind, recipient, bytes))
            case .webhook:
                let text = try decode(EventText.self, bytes)
                let body = try JSONObject(parsing: text.body.utf8, limits: StoredJSON.limits)
                return .webhook(
                    WebhookEvent(endpoint: recipient, name: kind, body: body, user: text.user.map { UserID($0) }))
            case .userSync:
                let text = try decode(SyncText.self, bytes)
                guard let proof = UserSync.Proof(rawValue: kind) else { throw StoredRowError(column: column) }
                return .userSync(
                    UserSync(
                        provider: recipient, proof: proof, token: Secret(text.token), nonce: text.nonce,
                        dialect: text.dialect.map { DialectName($0) },
                        receivedAt: Instant(microseconds: text.receivedAt), user: text.user.map { UserID($0) }))
            case .clientLogout:
                let text = try decode(LogoutText.self, bytes)
                return .clientLogout(
                    ClientLogout(
                        client: ClientID(recipient), user: UserID(text.user), session: SessionID(text.session)))
            case .upstreamRevocation:
                let text = try decode(RevocationText.self, bytes)
                guard let type = UpstreamRevocation.TokenType(rawValue: text.tokenType) else {
                    throw StoredRowError(column: column)
                }
                return .upstreamRevocation(
                    UpstreamRevocation(
                        provider: recipient, subject: text.subject, tokenType: type, token: Secret(text.token)))
            }
        } catch {
            throw StoredRowError(column: column)
        }
    }

    private static func letter(_ kind: String, _ recipient: String, _ bytes: [UInt8]) throws -> Letter {
        let text = try decode(LetterText.self, bytes)
        return Letter(
            kind: kind, recipient: recipient, subject: text.subject, text: text.text, html: text.html, code: text.code,
            link: text.link, tokenHash: text.tokenHash, user: text.user.map { UserID($0) })
    }

    private static func encode(_ text: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return Array(try encoder.encode(text))
    }

    private static func decode<Text: Decodable>(_ type: Text.Type, _ bytes: [UInt8]) throws -> Text {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
