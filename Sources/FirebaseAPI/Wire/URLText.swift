// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Puts values into URLs.
enum URLText {
    static func query(_ pairs: [(String, String)]) -> String {
        pairs.map { PercentEncoding.encode($0.0.utf8) + "=" + PercentEncoding.encode($0.1.utf8) }.joined(separator: "&")
    }

    /// Adds a query to a URL that may have one; its fragment goes.
    static func adding(_ pairs: [(String, String)], to url: String) -> String {
        let target = String(url.prefix { $0 != "#" })
        return target + (target.contains("?") ? "&" : "?") + query(pairs)
    }
}
