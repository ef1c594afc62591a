// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Adds an answer to the URL that a verification link leads to. The URL itself has been checked against the
/// Directory's allow-list; what is added is percent-encoded, so it can neither end the part it is in nor the header.
struct RedirectTarget {
    let url: String

    func adding(query: [(String, String)] = [], fragment: [(String, String)] = []) -> String {
        // The old fragment goes: a browser would otherwise hand the app two.
        var target = String(url.prefix { $0 != "#" })
        if !query.isEmpty { target += (target.contains("?") ? "&" : "?") + Self.encode(query) }
        if !fragment.isEmpty { target += "#" + Self.encode(fragment) }
        return target
    }

    static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
    }

    /// application/x-www-form-urlencoded: a space is a plus sign, which is what the SDKs of this dialect decode.
    static func encode(_ text: String) -> String { PercentEncoding.encode(text.utf8, spacesAsPlus: true) }
}
