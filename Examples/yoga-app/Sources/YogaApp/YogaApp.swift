// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    /// What an app shows: the way in while nobody is signed in, else the app itself.
    public struct YogaRoot: View {
        private let studio: Studio
        @State private var offline: OfflineBannerModel

        public init(studio: Studio) {
            self.studio = studio
            _offline = State(initialValue: OfflineBannerModel(service: studio.service))
        }

        public var body: some View {
            Group {
                switch studio.session.state {
                // Nothing that is protected is shown before the device has said who it is (G-14.4).
                case .restoring: ProgressView()
                case .storeLocked: LockedView(studio: studio)
                case .signedOut, .awaiting: SignInView(studio: studio)
                case .signedIn, .refreshing, .offline, .blocked:
                    if offline.blocksApp {
                        OfflineBanner(model: offline)
                    } else {
                        HomeView(studio: studio, offline: offline)
                    }
                }
            }
            .task { await studio.start() }
            .task { await studio.session.follow() }
            .task { await offline.follow() }
        }
    }

    /// The device has to be unlocked before anybody is known. Nobody is signed out by it.
    struct LockedView: View {
        let studio: Studio

        var body: some View {
            Button {
                Task { await studio.service.restore() }
            } label: {
                Image(systemName: "lock")
            }
        }
    }
#endif
