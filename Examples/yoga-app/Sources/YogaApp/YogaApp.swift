// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    /// What an app shows: the way in while nobody is signed in, else the app itself, at the place that a link led to.
    public struct YogaRoot: View {
        private let studio: Studio
        @State private var offline: OfflineBannerModel
        @State private var place: PlaceAfterSignIn?
        @State private var opened: OpenedLink?

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
                    if offline.blocksApp { OfflineBanner(model: offline) } else { app }
                }
            }
            .task { await studio.start() }
            .task { await studio.session.follow() }
            .task { await offline.follow() }
            .task { await studio.links.follow() }
            .task(id: studio.session.user?.subject) { await goOn() }
            .onOpenURL { url in Task { await open(url.absoluteString) } }
            .sheet(item: $opened) { opened in
                LinkView(studio: studio, opened: opened) { Task { await open(opened.link, replacingSession: true) } }
            }
        }

        @ViewBuilder private var app: some View {
            switch place {
            case nil: ProgressView()
            case .ageGate?: AgeGateView(studio: studio) { await goOn() }
            case .app(let path)?: HomeView(studio: studio, offline: offline, path: path).id(path)
            }
        }

        /// The age first, then the place that a link had led to (G-1.6, G-12.4).
        private func goOn() async {
            place =
                studio.session.user == nil ? nil : await PlaceAfterSignIn.next(gate: studio.gate, links: studio.links)
        }

        private func open(_ link: String, replacingSession: Bool = false) async {
            let outcome = await studio.links.open(link, replacingSession: replacingSession)
            opened = nil
            switch outcome {
            case .show(let path): if case .app? = place { place = .app(path) }
            case .confirmed, .chooseNewPassword, .wouldReplaceSession, .failed:
                opened = OpenedLink(link: link, outcome: outcome)
            // The screens of the sign-in show what comes next.
            case .signInFirst, .awaits, .signedIn: break
            }
        }
    }

    /// The device has to be unlocked before anybody is known. Nobody is signed out by it.
    struct LockedView: View {
        let studio: Studio

        var body: some View {
            VStack(spacing: 16) {
                Image(systemName: "lock")
                MessageText(AuthErrorCode.storeUnavailable.messageKey)
                Button {
                    studio.service.storeUnlocked()
                } label: {
                    MessageText(.wayRetry)
                }
            }
            .padding(16)
        }
    }

    /// Asked once on this device, until somebody signs out.
    struct AgeGateView: View {
        let studio: Studio
        let passed: @MainActor () async -> Void
        @State private var error: ErrorPresentation?

        var body: some View {
            VStack(spacing: 16) {
                Text("Are you 16 or older?")
                Button("Yes") {
                    Task {
                        do throws(SecureStoreError) { try await studio.gate.pass() } catch {
                            self.error = ErrorPresentation(AuthError(.storeUnavailable), support: studio.support)
                            return
                        }
                        await passed()
                    }
                }
                Button {
                    Task { await studio.service.signOut(SignOutOptions()) }
                } label: {
                    MessageText(.signOutConfirm)
                }
                if let error { ErrorText(error) }
            }
            .padding(16)
        }
    }
#endif
