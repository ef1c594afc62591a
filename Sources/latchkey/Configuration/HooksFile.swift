// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import CognitoAPI
import FirebaseAPI
import IdentityProviders
import SupabaseAPI

/// The file that says which programs of the operator's are told and asked of what happens: JSON, since it is secret as
/// a whole and no other part of the configuration is. Addresses that the server calls stand here and nowhere else:
/// nobody who administers a Directory can have it call another.
enum HooksFile {
    private static let maximumBytes = 1 << 20
    /// Of each list.
    private static let mostEntries = 256
    private static let timeouts = Int64(1)...30
    private static let eventTimeout = Int64(10)
    /// Whose hooks may be named, by the vendor's word for each.
    private static let forms: [String: (dialect: DialectName, form: any HookForm.Type)] = [
        SupabaseDialect.name.rawValue: (SupabaseDialect.name, SupabaseHookForm.self),
        CognitoDialect.name.rawValue: (CognitoDialect.name, CognitoHookForm.self),
        FirebaseDialect.name.rawValue: (FirebaseDialect.name, FirebaseHookForm.self),
    ]

    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the place in the file, never a secret that stands there.
    static func read(_ path: String) throws(AuthError) -> Hooks {
        let text = try SecretFile.contents(of: path, upTo: maximumBytes)
        guard let object = try? JSONObject(parsing: Array(text.reveal().utf8)) else {
            throw AuthError(.invalidRequest, reason: "expected a JSON object")
        }
        return try parse(object)
    }

    static func parse(_ object: JSONObject) throws(AuthError) -> Hooks {
        try HookEntry(object, "the file").refuseOthers(than: ["events", "hooks"])
        var hooks = Hooks()
        for entry in try entries("events", in: object) {
            let subscription = try subscription(entry)
            guard
                !hooks.subscriptions.contains(where: {
                    ($0.name, $0.directory) == (subscription.name, subscription.directory)
                })
            else { throw entry.fault("name: there is another of this name") }
            hooks.subscriptions.append(subscription)
        }
        for entry in try entries("hooks", in: object) {
            let hook = try blocking(entry)
            // Two of a moment would each change what the other says, or send a message twice.
            guard
                !hooks.blocking.contains(where: {
                    ($0.directory, $0.moment, $0.dialect) == (hook.directory, hook.moment, hook.dialect)
                })
            else { throw entry.fault("hook: there is another of this form and moment") }
            hooks.blocking.append(hook)
        }
        return hooks
    }

