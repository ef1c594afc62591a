// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import ServerKit

/// What a Directory asks a newcomer for, as a field: with the label, the type and the `autocomplete` value that people
/// and browsers know such things by (HTML, section 4.10.18.7.1).
extension PageField {
    private struct Look {
        var label: PageText
        var autocomplete: String
        var type = "text"
    }

    /// By the names of OpenID Connect Core, section 5.1.
    private static let looks: [String: Look] = [
        "email": Look(label: .emailLabel, autocomplete: "email", type: "email"),
        "phone_number": Look(label: .phoneLabel, autocomplete: "tel", type: "tel"),
        "name": Look(label: .nameLabel, autocomplete: "name"),
        "given_name": Look(label: .givenNameLabel, autocomplete: "given-name"),
        "middle_name": Look(label: .middleNameLabel, autocomplete: "additional-name"),
        "family_name": Look(label: .familyNameLabel, autocomplete: "family-name"),
        "nickname": Look(label: .nicknameLabel, autocomplete: "nickname"),
        "preferred_username": Look(label: .preferredNameLabel, autocomplete: "nickname"),
        "birthdate": Look(label: .birthdateLabel, autocomplete: "bday", type: "date"),
        "gender": Look(label: .genderLabel, autocomplete: "sex"),
        "address": Look(label: .addressLabel, autocomplete: "street-address"),
        "website": Look(label: .websiteLabel, autocomplete: "url", type: "url"),
        "profile": Look(label: .profileLabel, autocomplete: "url", type: "url"),
        "picture": Look(label: .pictureLabel, autocomplete: "photo", type: "url"),
        "locale": Look(label: .localeLabel, autocomplete: "language"),
        "zoneinfo": Look(label: .zoneLabel, autocomplete: "off"),
    ]

    static func asked(_ field: AccountField, _ call: PageCall) -> PageField {
        if field.kind == .username {
            var name = PageField(
                name: field.name, label: call.text(.usernameLabel), autocomplete: "username",
                attributes: #" autocapitalize="none" spellcheck="false""#, value: call.form[field.name] ?? "")
            name.hint = call.text(.usernameHint)
            return name
        }
        let look = looks[field.name]
        var asked = PageField(
            // What has no name of its own in people's languages is called as its operator calls it.
            name: field.name, label: look.map { call.text($0.label) } ?? field.name, type: look?.type ?? "text",
            autocomplete: look?.autocomplete ?? "off", value: call.form[field.name] ?? "",
            hint: field.kind == .phone ? call.text(.phoneHint) : nil)
        // As long as a dialect takes it: what is longer is refused in words, and not cut short without one.
        if field.kind == .attribute { asked.maximumLength = longestAttribute }
        return asked
    }

    private static let longestAttribute = 2048
}

extension PageForm {
    /// With what is the matter with what a Directory asks for, each at its field.
    func refused(_ refusals: AccountFieldRefusals) -> PageForm {
        var form = self
        for index in form.fields.indices {
            guard let reason = refusals.reasons[form.fields[index].name] else { continue }
            form.fields[index].refusal = call.text(reason == .missing ? .fieldMissing : .fieldInvalid)
        }
        return form
    }
}
