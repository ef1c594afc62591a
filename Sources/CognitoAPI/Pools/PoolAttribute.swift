// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An attribute of a pool's schema: a standard one, or one that the pool declares.
struct PoolAttribute: Sendable, Equatable {
    private static let types = ["String", "Number", "DateTime", "Boolean"]
    /// Digits enough for 2 to the power of 1023, as the service has it.
    private static let longestBound = 320

    /// With its prefix, `custom:` or `dev:custom:`, unless it is a standard one.
    var name: String
    var type: String
    var isMutable: Bool
    var isRequired: Bool
    var isDeveloperOnly: Bool
    /// Bounds on a string's length or a number's value, as the service writes them: in digits.
    var minimum: String?
    var maximum: String?

    init(_ standard: StandardAttribute) {
        name = standard.name
        type = standard.kind.rawValue
        isMutable = standard.isMutable
        isRequired = standard.isRequired
        isDeveloperOnly = false
        minimum = standard.kind == .boolean ? nil : String(standard.length.lowerBound)
        maximum = standard.kind == .string ? String(standard.length.upperBound) : nil
    }

    /// A custom attribute that nobody declared, as pools made by other dialects have them.
    init(undeclared name: String) {
        self.name = name
        type = "String"
        isMutable = true
        isRequired = false
        isDeveloperOnly = name.hasPrefix("dev:")
    }

    /// Reads an element of a `Schema` list, or of `CustomAttributes`.
    ///
    /// - Parameter isCustom: whether it is one of the pool's own even where a standard one is called so.
    /// - Throws: `InvalidParameterException`.
    init(_ json: JSONObject, isCustom: Bool = false) throws(WireError) {
        let input = Input(json)
        let given = try input.required(Member("Name", 1...20, .attributeName))
        isDeveloperOnly = try input.flag("DeveloperOnlyAttribute") ?? false
        isRequired = try input.flag("Required") ?? false
        let standard = isCustom ? nil : StandardAttribute.byName[given]
        name = standard == nil ? Self.prefix(isDeveloperOnly) + given : given
        let type = try input.choice("AttributeDataType", from: Self.types) ?? standard?.kind.rawValue ?? "String"
        self.type = type
        isMutable = try input.flag("Mutable") ?? standard?.isMutable ?? true
        // Bounds that no value of the type has would be none.
        for (member, kind) in [("NumberAttributeConstraints", "Number"), ("StringAttributeConstraints", "String")]
        where kind != type {
            guard try input.members(member)?.isEmpty ?? true else {
                throw .parameter("\(name): \(member) are not for an attribute of the type \(type).")
            }
        }
        let bounds = try input.members(type == "Number" ? "NumberAttributeConstraints" : "StringAttributeConstraints")
        let reading = Input(bounds ?? [:])
        minimum = try reading.text(Member(type == "Number" ? "MinValue" : "MinLength", 0...Self.longestBound))
        maximum = try reading.text(Member(type == "Number" ? "MaxValue" : "MaxLength", 0...Self.longestBound))
        try requireOrder()
        if let standard {
            guard standard.kind.rawValue == type, !isDeveloperOnly else {
                throw .parameter(
                    "You can not change AttributeDataType or set developerOnlyAttribute for standard "
                        + "schema attribute \(given)")
            }
            let usual = PoolAttribute(standard)
            if minimum == nil, maximum == nil { (minimum, maximum) = (usual.minimum, usual.maximum) }
        } else if isRequired {
            throw .parameter("Required custom attributes are not supported currently.")
        }
    }

    /// The bounds are numbers, of a length that values can have, and in order.
    private func requireOrder() throws(WireError) {
        for bound in [minimum, maximum].compactMap(\.self) {
            guard let number = AttributeNumber(bound) else {
                throw .parameter("\(name): \(Input.excerpt(bound)) is not a number.")
            }
            if type == "String", number < AttributeNumber(0) || number > AttributeNumber(AttributeChanges.valueLimit) {
                throw .parameter(
                    "user.\(name): String attributes cannot have a length of more than \(AttributeChanges.valueLimit)")
            }
        }
        if let least = minimum.flatMap(AttributeNumber.init), let most = maximum.flatMap(AttributeNumber.init),
            most < least
        {
            throw .parameter(
                "user.\(name): Max \(type == "Number" ? "value" : "length") cannot be less than min "
                    + "\(type == "Number" ? "value" : "length").")
        }
    }

    private static func prefix(_ isDeveloperOnly: Bool) -> String { isDeveloperOnly ? "dev:custom:" : "custom:" }

    /// - Throws: `InvalidParameterException` when the value is not of the attribute's type or outside its bounds.
    func check(_ value: String) throws(WireError) {
        switch type {
        case "Number":
            guard let number = AttributeNumber(value) else { throw refusal("Input value is not a number") }
            if let minimum, let least = AttributeNumber(minimum), number < least {
                throw refusal("Value must be at least \(minimum)")
            }
            if let maximum, let most = AttributeNumber(maximum), number > most {
                throw refusal("Value must be at most \(maximum)")
            }
        case "Boolean":
            guard ["true", "false"].contains(value.lowercased()) else { throw refusal("Input value is not a boolean") }
        case "DateTime":
            let isDate = Instant(rfc3339: value) != nil || Instant(rfc3339: value + "T00:00:00Z") != nil
            guard isDate || Int64(value) != nil else { throw refusal("Input value is not a date and time") }
        default:
            let length = value.unicodeScalars.count
            if let least = minimum.flatMap({ Int($0) }), length < least {
                throw refusal("String must be at least \(least) characters long")
            }
            if let most = maximum.flatMap({ Int($0) }), length > most {
                throw refusal("String must be no longer than \(most) characters")
            }
        }
    }

    /// - Throws: `InvalidParameterException` for an attribute that no user may be without.
    func requireOptional() throws(WireError) {
        guard !isRequired || name == "sub" else {
            throw .parameter("Attributes did not conform to the schema: \(name): The attribute is required\n")
        }
    }

    private func refusal(_ rule: String) -> WireError {
        .parameter("Attributes did not conform to the schema: \(name): \(rule)")
    }

    /// An element of `SchemaAttributes`.
    var json: JSONObject {
        var json: JSONObject = [
            "Name": .string(name), "AttributeDataType": .string(type), "DeveloperOnlyAttribute": .bool(isDeveloperOnly),
            "Mutable": .bool(isMutable), "Required": .bool(isRequired),
        ]
        var bounds = JSONObject()
        switch type {
        case "String":
            bounds["MinLength"] = minimum.map { .string($0) }
            bounds["MaxLength"] = maximum.map { .string($0) }
            json["StringAttributeConstraints"] = .object(bounds)
        case "Number":
            bounds["MinValue"] = minimum.map { .string($0) }
            bounds["MaxValue"] = maximum.map { .string($0) }
            json["NumberAttributeConstraints"] = .object(bounds)
        default: break
        }
        return json
    }

    /// What was kept in a Directory's settings by ``kept``.
    init?(kept json: JSONObject) {
        guard let read = try? Self(json, isCustom: json["Custom"]?.boolValue ?? false) else { return nil }
        self = read
    }

    /// As kept in a Directory's settings: an element of `Schema`.
    var kept: JSONObject {
        var json = json
        if StandardAttribute.byName[name] == nil {
            json["Name"] = .string(String(name.dropFirst(Self.prefix(isDeveloperOnly).count)))
            json["Custom"] = true
        }
        return json
    }
}
