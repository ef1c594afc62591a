// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes

extension CallContext {
    /// What an app says that its user has agreed to, in the header `X-Agreed-Terms`: it has shown those versions
    /// itself.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming `agreed_terms`, for what is no list of versions
    ///   (``TermsLine``).
    public mutating func takeAgreedTerms(of headers: HTTPFields) throws(AuthError) {
        guard let text = headers.value(.agreedTerms) else { return }
        agreedTerms = try TermsLine.references(in: text)
    }
}

extension HTTPField.Name {
    static let agreedTerms = HTTPField.Name("X-Agreed-Terms") ?? .trailer
}
