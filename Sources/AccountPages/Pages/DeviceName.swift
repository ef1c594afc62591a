// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a list of sessions calls a device: as it named itself, or what its browser says of browser and system.
struct DeviceName: Sendable {
    /// `nil` where nothing is known of it.
    let text: String?

    init(_ device: DeviceMetadata) {
        if let name = device.name {
            text = [name, device.operatingSystem].compactMap(\.self).joined(separator: ", ")
        } else if let agent = device.userAgent {
            // Each names the ones that it wants to be taken for too, so the more special ones come first.
            let parts = [Self.first(of: Self.browsers, in: agent), Self.first(of: Self.systems, in: agent)]
                .compactMap(\.self)
            text = parts.isEmpty ? String(agent.prefix { $0 != "/" && $0 != " " }) : parts.joined(separator: ", ")
        } else {
            text = nil
        }
    }

    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Chrome/", "Chrome"),
        ("CriOS/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("Macintosh", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    private static func first(of names: [(String, String)], in agent: String) -> String? {
        names.first { agent.contains($0.0) }?.1
    }
}
