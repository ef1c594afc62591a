// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// A page around one form, in this order: what it is for, what is the matter, the fields, the button, and what else one
/// might want. The first field that something is the matter with has the focus. Browsers are told not to judge what is
/// typed: they would do it in words, and in a language, of their own.
struct PageForm: Sendable {
    let call: PageCall
    /// Which it is, for the operator's own words.
    let page: PageWording.Page
    var title: String
    var lead: HTML?
    /// Good news from the page before.
    var notice: String?
    /// What is the matter with the whole of what was sent.
    var refusals: [String] = []
    /// Between the lead and the form.
    var above: HTML?
    var fields: [PageField] = []
    /// Between fields and button.
    var beside: HTML?
    /// Whether its user wants to stay signed in, as far as they have said; `nil` where the page does not ask.
    var stays: Bool?
    /// What the form sends back unseen.
    var hidden: [(name: String, value: String)] = []
    var button: HTML
    /// Below the Directory's own place, where the form goes; `nil` for the page's own.
    var action: String?
    /// What the user is called, for password managers, where no field asks for it.
    var username: String?
    /// Of the page's address in another language, where it is not the form's.
    var languageParameters: [(String, String)] = []
    /// Of the form's address.
    var parameters: [(String, String)] = []
    /// What the form asks the browser's authenticator.
    var passkey: PasskeyAsking?
    /// Other ways to the same, directly below the form.
    var ways: HTML?
    /// A lesser word below the form.
    var note: String?
    /// Below the form.
    var below: HTML?
    /// Whether there is anything to send: a page of mere links has no form.
    var isSubmitted = true
    /// Whether what the form does can't be taken back.
    var isGrave = false
    /// Whether the operator's own words are for what the page says now.
    var isWorded = true
    /// What the operator's own words may name, beside the app.
    var values: [String: String] = [:]
    /// Of the answer, where something is the matter.
    var status = HTTPResponse.Status.badRequest
    var wait: TimeSpan?

    init(_ call: PageCall, _ page: PageWording.Page, title: String, button: String) {
        self.call = call
        self.page = page
        self.title = title
        self.button = HTML(button)
    }

    private var isRefused: Bool { !refusals.isEmpty || fields.contains { $0.refusal != nil } }

    var response: Response {
        var response = frame.response(status: isRefused ? status : .ok, formTargets: formTargets)
        if let wait { response.headers.setRetryAfter(wait) }
        return response
    }

    /// The page for whoever comes to it with nothing of their own (``PageCall/isPlain``), around the form's token.
    var mould: PageMould? { frame.mould(around: token, formTargets: formTargets) }

    /// What shows that the form is this browser's.
    var token: String { call.formToken(action ?? call.path) }

    private var formTargets: String { PageFrame.formTargets(of: call.pending?.request.redirectURI) }

    private var frame: PageFrame {
        let action = action ?? call.path
        var frame = PageFrame(
            title: own(.title) ?? title, brand: call.brand, language: call.language, content: content(action))
        frame.isRefusal = isRefused
        frame.languages = call.languages(action, parameters + languageParameters)
        if passkey != nil { frame.script = PasskeyScript.place(call) }
        return frame
    }

    private func own(_ part: PageWording.Part) -> String? { isWorded ? call.own(page, part, values) : nil }

    /// The mark of the notice of what is the matter.
    static let refusalID = "refusal"

