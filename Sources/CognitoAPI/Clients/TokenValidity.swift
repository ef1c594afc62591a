// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How long a client's tokens last: a number and a unit for each of the three kinds.
enum TokenValidity {
    private static let units: [String: Int64] = ["seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400]
    private static let unitNames = ["seconds", "minutes", "hours", "days"]
    /// Five minutes to a day, and an hour to ten years.
    private static let shortRange: ClosedRange<Int64> = 300...86_400
    private static let longRange: ClosedRange<Int64> = 3600...315_360_000
    private static let usualRefresh: Int64 = 30

    /// Reads the lengths into `settings`, and what is shown of them again.
    ///
    /// - Throws: `InvalidParameterException`.
    static func read(_ input: Input, into settings: inout ClientSettings) throws(WireError) -> JSONObject {
        let given = Input(try input.members("TokenValidityUnits") ?? [:])
        var shown = JSONObject()
        func length(
            _ name: String, _ kind: String, unit usual: String, _ range: ClosedRange<Int64>, upTo most: Int64
        ) throws(WireError) -> Int64? {
            let unit = try given.choice(kind, from: unitNames) ?? usual
            guard let count = try input.integer(name, in: 0...most), count > 0 || name != "RefreshTokenValidity" else {
                return nil
            }
            let (seconds, overflow) = count.multipliedReportingOverflow(by: units[unit] ?? 1)
            guard !overflow, range.contains(seconds) else {
                throw .parameter("Invalid range for token validity.")
            }
            shown[name] = .integer(count)
            return seconds
        }
        settings.accessTokenLifetime = try length(
            "AccessTokenValidity", "AccessToken", unit: "hours", shortRange, upTo: 86_400)
        settings.idTokenLifetime = try length("IdTokenValidity", "IdToken", unit: "hours", shortRange, upTo: 86_400)
        let refresh = try length(
            "RefreshTokenValidity", "RefreshToken", unit: "days", longRange, upTo: longRange.upperBound)
        settings.refreshTokenLifetime = refresh ?? usualRefresh * 86_400
        // The service's own hour, whatever the Directory's other clients have.
        settings.accessTokenLifetime = settings.accessTokenLifetime ?? 3600
        settings.idTokenLifetime = settings.idTokenLifetime ?? 3600
        if refresh == nil { shown["RefreshTokenValidity"] = .integer(usualRefresh) }
        if !given.object.isEmpty { shown["TokenValidityUnits"] = .object(given.object) }
        for token in [settings.accessTokenLifetime, settings.idTokenLifetime] {
            guard (token ?? 0) <= settings.refreshTokenLifetime ?? 0 else {
                throw .parameter("Refresh token validity must not be shorter than access and ID token validity.")
            }
        }
        return shown
    }

    /// For a client that was registered otherwise: in seconds.
    static func shown(_ settings: ClientSettings) -> JSONObject {
        var json = JSONObject()
        var units = JSONObject()
        func show(_ name: String, _ kind: String, _ seconds: Int64?) {
            guard let seconds else { return }
            json[name] = .integer(seconds)
            units[kind] = "seconds"
        }
        show("AccessTokenValidity", "AccessToken", settings.accessTokenLifetime)
        show("IdTokenValidity", "IdToken", settings.idTokenLifetime)
        show("RefreshTokenValidity", "RefreshToken", settings.refreshTokenLifetime)
        if !units.isEmpty { json["TokenValidityUnits"] = .object(units) }
        return json
    }
}
