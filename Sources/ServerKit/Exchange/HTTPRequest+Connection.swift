// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPRequest {
    /// Whether it is its connection's last: in the words of ``ConnectionField``.
    var isLast: Bool { headerFields[.connection] == "close" }

    /// Whether its body is sent once it is asked for (RFC 9110, section 10.1.1).
    var asksBeforeItsBody: Bool { headerFields[.expect]?.lowercased() == "100-continue" }
}

extension HTTPResponse {
    static let `continue` = HTTPResponse(status: .continue)
}