    private func content(_ action: String) -> HTML {
        let said = own(.lead).map { HTML($0) } ?? lead
        let lead: HTML? = said.flatMap { $0.text.isEmpty ? nil : #"<p class="lead">\#($0)</p>"# }
        let good: HTML? = notice.map { #"<div class="notice" role="status"><p>\#($0)</p></div>"# }
        let lines: [HTML] = refusals.map { "<p>\($0)</p>" }
        let bad: HTML? =
            lines.isEmpty
            ? nil : #"<div class="notice bad" role="alert" id="\#(Self.refusalID)">\#(lines)</div>"#
        let name: HTML? = username.map {
            #"<input type="text" name="username" autocomplete="username" value="\#($0)" hidden>"#
        }
        let note: HTML? = note.map { #"<p class="note">\#($0)</p>"# }
        let hidden = [(name: FormToken.field, value: token)] + hidden
        let staying: HTML? = stays.map { stays in
            let checked: HTML? = stays ? " checked" : nil
            return
                #"<label class="check"><input type="checkbox" name="stay" value="on"\#(checked)> \#(call.text(.stay))</label>"#
        }
        let style: HTML? = isGrave ? #" class="grave""# : nil
        let send: HTML? =
            passkey?.isAlone == true
            ? nil : #"<button\#(style) type="submit">\#(own(.button).map { HTML($0) } ?? button)</button>"#
        let form: HTML = """
            <form method="post" action="\(call.url(action, parameters))" novalidate\(passkey?.attributes)>
            \(PageFrame.hiddenInputs(hidden))
            \(name)
            \(focused.map(\.html))
            \(beside)
            \(staying)
            \(send)
            \(passkey?.block(call))
            </form>
            """
        return """
            \(lead)
            \(good)\(bad)
            \(above)
            \(isSubmitted ? form : "")
            \(ways)
            \(note)
            \(below)
            """
    }

    private var focused: [PageField] {
        var fields = fields
        let first =
            fields.firstIndex { $0.refusal != nil || $0.describedBy != nil }
            ?? fields.firstIndex { $0.value.isEmpty && $0.type != "hidden" }
            ?? fields.firstIndex { $0.type != "hidden" }
        if let first { fields[first].attributes = "\(fields[first].attributes) autofocus" }
        return fields
    }
}

extension PageForm {
    /// With what a flow refuses, at the field that it is about.
    ///
    /// - Parameters:
    ///   - secret: the field of what was shown, which the refusal of a proof is about.
    func refused(_ error: AuthError, identifier: String = PageField.identifierName, secret: String) -> PageForm {
        var form = self
        let text = MessageCatalog.text(for: error, in: call.language)
        func mark(_ name: String, _ text: String) {
            guard let index = form.fields.firstIndex(where: { $0.name == name }) else {
                form.refusals.append(text)
                return
            }
            form.fields[index].refusal = text
        }
        switch error.code {
        case .invalidEmail, .invalidPhone, .emailExists, .phoneExists, .usernameExists, .emailSignInDisabled,
            .phoneSignInDisabled, .textMessagesUnavailable:
            mark(identifier, text)
        case .weakPassword:
            let rules = error.violations.compactMap {
                MessageCatalog.text(MessageKey(rawValue: $0.rawValue), in: call.language)
            }
            mark(secret, rules.isEmpty ? text : rules.joined(separator: " "))
        case .invalidCredentials, .currentPasswordInvalid:
            form.refusals.append(text)
            if let index = form.fields.firstIndex(where: { $0.name == secret }) {
                form.fields[index].describedBy = Self.refusalID
            }
        default: form.refusals.append(text)
        }
        form.wait = error.retryAfter
        switch error.code {
        case .rateLimited, .accountLocked, .mailRateLimited, .messageRateLimited: form.status = .tooManyRequests
        case .overloaded: form.status = .serviceUnavailable
        default: break
        }
        return form
    }

    /// For a form that can't be told to be this browser's own: shown anew, with nothing of what was sent.
    var unmatched: PageForm {
        var form = self
        form.refusals = [call.text(.formRefused)]
        form.stays = form.stays.map { _ in false }
        form.status = .forbidden
        return form
    }
}

extension PageCall {
    /// Where this page is in each language.
    func languages(_ path: String, _ parameters: [(String, String)] = []) -> [(language: MessageLanguage, url: String)]
    {
        MessageLanguage.allCases.map { ($0, url(path, parameters + [("language", $0.rawValue)])) }
    }
}
