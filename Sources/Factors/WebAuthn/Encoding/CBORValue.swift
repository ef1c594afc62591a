// SPDX-License-Identifier: Apache-2.0

/// A data item of CBOR (RFC 8949), of the kinds that authenticators send.
enum CBORValue: Sendable, Hashable {
    /// What names a member of a map.
    enum Key: Sendable, Hashable {
        case integer(Int64)
        case text(String)
    }

    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([Key: CBORValue])
    case bool(Bool)
    case null

    var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
    var bytesValue: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
    var textValue: String? { if case .text(let value) = self { value } else { nil } }
    var arrayValue: [CBORValue]? { if case .array(let value) = self { value } else { nil } }
    var mapValue: [Key: CBORValue]? { if case .map(let value) = self { value } else { nil } }
}
