// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import AuthTypes

enum Rows {
    static let now = Instant(seconds: 1_790_000_000)
    static let home = DirectoryID("home")

    static var directory: Directory {
        Directory(
            id: home, name: "home", settings: DirectorySettings(), tokenKey: Secret([UInt8](repeating: 7, count: 32)),
            createdAt: now, updatedAt: now)
    }

    static func user(_ id: String) -> User { User(id: UserID(id), directoryID: home, createdAt: now) }

    static func session(_ id: String, of user: User) -> Session {
        Session(
            id: SessionID(id), directoryID: home, userID: user.id, device: DeviceMetadata(), methods: [],
            assurance: .aal1,
            createdAt: now, lastActiveAt: now, notAfter: nil,
            family: RefreshTokenFamily(generation: 1, liveHash: [UInt8](repeating: 1, count: 32), steps: []))
    }

    static func event(_ id: String) -> AuditEvent {
        AuditEvent(id: AuditEventID(id), directoryID: home, action: .signedIn, actor: .unknown, at: now)
    }
}

extension SQLiteAccountStore {
    /// Inserts the Directory that the other rows belong to.
    func addHome() async throws {
        try await write { try $0.insert(Rows.directory) }
    }

    func userIDs() async throws -> Set<String> {
        try await scan(in: nil) { Set(try $0.users(in: Rows.home, after: nil, limit: 10_000).map(\.id.rawValue)) }
    }
}
