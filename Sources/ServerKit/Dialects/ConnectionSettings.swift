// SPDX-License-Identifier: Apache-2.0

/// What a developer pastes into an SDK, or into the app. Shown in development only, where its secrets guard nothing but
/// test data.
public struct ConnectionSettings: Sendable {
    /// The member of `/dev/settings.json`.
    public var name: String
    /// The heading on the page.
    public var title: String
    public var values: [(name: String, label: String, value: String)]
    /// Addresses to be opened in a browser. They are values too.
    public var links: [(name: String, label: String, value: String)] = []
    /// A few lines to paste, and what they are: the language they are in, and what they do.
    public var snippets: [(title: String, code: String)]
    /// The same as environment variables, for programs that are set up by those.
    public var environment: [(name: String, value: String)]

    public init(
        name: String, title: String, values: [(name: String, label: String, value: String)],
        snippets: [(title: String, code: String)] = [], environment: [(name: String, value: String)] = []
    ) {
        self.name = name
        self.title = title
        self.values = values
        self.snippets = snippets
        self.environment = environment
    }
}
