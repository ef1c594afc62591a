// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The issuers that one dialect is, as it made them last: every request asks for one, and most for the same.
///
/// An issuer is given out for the very reading of the Directory that it was made of, and for the URL that the server
/// had then. Whoever has read the Directory anew, which is every few seconds and after each change, is given another.
public final class KnownIssuers: Sendable {
    private struct Place: Hashable {
        var directory: DirectoryID
        var audience: String?
    }

    private struct Known {
        var issuer: OwnIssuer
        var url: String
    }

    /// Beyond it all are made anew: what Directories and clients are made and deleted must not add up.
    private static let capacity = 1024

    private let url: ServerURL
    private let known = Mutex<[Place: Known]>([:])

    public init(_ url: ServerURL) {
        self.url = url
    }

    /// - Parameters:
    ///   - audience: where a Directory is several issuers, which of them. Known to be one: what a stranger's token
    ///     names is not to be remembered.
    ///   - make: makes it of the Directory, the audience, the server's URL and what never changes.
    public func issuer(of directory: Directory, for audience: String? = nil, _ make: () -> OwnIssuer) -> OwnIssuer {
        let (place, url) = (Place(directory: directory.id, audience: audience), url.text)
        let found = known.withLock { $0[place] }
        if let found, found.issuer.directory.isCopy(of: directory), found.url == url { return found.issuer }
        let issuer = make()
        known.withLock { known in
            if known.count >= Self.capacity, known[place] == nil { known.removeAll() }
            known[place] = Known(issuer: issuer, url: url)
        }
        return issuer
    }
}