    private static func subscription(_ entry: HookEntry) throws(AuthError) -> EventSubscription {
        try entry.refuseOthers(than: ["name", "directory", "url", "secrets", "types", "timeout"])
        var types: Set<AccountEvent>?
        if let names = try entry.texts("types") {
            var chosen: Set<AccountEvent> = []
            for name in names {
                guard let event = AccountEvent(rawValue: name) else {
                    throw entry.fault("types: no event is called so")
                }
                chosen.insert(event)
            }
            types = chosen
        }
        let name = try entry.text("name")
        guard name.utf8.count <= 64, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw entry.fault("name: expected up to 64 characters without blanks")
        }
        return EventSubscription(
            name: name, directory: try entry.optionalText("directory") ?? DirectoryCatalog.defaultName, events: types,
            secrets: try entry.secrets(), caller: try entry.caller(timeout: eventTimeout, in: timeouts))
    }

    private static func blocking(_ entry: HookEntry) throws(AuthError) -> BlockingHook {
        try entry.refuseOthers(than: ["form", "hook", "directory", "url", "secrets", "timeout"])
        guard let (dialect, form) = forms[try entry.text("form")] else {
            throw entry.fault("form: expected one of \(forms.keys.sorted().joined(separator: ", "))")
        }
        let name = try entry.text("hook")
        guard let moment = form.hooks[name] else {
            throw entry.fault("hook: expected one of \(form.hooks.keys.sorted().joined(separator: ", "))")
        }
        return BlockingHook(
            name: name, moment: moment, dialect: dialect,
            directory: try entry.optionalText("directory") ?? DirectoryCatalog.defaultName,
            url: try entry.text("url"), secrets: try entry.secrets(isNeeded: form.needsSecrets),
            caller: try entry.caller(timeout: form.timeout, in: timeouts))
    }

    /// The same as the variables of a platform's container have it, for the default Directory.
    static func blocking(_ hook: SelfHostedHook) throws(AuthError) -> BlockingHook {
        guard let moment = SupabaseHookForm.hooks[hook.hook] else {
            throw AuthError(.invalidRequest, reason: "no such hook")
        }
        return BlockingHook(
            name: hook.hook, moment: moment, dialect: SupabaseDialect.name, directory: DirectoryCatalog.defaultName,
            secrets: hook.secrets,
            caller: try HookCaller(url: hook.url, timeout: .seconds(SupabaseHookForm.timeout)))
    }

    private static func entries(_ name: String, in object: JSONObject) throws(AuthError) -> [HookEntry] {
        guard let value = object[name] else { return [] }
        guard let values = value.arrayValue, values.count <= mostEntries else {
            throw AuthError(.invalidRequest, reason: "\(name): expected a list of at most \(mostEntries)")
        }
        var entries: [HookEntry] = []
        for (index, value) in values.enumerated() {
            guard let object = value.objectValue else {
                throw AuthError(.invalidRequest, reason: "\(name)[\(index)]: expected an object")
            }
            entries.append(HookEntry(object, "\(name)[\(index)]"))
        }
        return entries
    }
}

/// One object of ``HooksFile``, and where it stands.
struct HookEntry {
    private let object: JSONObject
    private let place: String

    init(_ object: JSONObject, _ place: String) {
        self.object = object
        self.place = place
    }

    func fault(_ reason: String) -> AuthError { AuthError(.invalidRequest, reason: "\(place): \(reason)") }

    /// What is misspelt is not passed over.
    func refuseOthers(than known: Set<String>) throws(AuthError) {
        for member in object.members where !known.contains(member.name) {
            throw fault("\(member.name): no such member")
        }
    }

    func text(_ name: String) throws(AuthError) -> String {
        guard let text = try optionalText(name), !text.isEmpty else { throw fault("\(name): a text is needed") }
        return text
    }

    func optionalText(_ name: String) throws(AuthError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.stringValue else { throw fault("\(name): expected a text") }
        return text
    }

    func texts(_ name: String) throws(AuthError) -> [String]? {
        guard let value = object[name] else { return nil }
        guard let texts = value.arrayValue?.map(\.stringValue), !texts.contains(nil) else {
            throw fault("\(name): expected a list of texts")
        }
        return texts.compactMap(\.self)
    }

    /// Each signs, so that one can be replaced by another.
    func secrets(isNeeded: Bool = true) throws(AuthError) -> [WebhookSecret] {
        if !isNeeded, object["secrets"] == nil { return [] }
        guard let texts = try texts("secrets"), (1...4).contains(texts.count) else {
            throw fault("secrets: one to four are needed")
        }
        var secrets: [WebhookSecret] = []
        for text in texts {
            do {
                secrets.append(try WebhookSecret(text))
            } catch {
                throw fault("secrets: \(error.reason ?? "not a valid secret")")
            }
        }
        return secrets
    }

    func caller(timeout usual: Int64, in range: ClosedRange<Int64>) throws(AuthError) -> HookCaller {
        var seconds = usual
        if let value = object["timeout"] {
            guard let number = value.integerValue, range.contains(number) else {
                throw fault("timeout: expected \(range.lowerBound) to \(range.upperBound) seconds")
            }
            seconds = number
        }
        let url = try text("url")
        do {
            return try HookCaller(url: url, timeout: .seconds(seconds))
        } catch {
            throw fault("url: \(error.reason ?? "not a valid URL")")
        }
    }
}
