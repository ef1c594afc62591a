// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A way back to an app, on pages that can't send anybody there with an answer: to where its operator registered that
/// it is, and to nowhere that a request names.
public struct AppLink: Sendable {
    public var name: String
    public var url: String

    /// - Returns: `nil` for a client that has no such place, and for none.
    public init?(_ client: Client?) {
        guard let client, let home = client.settings.authorization.homeURI else { return nil }
        (name, url) = (client.name, home)
    }

    /// As a button.
    package func html(in language: MessageLanguage) -> HTML {
        #"<a class="button" href="\#(url)">\#(MessageCatalog.text(.backTo, in: language, values: ["app": name]))</a>"#
    }
}
