// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// What the user lets leave the device (G-11). Each switch takes effect at once, and shows what holds.
@Observable @MainActor
public final class ConsentModel: Screen {
    /// What holds.
    public private(set) var consent: PrivacyConsent

    @ObservationIgnored private let gate: ConsentGate

    /// Shows what that gate holds.
    public init(gate: ConsentGate, support: String? = nil) {
        self.gate = gate
        consent = gate.consent
        super.init(support: support)
    }

    /// The switches, with their texts.
    public static let choices: [(field: any WritableKeyPath<PrivacyConsent, Bool> & Sendable, message: UserMessage)] = [
        (\.analytics, UserMessage(.consentAnalytics)), (\.crashReporting, UserMessage(.consentCrashReporting)),
        (\.telemetry, UserMessage(.consentTelemetry)), (\.personalizedData, UserMessage(.consentPersonalizedData)),
    ]

    /// Presses a switch.
    public func set(_ field: any WritableKeyPath<PrivacyConsent, Bool> & Sendable, to value: Bool) async {
        // At once, and not one thing at a time: a switch that is turned off is off, whatever else is under way.
        let refusal: SecureStoreError?
        do throws(SecureStoreError) {
            try await gate.change { $0[keyPath: field] = value }
            refusal = nil
        } catch {
            refusal = error
        }
        // What was wrong with another switch before is wrong no more.
        _ = await perform { () async throws(AuthError) in
            if let refusal { throw AuthError(.storeUnavailable, reason: String(describing: refusal)) }
        }
        // What holds, not what was wished: a store may have said no.
        consent = gate.consent
    }
}
