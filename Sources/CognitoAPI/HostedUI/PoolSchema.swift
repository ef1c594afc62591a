// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// What a pool wants of users who sign up on the hosted pages, or come there by an identity provider: its schema, and
/// how its users are named.
struct PoolSchema: AccountSchema {
    let pool: PoolSettings
    let poolID: String

    var dialect: DialectName { CognitoDialect.name }

    // MARK: Forms

    /// Whether users choose a name, by which they are called.
    private var namesUsers: Bool { pool.isDeclared && pool.usernameAttributes.isEmpty }

    /// What no user may be without, and the address where a code is sent that confirms the account.
    var fields: [AccountField] {
        guard pool.isDeclared else { return [] }
        var names = pool.schema.filter {
            $0.isRequired && !["sub", "email_verified", "phone_number_verified"].contains($0.name)
        }
        .map(\.name)
        guard namesUsers else {
            // The one that they are called by is asked for anyway.
            return fields(names.filter { !pool.usernameAttributes.contains($0) })
        }
        if !names.contains(where: PoolSettings.verifiable.contains) {
            names = (pool.verifies("email") ? ["email"] : pool.verifies("phone_number") ? ["phone_number"] : []) + names
        }
        return [AccountField("username", .username)] + fields(names)
    }

    /// Addresses first, then as people introduce themselves, and the rest as the pool has it.
    private func fields(_ names: [String]) -> [AccountField] {
        let usual = ["email", "phone_number", "name", "given_name", "middle_name", "family_name", "nickname"]
        let ordered = usual.filter(names.contains) + names.filter { !usual.contains($0) }
        return ordered.map { name in
            AccountField(name, name == "email" ? .email : name == "phone_number" ? .phone : .attribute)
        }
    }

    func read(_ values: [String: String]) throws(AccountFieldRefusals) -> AccountDescription {
        var (said, refused) = (AccountDescription(), [String: AccountFieldRefusals.Reason]())
        (said.confirmsEmail, said.confirmsPhone) = (pool.verifies("email"), pool.verifies("phone_number"))
        for field in fields {
            let text = values[field.name] ?? ""
            guard text.contains(where: { !$0.isWhitespace }) else {
                refused[field.name] = .missing
                continue
            }
            if !take(text, for: field, in: &said) { refused[field.name] = .invalid }
        }
        guard refused.isEmpty else { throw AccountFieldRefusals(refused) }
        return said
    }

    /// Whether the text is one that the field can have.
    private func take(_ text: String, for field: AccountField, in said: inout AccountDescription) -> Bool {
        switch field.kind {
        case .username:
            // What looks like an address or a number is read as one at the next sign-in.
            guard !text.contains("@"), !text.hasPrefix("+") else { return false }
            said.username = try? Username(text, isCaseSensitive: pool.isCaseSensitive)
            return said.username != nil
        case .email:
            said.email = (try? pool.attribute(field.name)?.check(text)).flatMap { _ in try? EmailAddress(text) }
            return said.email != nil
        case .phone:
            guard text.hasPrefix("+") else { return false }
            said.phone = (try? pool.attribute(field.name)?.check(text)).flatMap { _ in try? PhoneNumber(text) }
            return said.phone != nil
        case .attribute:
            // A date as OpenID Connect has it: a browser without a field for dates lets people type what they like.
            guard field.name != "birthdate" || Instant(rfc3339: text + "T00:00:00Z") != nil else { return false }
            guard StreamSafeText.accepts(text), let attribute = pool.attribute(field.name), !attribute.isDeveloperOnly,
                text.unicodeScalars.count <= AttributeChanges.valueLimit, (try? attribute.check(text)) != nil
            else { return false }
            said.attributes[field.name] = .string(text)
            if let shared = SharedField(rawValue: field.name) { said.metadata[shared.rawValue] = .string(text) }
            return true
        }
    }

    // MARK: Identity providers

    /// `AllowAdminCreateUserOnly` is about `SignUp`. A Directory that was made otherwise means by it whoever comes.
    var admitsProvidersUsers: Bool { pool.isDeclared }

    /// Those of the pool's attributes that a provider says, as their types have it. One that can't be changed is
    /// written with the account and never again; the service refuses each later sign-in then.
    func attributes(
        of mapped: MappedAttributes, at moment: FederationPolicy.Moment
    ) -> (byUser: JSONObject, byOperator: JSONObject) {
        var kept: (byUser: JSONObject, byOperator: JSONObject) = ([:], [:])
        for (name, text) in mapped.values.sorted(by: { $0.key < $1.key }) {
            guard let attribute = acceptable(name, text), attribute.isMutable || moment == .created else { continue }
            if attribute.isDeveloperOnly {
                kept.byOperator[name] = .string(text)
            } else {
                kept.byUser[name] = .string(text)
            }
        }
        return kept
    }

    private func acceptable(_ name: String, _ text: String) -> PoolAttribute? {
        guard UserAttributeList.isKept(name), let attribute = pool.attribute(name), (try? attribute.check(text)) != nil
        else { return nil }
        return attribute
    }

    func missing(from mapped: MappedAttributes, email: EmailAddress?) -> [String] {
        pool.schema.filter { $0.isRequired && $0.name != "sub" }.map(\.name).filter { name in
            switch name {
            case "email": email == nil
            case "phone_number": mapped.phone == nil
            // They follow from the address and the number.
            case "email_verified", "phone_number_verified": false
            default: mapped.values[name].flatMap { acceptable(name, $0) } == nil
            }
        }
    }

    func username(of subject: String, at provider: IdentityProvider) -> Username? {
        try? Username(
            ProviderName.shown(provider.name) + "_" + subject, isCaseSensitive: pool.isCaseSensitive)
    }

    func group(of provider: IdentityProvider) -> (name: String, description: String)? {
        let name = ProviderName.shown(provider.name)
        return (poolID + "_" + name, "Autogenerated group for users who sign in using " + name)
    }
}
