// SPDX-License-Identifier: Apache-2.0

/// A file of an export.
public enum ExportFile: String, Sendable, CaseIterable {
    case account
    case profile
    case identities
    case sessions
    case factors
    case devices
    case activities
    case consents
    case agreements
    case audit
    case messages
    case pending

    public var name: String { rawValue + ".json" }
}
