// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    struct HomeView: View {
        private let studio: Studio
        private let offline: OfflineBannerModel
        @State private var tab: String

        /// - Parameter path: where a link has led to: `/activities` or `/you`.
        init(studio: Studio, offline: OfflineBannerModel, path: AllowedPath?) {
            self.studio = studio
            self.offline = offline
            _tab = State(initialValue: path?.segments.first ?? "activities")
        }

        var body: some View {
            VStack(spacing: 0) {
                OfflineBanner(model: offline)
                VerificationBanner(studio: studio)
                TabView(selection: $tab) {
                    ActivitiesView(studio: studio)
                        .tabItem { Label("Activities", systemImage: "figure.yoga") }
                        .tag("activities")
                    ProfileView(studio: studio, offline: offline)
                        .tabItem { Label("You", systemImage: "person") }
                        .tag("you")
                }
            }
        }
    }

    struct OfflineBanner: View {
        let model: OfflineBannerModel

        var body: some View {
            if let message = model.message { MessageText(message).padding(8).frame(maxWidth: .infinity) }
        }
    }

    struct VerificationBanner: View {
        @State private var model: VerificationBannerModel

        init(studio: Studio) {
            _model = State(
                initialValue: VerificationBannerModel(service: studio.service, support: studio.support))
        }

        var body: some View {
            Group {
                if let message = model.message {
                    HStack {
                        VStack(alignment: .leading) {
                            MessageText(message)
                            ScreenStatus(screen: model)
                        }
                        Spacer()
                        Button {
                            Task { await model.resend() }
                        } label: {
                            MessageText(.verifyResend)
                        }
                        .disabled(!model.canResend)
                    }
                    .padding(8)
                }
            }
            .task { await model.follow() }
        }
    }
#endif
