// SPDX-License-Identifier: Apache-2.0

import Foundation
import Observation

@propertyWrapper @MainActor
public struct State<Value> {
    private final class Box { var value: Value; init(_ value: Value) { self.value = value } }
    private let box: Box

    public init(wrappedValue: Value) { box = Box(wrappedValue) }
    public init(initialValue: Value) { box = Box(initialValue) }
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
    public var projectedValue: Binding<Value> {
        let box = box
        return Binding(get: { box.value }, set: { box.value = $0 })
    }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

@propertyWrapper @dynamicMemberLookup @MainActor
public struct Binding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        (self.get, self.set) = (get, set)
    }
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Binding<Value> { self }
    public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(
            get: { wrappedValue[keyPath: path] },
            set: { part in
                var whole = wrappedValue
                whole[keyPath: path] = part
                wrappedValue = whole
            })
    }
}

extension Binding where Value: AnyObject {
    public subscript<Part>(dynamicMember path: ReferenceWritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(get: { wrappedValue[keyPath: path] }, set: { wrappedValue[keyPath: path] = $0 })
    }
}

@propertyWrapper @dynamicMemberLookup @MainActor
public struct Bindable<Value: AnyObject & Observable> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public init(_ value: Value) { wrappedValue = value }
    public var projectedValue: Bindable<Value> { self }
    public subscript<Part>(dynamicMember path: ReferenceWritableKeyPath<Value, Part>) -> Binding<Part> {
        let value = wrappedValue
        return Binding<Part>(get: { value[keyPath: path] }, set: { value[keyPath: path] = $0 })
    }
}

@MainActor
public struct DismissAction {
    public func callAsFunction() {}
}

@MainActor
public struct EnvironmentValues {
    public var locale: Locale { Locale(identifier: "en") }
    public var dismiss: DismissAction { DismissAction() }
}

@propertyWrapper @MainActor
public struct Environment<Value> {
    private let path: KeyPath<EnvironmentValues, Value>
    public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }
    public var wrappedValue: Value { EnvironmentValues()[keyPath: path] }
}

public enum Font { case callout, footnote, caption }
public struct ShapeStyle: Sendable {
    public static let red = ShapeStyle()
    public static let secondary = ShapeStyle()
}
public struct Shape: Sendable { public static let circle = Shape() }
public struct ContentType: Sendable {
    public static let username = ContentType()
    public static let password = ContentType()
    public static let newPassword = ContentType()
    public static let oneTimeCode = ContentType()
}
public struct Detent: Hashable, Sendable { public static let medium = Detent() }
public struct Selectability: Sendable { public static let enabled = Selectability() }
public struct AccessibilityChildren: Sendable { public static let combine = AccessibilityChildren() }
