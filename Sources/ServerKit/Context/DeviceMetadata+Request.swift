// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Hummingbird

extension DeviceMetadata {
    /// What the request says of its device: the user agent, and the headers by which an app names itself. Each is cut
    /// to a length that a list of sessions can show, and keeps no character that would change how the list is read.
    public init(_ request: Request, client: ClientAddress) {
        self.init(
            name: Self.text(request.headers.value(.deviceName), 100),
            operatingSystem: Self.text(request.headers.value(.deviceSystem), 100),
            appVersion: Self.text(request.headers.value(.appVersion), 50),
            userAgent: Self.text(request.headers.value(.userAgent), 300), truncatedAddress: client.truncated)
    }

    private static func text(_ value: String?, _ limit: Int) -> String? {
        guard let value else { return nil }
        // What browsers and programs say of themselves mostly is ASCII, of which only control characters are left out.
        if (1...limit).contains(value.utf8.count), value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            return value
        }
        let clean = value.unicodeScalars.prefix(limit).filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
            // Joins emoji; the other format characters turn the direction of text around or hide it.
            case .format: scalar == "\u{200D}"
            default: true
            }
        }
        return clean.isEmpty ? nil : String(String.UnicodeScalarView(clean))
    }
}

extension HTTPField.Name {
    static let deviceName = HTTPField.Name("X-Device-Name") ?? .trailer
    static let deviceSystem = HTTPField.Name("X-Device-OS") ?? .trailer
    static let appVersion = HTTPField.Name("X-App-Version") ?? .trailer
}
