// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a user lets leave their device. Nothing, until they say so.
public struct PrivacyConsent: Sendable, Hashable {
    /// How the app is used (G-11.1).
    public var analytics: Bool
    /// Errors and crashes (G-11.5).
    public var crashReporting: Bool
    /// How signing in goes: events of ``AuthEvents`` leave only with this and `analytics` (G-11.2).
    public var telemetry: Bool
    /// Leaves what identifies the user in what is sent (G-11.7). Never passwords and tokens.
    public var personalizedData: Bool

    /// What is not named is not agreed to.
    public init(
        analytics: Bool = false, crashReporting: Bool = false, telemetry: Bool = false, personalizedData: Bool = false
    ) {
        self.analytics = analytics
        self.crashReporting = crashReporting
        self.telemetry = telemetry
        self.personalizedData = personalizedData
    }

    /// Nothing leaves the device.
    public static let none = PrivacyConsent()

    /// What both allow.
    func both(_ other: PrivacyConsent) -> PrivacyConsent {
        PrivacyConsent(
            analytics: analytics && other.analytics, crashReporting: crashReporting && other.crashReporting,
            telemetry: telemetry && other.telemetry, personalizedData: personalizedData && other.personalizedData)
    }

    private static let version: Int64 = 1

    func serialized() -> [UInt8] {
        let object: JSONObject = [
            "version": .integer(Self.version), "analytics": .bool(analytics), "crashReporting": .bool(crashReporting),
            "telemetry": .bool(telemetry), "personalizedData": .bool(personalizedData),
        ]
        return object.serialized()
    }

    /// `nil` for what is no consent of this version: nobody has agreed to what it would be read as.
    init?(_ bytes: [UInt8]) {
        guard let object = try? JSONObject(parsing: bytes, limits: JSONLimits(depth: 2, bytes: 4096)),
            object["version"]?.integerValue == Self.version
        else { return nil }
        func isGiven(_ name: String) -> Bool { object[name]?.boolValue ?? false }
        self.init(
            analytics: isGiven("analytics"), crashReporting: isGiven("crashReporting"),
            telemetry: isGiven("telemetry"), personalizedData: isGiven("personalizedData"))
    }
}
