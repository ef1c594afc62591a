// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Who a file belongs to and who may do what with it, so that the file that takes its place is the same to everybody.
///
/// It is asked of Foundation and not by stat(2): which module the fields of C's `struct stat` belong to depends on what
/// else a build has loaded, so that an optimised build could refuse what another one takes.
struct FileRights: Equatable, Sendable {
    let owner: uid_t
    let group: gid_t
    let permissions: mode_t

    /// `nil` where there is no such file or nothing can be learnt of it.
    init?(of path: String) {
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let owner = (found[.ownerAccountID] as? NSNumber)?.uint32Value,
            let group = (found[.groupOwnerAccountID] as? NSNumber)?.uint32Value,
            let permissions = (found[.posixPermissions] as? NSNumber)?.uint16Value
        else { return nil }
        self.owner = owner
        self.group = group
        self.permissions = mode_t(permissions)
    }

    /// Whether the file at `path` has them now. The owner comes first: a change of owner clears some rights.
    func give(to path: String) -> Bool {
        chown(path, owner, group) == 0 && chmod(path, permissions & 0o777) == 0
    }
}
