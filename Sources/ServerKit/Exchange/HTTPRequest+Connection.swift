// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPRequest {
    /// Whether it is its connection's last: in the words of ``ConnectionField``.
    var isLast: Bool { headerFields[.connection] == "close" }

    /// Whether its body is sent once it is asked for (RFC 9110, section 10.1.1).
    ///
    /// By octets: it is asked on the connection's event loop.
    var asksBeforeItsBody: Bool {
        guard let value = headerFields[.expect]?.utf8, value.count == 12 else { return false }
        return value.elementsEqual("100-continue".utf8) { ($0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) == $1 }
    }
}

extension HTTPResponse {
    static let `continue` = HTTPResponse(status: .continue)
}
