// SPDX-License-Identifier: Apache-2.0

/// A UUID in its usual text form, in lower case. What is not one never reaches a path or a query.
struct UUIDText {
    let rawValue: String

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
            default:
                guard (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte) else {
                    return nil
                }
            }
        }
        rawValue = text.lowercased()
    }

    var isNil: Bool { rawValue.allSatisfy { $0 == "0" || $0 == "-" } }
}
