// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Reads a whole JSON text (RFC 8259) in one pass, and refuses whatever two readers might read differently.
    ///
    /// Beyond the grammar it refuses a member named twice (names are compared after unescaping, canonically equivalent
    /// ones as equal, since ``JSONObject`` looks them up so), half a surrogate pair, a byte order mark, and a number
    /// beyond `Double`. A whole number without fraction or exponent that fits `Int64` is ``JSONValue/integer(_:)``.
    ///
    /// - Parameter bytes: UTF-8, such as a request's body, or `text.utf8`.
    /// - Throws: ``JSONError`` with the byte where reading stopped.
    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .default) throws(JSONError) {
        let outcome =
            bytes.withContiguousStorageIfAvailable { JSONParser.parse($0, limits: limits) }
            ?? Array(bytes.prefix(limits.bytes + 1)).withUnsafeBufferPointer { JSONParser.parse($0, limits: limits) }
        self = try outcome.get()
    }
}

extension JSONObject {
    /// Reads a JSON text whose value must be an object, as ``JSONValue/init(parsing:limits:)`` does.
    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .default) throws(JSONError) {
        guard case .object(let object) = try JSONValue(parsing: bytes, limits: limits) else {
            throw JSONError(.notAnObject, at: 0)
        }
        self = object
    }
}
