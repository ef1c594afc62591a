// SPDX-License-Identifier: Apache-2.0

/// The identifier of one kind of thing. The tag keeps a session's identifier from being passed for a user's.
///
/// The text is opaque to everything but the room that made it; identifiers made here are lower-case UUIDs, but for
/// those of Directories.
public struct Identifier<Tag>: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

public enum DirectoryTag {}
public enum UserTag {}
public enum IdentityTag {}
public enum SessionTag {}
public enum ClientTag {}
public enum ClientSecretTag {}
public enum SigningKeyTag {}
public enum APIKeyTag {}
public enum OneTimeTokenTag {}
public enum AuditEventTag {}
public enum OutboxMessageTag {}
public enum GroupTag {}
public enum ActivityTag {}
public enum FlowStateTag {}
public enum SignUpAttemptTag {}
public enum ServiceAccountKeyTag {}
public enum PendingAuthorizationTag {}
public enum DeviceAuthorizationTag {}
public enum InitialAccessTokenTag {}
public enum IdentityProviderTag {}
public enum PendingFederationTag {}
public enum IdentityPoolTag {}
public enum PoolIdentityTag {}
public enum FactorTag {}
public enum FactorChallengeTag {}
public enum BackupCodesTag {}
public enum RememberedDeviceTag {}

public typealias DirectoryID = Identifier<DirectoryTag>
public typealias UserID = Identifier<UserTag>
public typealias IdentityID = Identifier<IdentityTag>
public typealias SessionID = Identifier<SessionTag>
public typealias ClientID = Identifier<ClientTag>
public typealias ClientSecretID = Identifier<ClientSecretTag>
public typealias SigningKeyID = Identifier<SigningKeyTag>
public typealias APIKeyID = Identifier<APIKeyTag>
public typealias OneTimeTokenID = Identifier<OneTimeTokenTag>
public typealias AuditEventID = Identifier<AuditEventTag>
public typealias OutboxMessageID = Identifier<OutboxMessageTag>
public typealias GroupID = Identifier<GroupTag>
public typealias ActivityID = Identifier<ActivityTag>
public typealias FlowStateID = Identifier<FlowStateTag>
public typealias SignUpAttemptID = Identifier<SignUpAttemptTag>
public typealias ServiceAccountKeyID = Identifier<ServiceAccountKeyTag>
public typealias PendingAuthorizationID = Identifier<PendingAuthorizationTag>
public typealias DeviceAuthorizationID = Identifier<DeviceAuthorizationTag>
public typealias InitialAccessTokenID = Identifier<InitialAccessTokenTag>
public typealias IdentityProviderID = Identifier<IdentityProviderTag>
public typealias PendingFederationID = Identifier<PendingFederationTag>
public typealias IdentityPoolID = Identifier<IdentityPoolTag>
public typealias PoolIdentityID = Identifier<PoolIdentityTag>
public typealias FactorID = Identifier<FactorTag>
public typealias FactorChallengeID = Identifier<FactorChallengeTag>
public typealias BackupCodesID = Identifier<BackupCodesTag>
public typealias RememberedDeviceID = Identifier<RememberedDeviceTag>
