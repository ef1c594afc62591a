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
    /// Of an operator's program that hands over a thousand users at once: 8 KiB for each.
    public static let batchLimits = JSONLimits(depth: 32, members: 10_000, bytes: 8 << 20)
    public static let queryLimit = 8 << 10

    /// The request's body as a JSON object; an empty body is an empty object.
    ///
    /// A body that says it is something else than JSON is refused: that is what a form on a stranger's page can send
    /// without asking first (Fetch standard, section 2.2.2). A body that says nothing is taken for JSON.
    ///
    /// - Throws: ``AuthErrorCode/requestTooLarge``, ``AuthErrorCode/invalidJSON``, ``AuthErrorCode/invalidRequest``.
    public static func object(of request: Request, limits: JSONLimits = limits) async throws -> JSONObject {
        let bytes = try await bytes(of: request, upTo: limits.bytes)
        if bytes.allSatisfy({ $0 == 32 || $0 == 10 || $0 == 13 || $0 == 9 }) { return [:] }
        guard request.headers[values: .contentType].allSatisfy(isJSON) else {
            throw AuthError(.invalidRequest, reason: "the body's type is not JSON")
        }
        do {
            return try JSONObject(parsing: bytes, limits: limits)
        } catch {
            throw AuthError(.invalidJSON, reason: "\(error)")
        }
    }

    /// Whether the body says that it is a form.
    public static func isForm(_ request: Request) -> Bool {
        let form = "application/x-www-form-urlencoded"
        guard let type = request.headers.value(.contentType) else { return false }
        return type == form || type.prefix { $0 != ";" && $0 != " " }.lowercased() == form
    }

    /// The request's body as a form: an object of strings.
    ///
    /// - Throws: As ``bytes(of:)`` and ``form(_:)``; ``AuthErrorCode/invalidRequest`` for a body of another type.
    public static func formObject(of request: Request) async throws -> JSONObject {
        guard isForm(request) else { throw AuthError(.invalidRequest, reason: "the body's type is not a form's") }
        var object = JSONObject()
        for (name, value) in try form(try pairs(try await bytes(of: request), upTo: queryLimit)) {
            object[name] = .string(value)
        }
        return object
    }

    /// The same with every name as often as it is given: see ``pairs(_:)``.
    public static func formPairs(of request: Request) async throws -> [(name: String, value: String)] {
        guard isForm(request) else { throw AuthError(.invalidRequest, reason: "the body's type is not a form's") }
        return try pairs(try await bytes(of: request), upTo: queryLimit)
    }

    /// - Throws: ``AuthErrorCode/requestTooLarge``; ``AuthErrorCode/invalidRequest`` for a body whose framing is broken
    ///   or that ends early.
    public static func bytes(of request: Request, upTo bodyLimit: Int = bodyLimit) async throws -> [UInt8] {
        if let length = request.headers.value(.contentLength).flatMap({ Int($0) }), length > bodyLimit {
            throw AuthError(.requestTooLarge)
        }
        do {
            let buffer = try await request.body.collect(upTo: bodyLimit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw AuthError(.requestTooLarge)
        } catch let error as CancellationError {
            throw error
        } catch {
            // Whatever stops a body from being read is on the client's side of the connection.
            throw AuthError(.invalidRequest, reason: "the body could not be read")
        }
    }

    /// `application/json`, and the types that are JSON underneath (RFC 6839, section 3.1), such as
    /// `application/x-amz-json-1.1`.
    private static func isJSON(_ contentType: String) -> Bool {
        if contentType == "application/json" { return true }
        let essence = contentType.prefix { $0 != ";" }.lowercased()
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "application", !parts[1].contains(",") else { return false }
        return parts[1].split { $0 == "+" || $0 == "-" || $0 == " " || $0 == "\t" }.contains("json")
    }

    /// The query's parameters by name.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for a name given twice (two readers could take two of them), for
    ///   broken percent-encoding, and for text that is not UTF-8 or not stream-safe (``StreamSafeText``).
    public static func query(of request: Request) throws(AuthError) -> [String: String] {
        guard let text = request.uri.query, !text.isEmpty else { return [:] }
        return try form(text)
    }

    /// application/x-www-form-urlencoded, each name once.
    public static func form(_ text: String) throws(AuthError) -> [String: String] { try form(try pairs(text)) }

    private static func form(_ pairs: [(name: String, value: String)]) throws(AuthError) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in pairs {
            guard values.updateValue(value, forKey: name) == nil else {
                throw AuthError(.invalidRequest, reason: "given twice", field: name)
            }
        }
        return values
    }

    /// The same with every name as often as it is given: for protocols in which one may be repeated, and the others are
    /// refused in words of their own.
    ///
    /// - Parameter limit: octets.
    /// - Throws: ``AuthErrorCode/requestTooLarge`` for more than that, ``AuthErrorCode/invalidRequest`` for broken
    ///   percent-encoding, and for text that is not UTF-8 or not stream-safe (``StreamSafeText``).
    public static func pairs(
        _ text: String, upTo limit: Int = queryLimit
    ) throws(AuthError) -> [(name: String, value: String)] {
        try pairs(Array(text.utf8), upTo: limit)
    }

    private static func pairs(
        _ bytes: [UInt8], upTo limit: Int
    ) throws(AuthError) -> [(name: String, value: String)] {
        guard bytes.count <= limit else { throw AuthError(.requestTooLarge) }
        return try FormText.pairs(bytes)
    }
}
