// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ServerKit

extension PageCall {
    /// What has just been done, as the address says it; `nil` for nothing.
    var accountNotice: HTML? {
        query["notice"].flatMap(AccountNotice.init(rawValue:)).map {
            #"<div class="notice" role="status"><p>\#(text($0.text))</p></div>"#
        }
    }

    /// Which of several the page is about, as its address says: of no more length than what there is of it.
    var item: String? {
        query[AccountErrand.itemName].flatMap { $0.utf8.count <= AccountErrand.longestItem ? $0 : nil }
    }
}

extension Instant {
    /// `2026-01-31 23:59 UTC`.
    var pageTime: String { rfc3339.prefix(16).split(separator: "T").joined(separator: " ") + " UTC" }
}
