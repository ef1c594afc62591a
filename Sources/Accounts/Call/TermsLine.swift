// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a call says that its user has agreed to, as text: `name=version`, several apart by commas. An app has shown
/// each, and heard that its user agrees.
public enum TermsLine {
    private static let maximumLength = 8 << 10
    private static let maximumCount = 50

    /// - Throws: ``AuthErrorCode/invalidRequest`` naming `agreed_terms`, for anything else.
    public static func references(in text: String) throws(AuthError) -> [TermsReference] {
        guard text.utf8.count <= maximumLength else { throw refusal }
        var references: [TermsReference] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
            guard pair.count == 2, part.filter({ $0 != " " }).count == pair[0].count + pair[1].count + 1,
                let reference = TermsReference(name: pair[0], version: pair[1]), references.count < maximumCount
            else { throw refusal }
            references.append(reference)
        }
        return references
    }

    /// What ``references(in:)`` reads.
    public static func text(of references: [TermsReference]) -> String {
        references.map { "\($0.name)=\($0.version)" }.joined(separator: ",")
    }

    static let refusal = AuthError(.invalidRequest, reason: "no versions of terms", field: "agreed_terms")
}
