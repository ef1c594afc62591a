// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Decides where a link may lead after it was opened: to the site itself, or to a place on the Directory's allow-list.
/// Where no site is named, apps on the reader's own machine (`http://localhost`, any port) may be one.
///
/// The host is matched as a host and the path as a path, each after the URL was taken apart, so that no pattern for a
/// host can be satisfied from a path, a query or a user name.
public struct RedirectPolicy: Sendable {
    private let siteURL: String?
    private let site: RedirectURL?
    private let patterns: [RedirectPattern]

    /// Entries of the allow-list that can't be read match nothing.
    public init(_ settings: DirectorySettings) {
        siteURL = settings.siteURL
        site = RedirectURL(settings.siteURL ?? "http://localhost")
        patterns = settings.redirectAllowList.compactMap(RedirectPattern.init)
    }

    /// The requested URL when it is allowed; the site's own URL otherwise. `nil` where neither is named: what has to be
    /// done is then done on this server's own pages.
    ///
    /// - Parameter keepsFragment: off where tokens are put there.
    public func resolve(_ requested: String?, keepsFragment: Bool = false) -> String? {
        guard let requested, let url = RedirectURL(requested), allows(url) else { return siteURL }
        return keepsFragment ? url.text + url.fragment : url.text
    }

    /// Whether `requested` would be followed.
    public func allows(_ requested: String) -> Bool { RedirectURL(requested).map(allows) ?? false }

    private func allows(_ url: RedirectURL) -> Bool {
        if let site, url.isHierarchical, url.scheme == site.scheme, url.host == site.host,
            url.port == site.port || url.isLoopback
        {
            return true
        }
        guard !url.isForeignAddress else { return false }
        return patterns.contains { $0.matches(url) }
    }
}
