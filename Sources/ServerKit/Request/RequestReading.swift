// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads what a request carries, within limits, one way for every dialect.
public enum RequestReading {
    /// The largest body there is.
    public static let bodyLimit = 1 << 20
    /// Nested deeper than this is no request of any dialect.
    public static let limits = JSONLimits(depth: 32, members: 10_000, bytes: bodyLimit)
    private static let queryLimit = 8 << 10

    /// The request's body as a JSON object; an empty body is an empty object.
    ///
    /// - Throws: ``AuthErrorCode/requestTooLarge``, ``AuthErrorCode/invalidJSON``.
    public static func object(of request: Request) async throws -> JSONObject {
        let bytes = try await bytes(of: request)
        if bytes.allSatisfy({ $0 == 32 || $0 == 10 || $0 == 13 || $0 == 9 }) { return [:] }
        do {
            return try JSONObject(parsing: bytes, limits: limits)
        } catch {
            throw AuthError(.invalidJSON, reason: "\(error)")
        }
    }

    /// - Throws: ``AuthErrorCode/requestTooLarge``.
    public static func bytes(of request: Request) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bodyLimit {
            throw AuthError(.requestTooLarge)
        }
        do {
            let buffer = try await request.body.collect(upTo: bodyLimit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw AuthError(.requestTooLarge)
        }
    }

    /// The query's parameters by name.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for a name given twice (two readers could take two of them), for
    ///   broken percent-encoding, and for text that is not UTF-8.
    public static func query(of request: Request) throws(AuthError) -> [String: String] {
        guard let text = request.uri.query, !text.isEmpty else { return [:] }
        return try form(text)
    }

    /// application/x-www-form-urlencoded.
    public static func form(_ text: String) throws(AuthError) -> [String: String] {
        guard text.utf8.count <= queryLimit else { throw AuthError(.requestTooLarge) }
        var values: [String: String] = [:]
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let name = decode(first) else {
                throw AuthError(.invalidRequest, reason: "the query is not properly encoded")
            }
            guard let value = parts.count > 1 ? decode(parts[1]) : "" else {
                throw AuthError(.invalidRequest, reason: "the query is not properly encoded", field: name)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw AuthError(.invalidRequest, reason: "given twice", field: name)
            }
        }
        return values
    }

    private static func decode(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "+"): bytes.append(32)
            case UInt8(ascii: "%"):
                guard let high = text.index(index, offsetBy: 1, limitedBy: text.endIndex),
                    let end = text.index(index, offsetBy: 3, limitedBy: text.endIndex),
                    let octet = Hex.decode(String(Substring(text[high..<end]))), let octet = octet.first
                else { return nil }
                bytes.append(octet)
                index = end
                continue
            case let byte: bytes.append(byte)
            }
            index = text.index(after: index)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
