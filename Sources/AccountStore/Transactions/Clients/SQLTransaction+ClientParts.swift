// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a client has several of: its secrets, and the lists of its settings.
extension SQLTransaction {
    private static let secretColumns: Columns = ["id", "directory_id", "client_id", "hash", "text", "created_at"]

    /// The lists by the names that they are stored under.
    private static let lists: KeyValuePairs<String, any WritableKeyPath<ClientAuthorization, [String]> & Sendable> = [
        "redirect_uri": \.redirectURIs, "sign_out_uri": \.signOutURIs, "identity_provider": \.identityProviders,
        "resource": \.resources, "home_uri": \.homeURIs,
    ]

    /// `clients` with their parts, in as many queries for all of them as for one.
    func completed(_ clients: [Client], where condition: String, _ argument: SQLValue) throws -> [Client] {
        let secrets = Dictionary(
            grouping: try connection.query(
                Statement.select(
                    "client_secrets", Self.secretColumns, "WHERE \(condition) ORDER BY client_id, created_at, id"),
                [argument], readSecret), by: \.client)
        let values = Dictionary(
            grouping: try connection.query(
                "SELECT client_id, list, value FROM client_values WHERE \(condition) ORDER BY client_id, list, position",
                [argument]
            ) { (client: try $0.identifier(0) as ClientID, list: try $0.text(1), value: try $0.text(2)) }, by: \.client)
        return clients.map { client in
            var client = client
            client.secrets = (secrets[client.id] ?? []).map(\.secret).reversed()
            for (name, list) in Self.lists {
                let own = values[client.id] ?? []
                client.settings.authorization[keyPath: list] = own.filter { $0.list == name }.map(\.value)
            }
            return client
        }
    }

    func insertParts(of client: Client) throws {
        for secret in client.secrets {
            let text = try sealed(
                secret.text?.reveal(), .clientSecret, in: client.directoryID, row: secret.id.rawValue)
            _ = try execute(
                Statement.insert("client_secrets", Self.secretColumns),
                [
                    SQLValue(secret.id), SQLValue(client.directoryID), SQLValue(client.id), SQLValue(secret.hash), text,
                    SQLValue(secret.createdAt),
                ])
        }
        for (name, list) in Self.lists {
            for (position, value) in client.settings.authorization[keyPath: list].enumerated() {
                _ = try execute(
                    "INSERT INTO client_values (client_id, directory_id, list, position, value) VALUES (?, ?, ?, ?, ?)",
                    [
                        SQLValue(client.id), SQLValue(client.directoryID), SQLValue(name), SQLValue(position),
                        SQLValue(value),
                    ])
            }
        }
    }

    private func readSecret(_ row: any SQLRow) throws -> (client: ClientID, secret: ClientSecret) {
        let (id, directory): (ClientSecretID, DirectoryID) = (try row.identifier(0), try row.identifier(1))
        let text =
            row.isNull(4) ? nil : Secret(try openedText(row, 4, .clientSecret, in: directory, row: id.rawValue))
        let secret = ClientSecret(
            id: id, hash: try row.blob(3), text: text, createdAt: try row.instant(5))
        return (try row.identifier(2), secret)
    }
}

extension ClientAuthorization {
    /// One or none, kept where a client's other places are.
    fileprivate var homeURIs: [String] {
        get { homeURI.map { [$0] } ?? [] }
        set { homeURI = newValue.first }
    }
}
