// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An app that users of a Directory sign in through, as the operator registered it.
///
/// Every call of the app carries it through all that it does; a copy is one reference, as it is of a ``Directory``.
public struct Client: Sendable {
    @usableFromInline
    struct Values: Sendable {
        @usableFromInline var id: ClientID
        @usableFromInline var directoryID: DirectoryID
        @usableFromInline var name: String
        @usableFromInline var dialect: DialectName?
        @usableFromInline var secrets: [ClientSecret]
        @usableFromInline var settings: ClientSettings
        @usableFromInline var createdAt: Instant
        @usableFromInline var updatedAt: Instant
        @usableFromInline var version: Int64
    }

    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let values: Values

        init(_ values: Values) {
            self.values = values
        }
    }

    @usableFromInline var box: Box

    public init(
        id: ClientID, directoryID: DirectoryID, name: String, dialect: DialectName? = nil, secrets: [ClientSecret] = [],
        settings: ClientSettings = ClientSettings(),
        createdAt: Instant, updatedAt: Instant, version: Int64 = 1
    ) {
        box = Box(
            Values(
                id: id, directoryID: directoryID, name: name, dialect: dialect, secrets: secrets, settings: settings,
                createdAt: createdAt, updatedAt: updatedAt, version: version))
    }

    @usableFromInline
    mutating func change(_ change: (inout Values) -> Void) {
        var values = box.values
        change(&values)
        box = Box(values)
    }
}

extension Client {
    /// Unique in the whole store: a request may name nothing else.
    @inlinable public var id: ClientID {
        get { box.values.id }
        set { change { $0.id = newValue } }
    }

    @inlinable public var directoryID: DirectoryID {
        get { box.values.directoryID }
        set { change { $0.directoryID = newValue } }
    }

    @inlinable public var name: String {
        get { box.values.name }
        set { change { $0.name = newValue } }
    }

    /// The dialect through whose operations it was made, in whose words it is answered wherever dialects have endpoints
    /// in common; `nil` for one that was registered with this server itself.
    @inlinable public var dialect: DialectName? {
        get { box.values.dialect }
        set { change { $0.dialect = newValue } }
    }

    /// For clients that run on a server; the newest first. Each is as good as the other: see ``ClientSecret/maximum``.
    @inlinable public var secrets: [ClientSecret] {
        get { box.values.secrets }
        set { change { $0.secrets = newValue } }
    }

    @inlinable public var settings: ClientSettings {
        // Lends them: a getter would copy all of them to whoever asks for one.
        _read { yield box.values.settings }
        set { change { $0.settings = newValue } }
    }

    @inlinable public var createdAt: Instant {
        get { box.values.createdAt }
        set { change { $0.createdAt = newValue } }
    }

    @inlinable public var updatedAt: Instant {
        get { box.values.updatedAt }
        set { change { $0.updatedAt = newValue } }
    }

    /// Raised by each update; an update that names an older one is refused.
    @inlinable public var version: Int64 {
        get { box.values.version }
        set { change { $0.version = newValue } }
    }
}

extension Client {
    /// Whether the client has a secret that it must show. One that signs assertions has none, and is not public either.
    public var isConfidential: Bool { !secrets.isEmpty }

    /// Whether the client must show by `method` who it is. One that registered no way shows its secret either way, or
    /// has none to show.
    public func authenticates(by method: ClientAuthenticationMethod) -> Bool {
        if let registered = settings.authorization.authentication { return method == registered }
        return isConfidential ? method.usesSecret : method == .publicClient
    }

    /// Whether nothing tells the client from another that takes its name (RFC 6749, section 2.1).
    public var isPublic: Bool { authenticates(by: .publicClient) }

    /// Whether a request for a code must bring a challenge: always one of a client that nothing else tells from another
    /// (RFC 9700, section 2.1.1).
    public var requiresPKCE: Bool { settings.authorization.requiresPKCE || isPublic }

    /// Whether `secret` is one of the client's.
    public func hasSecret(_ secret: String) -> Bool { secrets.contains { $0.isSame(secret) } }
}
