// SPDX-License-Identifier: Apache-2.0

import ServerKit

/// `/dev`: the settings of every SDK, to read and to paste.
enum SettingsPage {
    static let template = """
        <h1>Connection settings</h1>
        <p class="lead">Paste these into your app. They belong to this development server and guard only its test data.
        The same as <a href="/dev/settings.json">JSON</a>.</p>
        {{#sections}}
        <section aria-labelledby="{{name}}"><h2 id="{{name}}">{{title}}</h2>
        <dl>{{#values}}<dt>{{label}}</dt><dd><code>{{value}}</code></dd>{{/values}}</dl>
        {{#links}}<p class="link"><a href="{{value}}">{{label}}</a></p>{{/links}}
        {{#snippets}}<figure><figcaption>{{title}}</figcaption><pre>{{code}}</pre></figure>{{/snippets}}
        </section>
        {{/sections}}
        """

    struct Model {
        struct Section {
            struct Value {
                let label: String
                let value: String
            }
            struct Snippet {
                let title: String
                let code: String
            }
            let name: String
            let title: String
            let values: [Value]
            let links: [Value]
            let snippets: [Snippet]
        }

        let sections: [Section]

        init(_ settings: DevelopmentSettings) {
            sections = settings.sections.map { section in
                Section(
                    name: section.name, title: section.title,
                    values: section.values.map { .init(label: $0.label, value: $0.value) },
                    links: section.links.map { .init(label: $0.label, value: $0.value) },
                    snippets: section.snippets.map { .init(title: $0.title, code: $0.code) })
            }
        }
    }
}
