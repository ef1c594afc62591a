// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Settings of each type. Where `key` is left out, configuration files can't set them.
extension Setting {
    public typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable

    public static func flag(
        _ path: String, _ place: Path<Bool>, key: String? = nil, _ summary: String, risk: String = ""
    ) -> Setting {
        Setting(path, .flag, key: key, default: nil, summary, risk: risk) {
            .bool($0[keyPath: place])
        } write: { root, value throws(AuthError) in
            guard let value = value.boolValue else { return false }
            root[keyPath: place] = value
            return true
        }
    }

    public static func whole<Number: FixedWidthInteger & Sendable>(
        _ path: String, _ place: Path<Number>, in range: ClosedRange<Int64>, key: String? = nil,
        default defaultWords: String? = nil, _ summary: String, risk: String = ""
    ) -> Setting {
        Setting(path, .whole(range), key: key, default: defaultWords, summary, risk: risk) {
            .integer(Int64(clamping: $0[keyPath: place]))
        } write: { root, value throws(AuthError) in
            guard let number = value.integerValue.flatMap({ Number(exactly: $0) }) else { return false }
            root[keyPath: place] = number
            return true
        }
    }

    public static func optionalWhole(
        _ path: String, _ place: Path<Int?>, in range: ClosedRange<Int64>, key: String? = nil,
        default defaultWords: String, _ summary: String, risk: String = ""
    ) -> Setting {
        Setting(path, .whole(range), key: key, default: defaultWords, summary, risk: risk) {
            $0[keyPath: place].map { .integer(Int64($0)) }
        } write: { root, value throws(AuthError) in
            guard let number = value.integerValue.flatMap({ Int(exactly: $0) }) else { return false }
            root[keyPath: place] = number
            return true
        }
    }

    public static func size<Size: RawRepresentable<Int> & CaseIterable & Sendable>(
        _ path: String, _ place: Path<Size>, key: String? = nil, _ summary: String, risk: String = ""
    ) -> Setting {
        let sizes = Size.allCases.map { Int64($0.rawValue) }
        return Setting(path, .size(sizes), key: key, default: nil, summary, risk: risk) {
            .integer(Int64($0[keyPath: place].rawValue))
        } write: { root, value throws(AuthError) in
            guard let size = value.integerValue.flatMap({ Int(exactly: $0) }).flatMap(Size.init) else { return false }
            root[keyPath: place] = size
            return true
        }
    }

    public static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ path: String, _ place: Path<Choice>, key: String? = nil, default defaultWords: String? = nil,
        _ summary: String, risk: String = ""
    ) -> Setting {
        let names = Choice.allCases.map(\.rawValue)
        return Setting(path, .choice(names), key: key, default: defaultWords, summary, risk: risk) {
            .string($0[keyPath: place].rawValue)
        } write: { root, value throws(AuthError) in
            guard let choice = value.stringValue.flatMap(Choice.init) else { return false }
            root[keyPath: place] = choice
            return true
        }
    }

    public static func text(
        _ path: String, _ place: Path<String>, limit: Int = SettingForm.textLimit, key: String? = nil,
        default defaultWords: String? = nil, _ summary: String, risk: String = ""
    ) -> Setting {
        Setting(path, .text(limit), key: key, default: defaultWords, summary, risk: risk) {
            .string($0[keyPath: place])
        } write: { root, value throws(AuthError) in
            guard let text = value.stringValue else { return false }
            root[keyPath: place] = text
            return true
        }
    }

    public static func optionalText(
        _ path: String, _ place: Path<String?>, limit: Int = SettingForm.textLimit, key: String? = nil,
        default defaultWords: String? = nil, _ summary: String, risk: String = ""
    ) -> Setting {
        Setting(path, .text(limit), key: key, default: defaultWords, summary, risk: risk) {
            $0[keyPath: place].map { .string($0) }
        } write: { root, value throws(AuthError) in
            guard value.isNull || value.stringValue != nil else { return false }
            root[keyPath: place] = value.stringValue
            return true
        }
    }

    /// - Parameter form: `nil` for texts that may be anything.
    public static func list(
        _ path: String, _ place: Path<[String]>, form: SettingForm? = nil, key: String? = nil,
        default defaultWords: String? = nil, _ summary: String, risk: String = ""
    ) -> Setting {
        Setting(path, form ?? .list(SettingForm.listLimit), key: key, default: defaultWords, summary, risk: risk) {
            .array($0[keyPath: place].map { .string($0) })
        } write: { root, value throws(AuthError) in
            guard let values = value.arrayValue else { return false }
            let texts = values.compactMap(\.stringValue)
            guard texts.count == values.count else { return false }
            root[keyPath: place] = texts
            return true
        }
    }

    public static func texts(
        _ path: String, _ place: Path<[String: String]>, limit: Int = SettingForm.textLimit, form: SettingForm? = nil,
        key: String? = nil, _ summary: String, risk: String = ""
    ) -> Setting {
        Setting(path, form ?? .texts(limit), key: key, default: "none", summary, risk: risk) { root in
            var object = JSONObject()
            for (name, text) in root[keyPath: place].sorted(by: { $0.key < $1.key }) { object[name] = .string(text) }
            return .object(object)
        } write: { root, value throws(AuthError) in
            guard let members = value.objectValue?.members else { return false }
            var texts: [String: String] = [:]
            for member in members {
                guard let text = member.value.stringValue else { return false }
                texts[member.name] = text
            }
            root[keyPath: place] = texts
            return true
        }
    }

    /// A value that only its owner can judge or take over.
    ///
    /// - Parameter take: Throws ``AuthErrorCode/invalidRequest`` whose reason completes "name: …".
    public static func custom(
        _ path: String, _ form: SettingForm, key: String? = nil, default defaultWords: String, _ summary: String,
        risk: String = "", take: @escaping @Sendable (inout Root, String) throws(AuthError) -> Void
    ) -> Setting {
        Setting(path, form, key: key, default: defaultWords, summary, risk: risk) { _ in
            nil
        } write: {
            root, value throws(AuthError) in
            guard let text = value.stringValue else { return false }
            try take(&root, text)
            return true
        }
    }
}
