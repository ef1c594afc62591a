// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// Pages for whoever comes with nothing of their own, as they were made last: they differ from call to call by their
/// form's token alone.
///
/// A page is given out for the very reading of the Directory that it was made of, and for the identity providers that
/// it names. Whoever has read the Directory anew, which is every few seconds and after each change, is given another.
final class PlainPages: Sendable {
    private struct Place: Hashable {
        var directory: DirectoryID
        var path: String
        var language: MessageLanguage
        /// Which depends on the host that the browser came to.
        var hasPasskeys: Bool
    }

    private struct Known {
        var directory: Directory
        var offers: [IdentityProviderCatalog.Offer]
        var mould: PageMould
    }

    /// Beyond it all are made anew: what Directories are made and deleted must not add up.
    private static let capacity = 256

    private let known = Mutex<[Place: Known]>([:])

    /// - Parameters:
    ///   - call: one that ``PageCall/isPlain``.
    ///   - offers: the identity providers that the page names.
    ///   - hasPasskeys: whether it asks for passkeys.
    ///   - make: makes its form of nothing else than the Directory, the language and those.
    func response(
        _ call: PageCall, _ offers: [IdentityProviderCatalog.Offer], hasPasskeys: Bool = false, _ make: () -> PageForm
    ) -> Response {
        let place = Place(
            directory: call.directory.id, path: call.path, language: call.language, hasPasskeys: hasPasskeys)
        let found = known.withLock { $0[place] }
        if let found, found.directory.isCopy(of: call.directory), found.offers == offers {
            return found.mould.response(with: call.formToken(call.path))
        }
        let form = make()
        guard let mould = form.mould else { return form.response }
        known.withLock { known in
            if known.count >= Self.capacity, known[place] == nil { known.removeAll() }
            known[place] = Known(directory: call.directory, offers: offers, mould: mould)
        }
        return mould.response(with: form.token)
    }
}

extension PageCall {
    /// Whether nothing that a page shows comes of this very call: nobody is in the midst of anything, nobody seems to
    /// be signed in, and nothing was said on the page before.
    var isPlain: Bool {
        method == .get && pending == nil && deviceCode == nil && cookie == nil
            && query.keys.allSatisfy { $0 == LanguageChoice.parameter || $0 == LanguageChoice.wishes }
    }
}
