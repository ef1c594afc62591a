// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// What a flow is told of the call it serves. A dialect makes one from each request.
public struct CallContext: Sendable {
    public var directory: Directory
    public var now: Instant
    /// Where the call came from; its address is already truncated.
    public var device: DeviceMetadata
    public var language: MailLanguage
    /// How this dialect spells the links that its messages carry.
    public var links: any VerificationLinks
    /// Who is calling, for the audit log.
    public var actor: AuditEvent.Actor

    public init(
        directory: Directory, now: Instant, device: DeviceMetadata, language: MailLanguage,
        links: any VerificationLinks, actor: AuditEvent.Actor = .unknown
    ) {
        self.directory = directory
        self.now = now
        self.device = device
        self.language = language
        self.links = links
        self.actor = actor
    }

    public var settings: DirectorySettings { directory.settings }
}

/// Spells the link that a message carries. Built from configured URLs only, never from a request's headers
/// (a forged `Host` would send the user's token to a stranger).
public protocol VerificationLinks: Sendable {
    /// - Parameters:
    ///   - token: The link's secret.
    ///   - redirectTo: Where to go afterwards; already checked against the Directory's allow-list.
    func link(for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory) -> String
}
