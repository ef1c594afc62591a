// SPDX-License-Identifier: Apache-2.0

extension DeviceMetadata {
    /// What the client's browser says of browser and system, in our own words: never a text of the client's, which
    /// could be anything where it is shown to somebody else. `nil` where neither is known.
    public var knownName: String? {
        guard let userAgent else { return nil }
        // Each names the ones that it wants to be taken for too, so the more special ones come first.
        let parts = [Self.first(of: Self.browsers, in: userAgent), Self.first(of: Self.systems, in: userAgent)]
            .compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
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
