// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    /// A list that loads as it is scrolled, and encourages where it is empty (Y-US4).
    struct ActivitiesView: View {
        @State private var model: ActivitiesModel<JSONObject>

        init(studio: Studio) { _model = State(initialValue: studio.activities()) }

        var body: some View {
            List {
                ForEach(Array(model.items.enumerated()), id: \.offset) { _, activity in
                    VStack(alignment: .leading) {
                        Text(activity["description"]?.stringValue ?? activity["type"]?.stringValue ?? "")
                        Text(activity["timestamp"]?.stringValue ?? "").font(.caption).foregroundStyle(.secondary)
                    }
                }
                if let message = model.emptyMessage { MessageText(message) }
                ScreenStatus(screen: model)
                if !model.isComplete {
                    // It comes into sight when the end of the list does. After a failure it is pressed.
                    if model.error == nil {
                        ProgressView().task { await model.loadMore() }.id(model.items.count)
                    } else {
                        Button {
                            Task { await model.loadMore() }
                        } label: {
                            MessageText(.wayRetry)
                        }
                    }
                }
            }
            .refreshable { await model.reload() }
            .task { await model.follow() }
        }
    }
#endif
