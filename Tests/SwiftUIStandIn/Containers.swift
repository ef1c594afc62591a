// SPDX-License-Identifier: Apache-2.0

import Foundation

public enum HorizontalAlignment { case leading, center, trailing }
public enum VerticalAlignment { case top, center, bottom }

public struct VStack: Leaf {
    public init<Content: View>(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
}
public struct HStack: Leaf {
    public init<Content: View>(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
}
public struct Group: Leaf { public init<Content: View>(@ViewBuilder content: () -> Content) {} }
public struct Form: Leaf { public init<Content: View>(@ViewBuilder content: () -> Content) {} }
public struct Section: Leaf { public init<Content: View>(@ViewBuilder content: () -> Content) {} }
public struct List: Leaf { public init<Content: View>(@ViewBuilder content: () -> Content) {} }
public struct NavigationStack: Leaf { public init<Content: View>(@ViewBuilder root: () -> Content) {} }
public struct NavigationLink: Leaf {
    public init<Content: View>(_ key: LocalizedStringKey, @ViewBuilder destination: () -> Content) {}
}
public struct TabView: Leaf {
    public init<Selection: Hashable, Content: View>(
        selection: Binding<Selection>?, @ViewBuilder content: () -> Content
    ) {}
}

public struct ForEach: Leaf {
    public init<Data: RandomAccessCollection, Content: View>(
        _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable {}
    public init<Data: RandomAccessCollection, ID: Hashable, Content: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
}
