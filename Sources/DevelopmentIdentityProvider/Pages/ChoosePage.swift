// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Who somebody is, and how the provider goes on: the one page that an app's users see.
struct ChoosePage: Sendable {
    private let request: AuthorizationRequest
    private let people: [Person]
    private let language: MessageLanguage
    private let fields: [(name: String, value: String)]

    init(_ request: AuthorizationRequest, people: [Person], _ call: Call) {
        self.request = request
        self.people = people
        language = call.language
        fields = AuthorizationRequest.parameters.compactMap { name in call[name].map { (name, $0) } }
    }

    var response: Response {
        let values = ["vendor": request.vendor.title, "client": request.clientID]
        let repeated = PageFrame.hiddenInputs(fields)
        let title = say(.chooseTitle)
        var frame = PageFrame(
            title: title, brand: Vendor.brand(request.vendor), language: language,
            content: """
                <p class="lead">\(MessageCatalog.fill(say(.chooseLead), values) ?? "")</p>
                <form method="post" action="\(action)">
                \(repeated)
                <ul class="plain">
                \(people.map(row))
                </ul>
                <fieldset class="field">
                <legend>\(say(.behaviour))</legend>
                \(Behaviour.allCases.map(choice))
                </fieldset>
                <div class="pair">
                <button class="quiet" name="answer" value="cancel">\(say(.cancel))</button>
                <button class="quiet" name="answer" value="fail">\(say(.fail))</button>
                </div>
                </form>
                <h2>\(say(.typedTitle))</h2>
                <form method="post" action="\(action)">
                \(repeated)
                \(input("subject", .subject, purpose: "username", " required"))
                \(input("email", .email, purpose: "email"))
                \(input("name", .name, purpose: "name"))
                <label class="check"><input type="checkbox" name="verified" value="1">\(say(.isVerified))</label>
                \(input("claims", .claims, purpose: "on", hint: .claimsHint))
                <button>\(say(.typedButton))</button>
                </form>
                <p class="note">\(MessageCatalog.fill(say(.notReal), values) ?? "")</p>
                """)
        frame.isWide = true
        frame.languages = MessageLanguage.allCases.map { ($0, place(in: $0)) }
        return frame.response(formTargets: PageFrame.formTargets(of: request.redirectURI))
    }

    private var action: String { DevelopmentIdentityProvider.path + "/\(request.vendor.rawValue)/authorize" }

    private func place(in language: MessageLanguage) -> String {
        let query = (fields + [("language", language.rawValue)]).map {
            "\($0.name)=\(PercentEncoding.encode($0.value.utf8))"
        }
        return action + "?" + query.joined(separator: "&")
    }

    private func row(_ person: Person) -> HTML {
        let address = person.email.map { "\($0), \(say(person.isEmailVerified ? .verified : .unverified))" }
        return """
            <li><div>\(person.label)<small>\(address ?? say(.noAddress))</small></div>
            <button class="small" name="account" value="\(person.subject)" aria-label="\(person.label)">\(person.givenName ?? person.label)</button></li>
            """
    }

    private func choice(_ behaviour: Behaviour) -> HTML {
        let text: Wording =
            switch behaviour {
            case .normal: .normal
            case .slow: .slow
            case .unavailable: .unavailable
            case .garbled: .garbled
            }
        let checked: HTML = behaviour == .normal ? " checked" : ""
        return """
            <label class="check"><input type="radio" name="behaviour" value="\(behaviour.rawValue)"\(checked)>\(say(text))</label>
            """
    }

    private func input(
        _ name: String, _ label: Wording, purpose: String, _ attributes: HTML = "", hint: Wording? = nil
    ) -> HTML {
        let described: HTML? = hint.map { _ in #" aria-describedby="\#(name)-hint""# }
        let hint: HTML? = hint.map { #"<span class="hint" id="\#(name)-hint">\#(say($0))</span>"# }
        return """
            <div class="field"><label for="\(name)">\(say(label))</label>
            <input id="\(name)" name="\(name)" autocomplete="\(purpose)" maxlength="4000"\(attributes)\(described)>\(hint)</div>
            """
    }

    private func say(_ wording: Wording) -> String { wording.text(in: language) }
}
