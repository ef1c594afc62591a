// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `profile`: what apps show of whoever is signed in. Nothing of it says how they sign in.
enum ProfilePage {
    static let path = "/profile"
    private static let nameName = "name"
    private static let pictureName = "picture"
    private static let localeName = "locale"

    static func get(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: AccountErrand(.profile)).authenticated
        let profile = try await call.accounts.profileFlow.view(owner.user.id, call: call.flow)
        return form(profile.name, profile.picture, profile.locale, call).response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: AccountErrand(.profile)).authenticated
        let name = call.form[nameName] ?? ""
        let picture = (call.form[pictureName] ?? "").filter { !$0.isWhitespace }
        let locale = call.form[localeName] ?? ""
        var form = form(name, picture, locale, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        func change(_ text: String) -> FieldChange<String> {
            text.contains { !$0.isWhitespace } ? .set(text) : .clear
        }
        do {
            try await call.accounts.profileFlow.register(
                try ProfileChanges(name: change(name), picture: change(picture), locale: change(locale)),
                of: owner.user.id, call: call.flow)
        } catch let error as AuthError where error.code == .invalidRequest {
            let index = form.fields.firstIndex { $0.name == error.field }
            if let index {
                form.fields[index].refusal = call.text(.fieldInvalid)
            } else {
                form.refusals = [call.text(.fieldInvalid)]
            }
            return form.response
        }
        return call.redirect(to: call.url("", [("notice", AccountNotice.profile.rawValue)]))
    }

    private static func form(_ name: String?, _ picture: String?, _ locale: String?, _ call: PageCall) -> PageForm {
        var form = PageForm(call, .account, title: call.text(.profile), button: call.text(.save))
        form.isWorded = false
        form.fields = [
            PageField(name: nameName, label: call.text(.nameLabel), autocomplete: "name", value: name ?? ""),
            PageField(
                name: pictureName, label: call.text(.pictureLabel), type: "url", autocomplete: "photo",
                attributes: #" inputmode="url""#, value: picture ?? ""),
        ]
        for index in form.fields.indices { form.fields[index].isRequired = false }
        form.fields[1].maximumLength = 2048
        form.beside = languages(locale ?? "", call)
        form.below = #"<p class="below"><a href="\#(call.url(""))">\#(call.text(.back))</a></p>"#
        return form
    }

    /// Those of the pages; what an app has written of another stays a choice.
    private static func languages(_ chosen: String, _ call: PageCall) -> HTML {
        var tags = MessageLanguage.allCases.map { ($0.rawValue, $0.ownName) }
        if !chosen.isEmpty, !tags.contains(where: { $0.0 == chosen }) { tags.append((chosen, chosen)) }
        let options: [HTML] = ([("", call.text(.localeBrowser))] + tags).map { tag, name in
            let language: HTML? = tag.isEmpty ? nil : #" lang="\#(tag)""#
            return #"<option value="\#(tag)"\#(language)\#(tag == chosen ? " selected" as HTML : "")>\#(name)</option>"#
        }
        return """
            <div class="field"><label for="\(localeName)">\(call.text(.localeLabel))</label>
            <select id="\(localeName)" name="\(localeName)" autocomplete="language">
            \(options)
            </select></div>
            """
    }
}
