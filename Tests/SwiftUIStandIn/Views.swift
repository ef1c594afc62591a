// SPDX-License-Identifier: Apache-2.0

// As Apple's does.
@_exported import Foundation

/// Stands in for Apple's SwiftUI where there is none, so that a compiler reads the views of Examples/yoga-app: the
/// names and types that they use, as Apple documents them, with nothing behind. What a view is given by its model is
/// judged by it; what Apple's own takes, only as far as it is written down here.
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError("shown by nobody") }
}

/// Every view here, and what modifiers make of one.
public struct Drawn: View {
    nonisolated init() {}
    public var body: Never { return fatalError("shown by nobody") }
}

public protocol Leaf: View where Body == Never {}
extension Leaf { public var body: Never { return fatalError("shown by nobody") } }

extension Optional: View where Wrapped: View {
    public var body: Never { return fatalError("shown by nobody") }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Drawn { Drawn() }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<Content: View>(first: Content) -> Drawn { Drawn() }
    public static func buildEither<Content: View>(second: Content) -> Drawn { Drawn() }
}

public struct EmptyView: Leaf { public init() {} }
public struct Spacer: Leaf { public init() {} }
public struct ProgressView: Leaf { public init() {} }

public struct Text: Leaf {
    public init(_ key: LocalizedStringKey) {}
    @_disfavoredOverload public init(_ text: some StringProtocol) {}
}

public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
}

public struct Image: Leaf {
    public init(systemName: String) {}
    public func resizable() -> Image { self }
}

public struct Label: Leaf { public init(_ key: LocalizedStringKey, systemImage: String) {} }

public struct ButtonRole: Sendable {
    public static let cancel = ButtonRole()
    public static let destructive = ButtonRole()
}

public struct Button: Leaf {
    public init(_ key: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
    public init(_ key: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
    public init<Content: View>(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Content) {}
    public init<Content: View>(
        role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Content
    ) {}
}

public struct Link: Leaf {
    public init(_ key: LocalizedStringKey, destination: URL) {}
    public init<Content: View>(destination: URL, @ViewBuilder label: () -> Content) {}
}

public struct Toggle: Leaf {
    public init<Content: View>(isOn: Binding<Bool>, @ViewBuilder label: () -> Content) {}
}
public struct TextField: Leaf { public init(_ key: LocalizedStringKey, text: Binding<String>) {} }
public struct SecureField: Leaf { public init(_ key: LocalizedStringKey, text: Binding<String>) {} }

public struct AsyncImage: Leaf {
    public init<Content: View, Placeholder: View>(
        url: URL?, @ViewBuilder content: @escaping (Image) -> Content,
        @ViewBuilder placeholder: @escaping () -> Placeholder
    ) {}
}
