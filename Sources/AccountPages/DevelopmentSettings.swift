// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a developer pastes into an SDK. Shown in development only, where its secrets guard nothing but test data.
public struct DevelopmentSettings: Sendable {
    /// The settings of one SDK or of the app.
    public struct Section: Sendable {
        /// The member of `/dev/settings.json`.
        public var name: String
        /// The heading on the page.
        public var title: String
        public var values: [(name: String, label: String, value: String)]
        /// A few lines to paste, and what language they are in.
        public var snippets: [(language: String, code: String)]

        public init(
            name: String, title: String, values: [(name: String, label: String, value: String)],
            snippets: [(language: String, code: String)] = []
        ) {
            self.name = name
            self.title = title
            self.values = values
            self.snippets = snippets
        }
    }

    public var sections: [Section]

    public init(sections: [Section]) {
        self.sections = sections
    }

    var json: JSONObject {
        var json = JSONObject()
        for section in sections {
            var members = JSONObject()
            for value in section.values { members[value.name] = .string(value.value) }
            json[section.name] = .object(members)
        }
        return json
    }
}
