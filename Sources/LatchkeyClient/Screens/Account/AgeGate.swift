// SPDX-License-Identifier: Apache-2.0

import ClientSession

/// Whether whoever uses the app has shown their age (G-1.6). Asked before the app itself is shown, and cleared by a
/// sign-out (G-13.4).
public struct AgeGate: Sendable {
    private let store: any SecureStore

    /// Keeps what was shown in that store.
    public init(store: any SecureStore) {
        self.store = store
    }

    /// What can't be read is not passed: who has been asked can be asked again.
    public func isPassed() async -> Bool {
        let kept = try? await store.read(.ageGate)
        return kept == [1]
    }

    /// Remembers it on this device.
    public func pass() async throws(SecureStoreError) { try await store.write([1], for: .ageGate) }
    /// Asks again the next time.
    public func clear() async throws(SecureStoreError) { try await store.remove(.ageGate) }
}

extension SecureStoreKey {
    /// Whether the age has been shown (G-1.6).
    public static let ageGate = Self(rawValue: "age-gate.v1")
}

/// Where an app goes after a sign-in (G-1.6, G-12.4).
public enum PlaceAfterSignIn: Sendable, Hashable {
    /// The age first.
    case ageGate
    /// The app itself, at the place that a link had led to before.
    case app(AllowedPath?)

    /// Where to go now. A pending link is taken once the gate is passed.
    public static func next(gate: AgeGate, links: DeepLinks?) async -> PlaceAfterSignIn {
        // The link waits behind the gate too: it is taken when the gate is passed.
        guard await gate.isPassed() else { return .ageGate }
        return .app(await links?.afterSignIn())
    }
}
