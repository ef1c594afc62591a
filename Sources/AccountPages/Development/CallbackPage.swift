// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import ServerKit

/// `/dev/callback`: in the place of an app that a browser is sent back to. It shows what the app would be told, and
/// does nothing with it.
enum CallbackPage {
    static let path = "/dev/callback"

    static let template = """
        <h1>Back in the app</h1>
        <p class="lead">An app would be at this address. This is what the browser brings it.</p>
        <section>
        {{^values}}<p class="empty">Nothing. The links at <a href="/dev">Settings</a> lead here.</p>{{/values}}
        <dl>{{#values}}<dt>{{name}}</dt><dd><code>{{value}}</code></dd>{{/values}}</dl>
        </section>
        """

    struct Model {
        struct Value {
            let name: String
            let value: String
        }

        let values: [Value]

        /// - Throws: ``AuthErrorCode/invalidRequest`` for a query that can't be read.
        init(_ request: Request) throws {
            values = try RequestReading.pairs(request.uri.query ?? "").map { Value(name: $0.name, value: $0.value) }
        }
    }
}
