// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The terms that stand before a sign-in or a sign-up: what is to be read, and what the user has agreed to (G-11).
///
/// An app that shows them itself has the user tick them here and sign in once more, by the same screen: ``SignInModel``
/// and ``SignUpModel`` say with it what was agreed to. An app that does not opens ``page``, where the user agrees, and
/// lets them sign in once more.
@Observable @MainActor
public final class TermsModel: Screen {
    /// What is in effect. Empty until ``load(_:)`` has brought it.
    public private(set) var documents: [TermsDocument] = []
    /// The service's own page, on which the user may agree instead.
    public private(set) var page: String?
    private var ticked: Set<String> = []

    @ObservationIgnored private let source: (any TermsSource)?

    /// - Parameters:
    ///   - page: what the service has named in its refusal.
    ///   - source: `nil` for an app that knows nothing but the page.
    public init(page: String? = nil, source: (any TermsSource)?, support: String? = nil) {
        self.page = page
        self.source = source
        super.init(support: support)
    }

    /// What the screen says.
    public var message: UserMessage { UserMessage(.termsLead) }
    /// Those that no sign-in goes without.
    public var demanded: [TermsDocument] { documents.filter(\.isDemanded) }
    /// Whether the user has agreed to all that is demanded. Not before it is known what that is.
    public var isComplete: Bool { !documents.isEmpty && demanded.allSatisfy { ticked.contains($0.id) } }
    /// What the user has ticked, in the server's order.
    public var agreed: [TermsDocument] { documents.filter { ticked.contains($0.id) } }

    /// Whether the box of one is ticked.
    public func isTicked(_ document: TermsDocument) -> Bool { ticked.contains(document.id) }

    /// Ticks the box of one, or takes the tick away. Nothing is ticked by itself.
    public func tick(_ document: TermsDocument, _ isTicked: Bool) {
        guard documents.contains(document) else { return }
        if isTicked { ticked.insert(document.id) } else { ticked.remove(document.id) }
    }

    /// Reads what is in effect. What was ticked and is in effect no more is ticked no more.
    public func load(_ language: MessageLanguage = .en) async {
        guard let source else { return }
        let found = await run { () async throws(AuthError) in try await source.current(language) }
        guard let found else { return }
        documents = found
        ticked.formIntersection(found.map(\.id))
    }

    /// A refusal has named this page.
    func refused(_ page: String?) { self.page = page ?? self.page }

    override public func leave() {
        ticked = []
        super.leave()
    }
}
