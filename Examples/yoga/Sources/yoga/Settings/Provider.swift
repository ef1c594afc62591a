// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Whose protocol the app signs in by.
enum Provider: String, Codable, CaseIterable, ExpressibleByArgument {
    case cognitoHosted = "cognito-hosted"
    case cognitoHybrid = "cognito-hybrid"
    case cognitoPassword = "cognito-password"
    case firebase
    case supabase
    case latchkey

    /// Whether somebody's pages ask for everything.
    var isBrowserOnly: Bool { self == .cognitoHosted || self == .cognitoHybrid || self == .latchkey }
}
