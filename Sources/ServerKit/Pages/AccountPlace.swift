// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts

/// Where this server's own account pages are, for those who lead there and don't show them.
public enum AccountPlace {
    /// Where the pages of the default Directory are.
    public static let path = "/account"

    /// Where identity providers send browsers back to, below a Directory's pages.
    public static let providerReturn = "/provider/return"

    /// Where the pages of a Directory are.
    public static func path(of directory: Directory) -> String {
        directory.name == DirectoryCatalog.defaultName ? path : "/directories/\(directory.name)\(path)"
    }
}
