// SPDX-License-Identifier: Apache-2.0

extension IdentityProvider {
    /// What people are shown: the operator's own words, else the kind's name as its makers write it.
    public var label: String {
        if let displayName { return displayName }
        return switch kind {
        case .google: "Google"
        case .apple: "Apple"
        case .microsoft: "Microsoft"
        case .github: "GitHub"
        case .facebook: "Facebook"
        case .openID: name
        }
    }
}
