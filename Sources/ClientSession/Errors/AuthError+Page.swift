// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension AuthError {
    /// `terms_not_agreed`, with the page on which the user agrees (`AuthError.page`), where a service names one that a
    /// browser may be sent to: encrypted, or on this device (F-8).
    ///
    /// - Parameter words: the page's address, or a text that ends in it. It stands in no reason: it names the user.
    public init(termsNotAgreed words: String?) {
        let last = words.flatMap { $0.split(whereSeparator: \.isWhitespace).last.map(String.init) }
        let page = last.flatMap { address in
            address.utf8.count <= 4096 && ServiceOrigin(of: address)?.isSecure == true ? address : nil
        }
        self.init(.termsNotAgreed, page: page)
    }
}
