// SPDX-License-Identifier: Apache-2.0

/// What tells users apart: the claim `sub`, compared octet by octet as services do (RFC 7519, section 2,
/// `StringOrURI`). To Swift two spellings of a letter are one text, and a service whose operator chooses the
/// identifiers has two users by them.
package enum Subject {
    /// Whether both are the same user's. Nobody is nobody.
    package static func isSame(_ one: String?, _ other: String?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
        default: false
        }
    }
}
