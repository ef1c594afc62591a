// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension TOTP {
    /// Octets of a name that are shown at most: a QR code must be read by a telephone's camera.
    private static let longestName = 128

    /// What an authenticator app takes over when it reads it: `otpauth://totp/issuer:account?…` ("Key Uri Format" of
    /// Google Authenticator). It holds the secret.
    ///
    /// - Parameters:
    ///   - issuer: what people call the service. A colon divides the two names, so neither keeps its own.
    ///   - account: what people call the account.
    public func uri(secret: Secret<[UInt8]>, issuer: String, account: String) -> Secret<String> {
        let (issuer, account) = (Self.name(issuer), Self.name(account))
        let label = (issuer.isEmpty ? "" : issuer + ":") + account
        var parameters = [
            "algorithm=\(algorithm.rawValue)", "digits=\(digits)", "period=\(period)",
            "secret=\(Base32.encode(secret.reveal()))",
        ]
        if !issuer.isEmpty { parameters.insert("issuer=\(issuer)", at: 2) }
        return Secret("otpauth://totp/\(label)?" + parameters.joined(separator: "&"))
    }

    /// Percent-encoded, without what would end it, and no longer than fits.
    private static func name(_ text: String) -> String {
        var name = String.UnicodeScalarView()
        var length = 0
        for scalar in text.unicodeScalars {
            let isShown = scalar != ":" && scalar.properties.generalCategory != .control
            let shown: Unicode.Scalar = isShown ? scalar : " "
            length += UTF8.width(shown)
            guard length <= longestName else { break }
            name.append(shown)
        }
        return PercentEncoding.encode(String(name).utf8)
    }
}
