// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Makes JSON Web Signatures in compact form (RFC 7515, section 7.1).
public enum JWS {
    /// The `typ` of a token that is a JWT and nothing more (RFC 7519, section 5.1).
    public static let defaultType = JOSEHeader.jwt

    /// Signs `payload`.
    ///
    /// - Parameters:
    ///   - payload: any bytes; for a JWT the text of a JSON object.
    ///   - type: `typ`, such as `at+jwt` (RFC 9068, section 2.1); `nil` leaves it out.
    ///   - header: further members; `alg`, `kid` and `typ` among them are ignored.
    ///   - key: says the algorithm and the `kid`.
    /// - Throws: ``JOSEError/Code/signingFailed``.
    public static func sign(
        _ payload: [UInt8], type: String? = defaultType, header: JSONObject = [:], with key: SigningKey
    ) throws(JOSEError) -> String {
        var token =
            type == defaultType && header.isEmpty
            ? key.encodedHeader
            : JOSEHeader.encoded(algorithm: key.algorithm, keyID: key.keyID, type: type, extra: header)
        token.reserveCapacity(token.count + payload.count / 3 * 4 + 700)
        token.append(UInt8(ascii: "."))
        token.append(contentsOf: Base64URL.encodedBytes(payload))
        let signature = try key.signature(for: token)
        token.append(UInt8(ascii: "."))
        token.append(contentsOf: Base64URL.encodedBytes(signature))
        return String(decoding: token, as: UTF8.self)
    }

    /// Signs `claims` as a JWT (RFC 7519).
    public static func sign(
        _ claims: JSONObject, type: String? = defaultType, header: JSONObject = [:], with key: SigningKey
    ) throws(JOSEError) -> String {
        try sign(claims.serialized(), type: type, header: header, with: key)
    }
}
