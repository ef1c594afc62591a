// SPDX-License-Identifier: Apache-2.0

/// What the domain calls the constraints that a row must be unique by.
package enum UniqueNames {
    /// - Parameter column: the last of the constraint, such as `users.email_holder`; itself where the domain has no
    ///   word for it.
    package static func name(ofColumn column: String) -> String { names[column] ?? column }

    private static let names = [
        "users.email_holder": "user.email",
        "users.phone_holder": "user.phone",
        "users.username_key": "user.username",
        "users.id": "user.id",
        "remembered_devices.id": "device.id",
        "user_identifiers.identifier": "user.external_identifiers",
        "clients.id": "client.id",
        "directories.name": "directory.name",
        "directories.id": "directory.id",
        "identities.subject": "identity.subject",
        "user_groups.name": "group.name",
        "resource_servers.identifier": "resource_server.identifier",
        "pool_logins.subject": "pool_login.subject",
        "directory_domains.name": "domain.name",
        "directory_domains.kind": "domain.kind",
        "identity_providers.name": "identity_provider.name",
        "terms.version": "terms.version",
        "terms.effective_at": "terms.effective_at",
        "agreements.sequence": "agreement.sequence",
        "factors.name": "factor.name",
        "factors.credential_id": "factor.credential",
    ]
}
