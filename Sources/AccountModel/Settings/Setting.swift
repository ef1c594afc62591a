// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One setting, described once: where it is kept, what it is called, what it may be, what it is for, and what a
/// careless value costs.
///
/// The stored form, configuration files, variables, the command line, the checks and the documentation are all made of
/// tables of these: `DirectorySettings.table` for a Directory, and the server's own.
public struct Setting<Root: Sendable>: Sendable {
    /// Where the value is in the stored form: names of members, the outermost first, with dots between them.
    public let path: String
    /// What it is called in configuration files; `nil` where they can't set it.
    public let key: String?
    public let form: SettingForm
    /// The default in words, where its value says too little.
    public let defaultWords: String?
    public let summary: String
    /// What a careless value costs; empty where nothing.
    public let risk: String
    let components: [String]
    private let read: Read
    private let write: Write

    /// `nil` where nothing is set.
    typealias Read = @Sendable (Root) -> JSONValue?
    /// `false` for a value of another type; `.null` takes the value away where there may be none.
    typealias Write = @Sendable (inout Root, JSONValue) throws(AuthError) -> Bool

    init(
        _ path: String, _ form: SettingForm, key: String?, default defaultWords: String?, _ summary: String,
        risk: String, read: @escaping Read, write: @escaping Write
    ) {
        self.path = path
        self.key = key
        self.form = form
        self.defaultWords = defaultWords
        self.summary = summary
        self.risk = risk
        self.read = read
        self.write = write
        components = path.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
    }

    /// What operators call it: as in their files, or else as it is stored.
    public var name: String { key ?? path }

    /// `nil` where nothing is set, and for secrets.
    public func value(in root: Root) -> JSONValue? { read(root) }

    /// The default as the documentation has it: in words where there are any.
    public func defaultText(in defaults: Root) -> String {
        if let defaultWords { return defaultWords }
        switch read(defaults) {
        case .string(let text): return text
        case .array(let values): return values.compactMap(\.stringValue).joined(separator: ", ")
        case let value?: return value.text
        case nil: return ""
        }
    }

    /// Takes over what an operator says.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the setting's name, for a value of another type or out
    ///   of its range. The value is not repeated in it.
    public func set(_ value: JSONValue, in root: inout Root) throws(AuthError) {
        guard form.accepts(value) || value.isNull else { throw refusal(of: value) }
        try restore(value, in: &root)
    }

    /// The same for a text, as variables and the command line have it.
    ///
    /// - Throws: as ``set(_:in:)``.
    public func parse(_ text: String) throws(AuthError) -> JSONValue {
        guard let value = form.parse(text) else { throw refusal }
        return value
    }

    /// Takes over what was stored. It was in the range of its time.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for a value of another type.
    func restore(_ value: JSONValue, in root: inout Root) throws(AuthError) {
        do throws(AuthError) {
            guard try write(&root, value) else { throw refusal }
        } catch {
            throw AuthError(error.code, reason: error.reason, field: name)
        }
    }

    /// What is expected, and where more is known, what is the matter.
    func refusal(of value: JSONValue) -> AuthError {
        guard let fault = form.fault(in: value) else { return refusal }
        return AuthError(.invalidRequest, reason: fault + "; expected \(form.description)", field: name)
    }

    var refusal: AuthError { AuthError(.invalidRequest, reason: "expected \(form.description)", field: name) }
}
