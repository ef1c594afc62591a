// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import HTTPTypes
import Hummingbird

/// Judges requests signed with an access key (AWS Signature Version 4): whoever can sign is an administrator.
enum RequestSignature {
    /// How far a client's clock may be from ours, either way.
    static let tolerance: TimeSpan = .minutes(5)
    /// Headers that must be signed where they are sent: each changes what is asked, or when.
    private static let requiredHeaders = [
        "host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token", "x-amz-target",
    ]

    /// The identifier of the access key that signed the request.
    ///
    /// - Parameters:
    ///   - body: as received; its hash is part of what was signed.
    ///   - keys: secret keys by identifier.
    /// - Throws: the service's errors for a request that is not signed, not signed in full, signed with another key, at
    ///   another time, or otherwise than was received.
    static func administrator(
        of request: Request, body: [UInt8], service: String, keys: [String: Secret<String>], now: Instant
    ) throws(WireError) -> String {
        let headers = request.headers[values: .authorization]
        guard let header = headers.first else { throw missing }
        guard headers.count == 1, let authorization = SignatureAuthorization(header) else {
            throw incomplete("Authorization header is not of the form of AWS Signature Version 4.")
        }
        guard let timestamp = request.headers[.amazonDate], let signedAt = instant(of: timestamp) else {
            throw incomplete("X-Amz-Date is missing or not a time in UTC.")
        }
        guard authorization.date == timestamp.prefix(8), authorization.service == service else {
            throw mismatch("Credential should be scoped to the service '\(service)' and to the date of the request.")
        }
        try requireNear(signedAt, now, timestamp)
        let canonical = CanonicalRequest(
            method: request.method.rawValue, target: request.head.path ?? "/",
            headers: try signedHeaders(authorization, of: request), payloadHash: CanonicalRequest.hash(body))
        if let claimed = request.headers[.amazonContentHash] {
            guard claimed == CanonicalRequest.hash(body) else {
                throw mismatch("The value of x-amz-content-sha256 is not the hash of the body.")
            }
        }
        // Something is signed for an unknown key too, so that the time taken does not tell which keys there are.
        let secret = keys[authorization.keyID]
        let expected = signature(
            of: canonical, authorization, timestamp: timestamp, secret: secret ?? Secret(""))
        let isRight = constantTimeEqual(Array(expected.utf8), Array(authorization.signature.utf8))
        guard secret != nil else { throw unknownKey }
        guard isRight else { throw mismatch(doesNotMatch) }
        return authorization.keyID
    }

    /// The access key that a request names, whatever its signature; `nil` for a request that names none.
    static func claimedKey(in headers: HTTPFields) -> String? {
        headers[.authorization].flatMap { SignatureAuthorization($0) }?.keyID
    }

    /// 64 hexadecimal digits ("Create a signed AWS API request", steps 2 to 4).
    static func signature(
        of canonical: CanonicalRequest, _ authorization: SignatureAuthorization, timestamp: String,
        secret: Secret<String>
    ) -> String {
        let text = [SignatureAuthorization.algorithm, timestamp, authorization.scope, canonical.hash]
            .joined(separator: "\n")
        var key = SymmetricKey(data: Array(("AWS4" + secret.reveal()).utf8))
        for part in authorization.scope.split(separator: "/") {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
        }
        return Hex.encode(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    // MARK: Headers

    /// The signed headers' values, in the order of their names.
    private static func signedHeaders(
        _ authorization: SignatureAuthorization, of request: Request
    ) throws(WireError) -> [(name: String, values: [String])] {
        var headers: [(name: String, values: [String])] = []
        for name in authorization.signedHeaders {
            let values = received(name, in: request)
            guard !values.isEmpty else { throw mismatch(doesNotMatch) }
            headers.append((name, values))
        }
        for name in requiredHeaders where !authorization.signedHeaders.contains(name) {
            guard name != "host", received(name, in: request).isEmpty else {
                throw mismatch("'\(name)' must be a 'SignedHeader' in the AWS Authorization.")
            }
        }
        return headers
    }

    private static func received(_ name: String, in request: Request) -> [String] {
        // HTTP/2 sends the host as a pseudo-header, and the server keeps HTTP/1's there too.
        if name == "host", let authority = request.head.authority { return [authority] }
        guard let field = HTTPField.Name(name) else { return [] }
        return request.headers[values: field]
    }

    // MARK: Time

    /// `20261121T110815Z`
    private static func instant(of timestamp: String) -> Instant? {
        let text = Array(timestamp.utf8)
        guard text.count == 16, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "Z") else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
        return Instant(rfc3339: "\(date)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
    }

    private static func requireNear(_ signedAt: Instant, _ now: Instant, _ timestamp: String) throws(WireError) {
        if signedAt < now - tolerance { throw mismatch("Signature expired: \(timestamp) is more than 5 min. ago.") }
        if signedAt > now + tolerance {
            throw mismatch("Signature not yet current: \(timestamp) is more than 5 min. ahead.")
        }
    }

    // MARK: The service's errors (Common Error Types of the API reference)

    private static let missing = WireError("MissingAuthenticationTokenException", "Missing Authentication Token")
    private static let unknownKey = WireError(
        "UnrecognizedClientException", "The security token included in the request is invalid.")
    private static let doesNotMatch =
        "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access "
        + "Key and signing method. Consult the service documentation for details."

    private static func mismatch(_ message: String) -> WireError { WireError("InvalidSignatureException", message) }
    private static func incomplete(_ message: String) -> WireError {
        WireError("IncompleteSignatureException", message)
    }
}

extension HTTPField.Name {
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .trailer }
    static let amazonDate = known("X-Amz-Date")
    static let amazonContentHash = known("X-Amz-Content-Sha256")
}
