// SPDX-License-Identifier: Apache-2.0

import Foundation

extension View {
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> Drawn { Drawn() }
    public func task<ID: Equatable>(id: ID, _ action: @escaping @MainActor @Sendable () async -> Void) -> Drawn {
        Drawn()
    }
    public func refreshable(action: @escaping @MainActor @Sendable () async -> Void) -> Drawn { Drawn() }
    public func onDisappear(perform action: (() -> Void)? = nil) -> Drawn { Drawn() }
    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
    ) -> Drawn { Drawn() }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> Drawn { Drawn() }
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> Drawn { Drawn() }
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> Drawn { Drawn() }
    public func navigationDestination<Content: View>(
        isPresented: Binding<Bool>, @ViewBuilder destination: () -> Content
    ) -> Drawn { Drawn() }
    public func navigationDestination<Item: Hashable, Content: View>(
        item: Binding<Item?>, @ViewBuilder destination: @escaping (Item) -> Content
    ) -> Drawn { Drawn() }

    public func id<ID: Hashable>(_ id: ID) -> Drawn { Drawn() }
    public func tag<Tag: Hashable>(_ tag: Tag) -> Drawn { Drawn() }
    public func tabItem<Content: View>(@ViewBuilder _ label: () -> Content) -> Drawn { Drawn() }
    public func disabled(_ isDisabled: Bool) -> Drawn { Drawn() }
    public func padding(_ length: CGFloat) -> Drawn { Drawn() }
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> Drawn { Drawn() }
    public func frame(maxWidth: CGFloat?) -> Drawn { Drawn() }
    public func scaledToFit() -> Drawn { Drawn() }
    public func clipShape(_ shape: Shape) -> Drawn { Drawn() }
    public func font(_ font: Font?) -> Drawn { Drawn() }
    public func monospaced() -> Drawn { Drawn() }
    public func foregroundStyle(_ style: ShapeStyle) -> Drawn { Drawn() }
    public func textContentType(_ type: ContentType?) -> Drawn { Drawn() }
    public func autocorrectionDisabled(_ isDisabled: Bool = true) -> Drawn { Drawn() }
    public func textSelection(_ selectability: Selectability) -> Drawn { Drawn() }
    public func presentationDetents(_ detents: Set<Detent>) -> Drawn { Drawn() }
    public func accessibilityElement(children: AccessibilityChildren) -> Drawn { Drawn() }
}
