// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    struct ProfileView: View {
        private let studio: Studio
        private let offline: OfflineBannerModel
        @State private var model: ProfileModel
        @State private var signingOut: SignOutModel
        @State private var deleting: DeleteAccountModel

        init(studio: Studio, offline: OfflineBannerModel) {
            self.studio = studio
            self.offline = offline
            let gate = studio.gate
            _model = State(initialValue: ProfileModel(service: studio.service, support: studio.support))
            _signingOut = State(
                initialValue: SignOutModel(service: studio.service, clearing: { try? await gate.clear() }))
            _deleting = State(
                initialValue: DeleteAccountModel(
                    service: studio.service, support: studio.support, clearing: { try? await gate.clear() }))
        }

        var body: some View {
            NavigationStack {
                Form {
                    if let user = model.user {
                        if let picture = user.picture.flatMap({ URL(string: $0) }) {
                            AsyncImage(url: picture) {
                                $0.resizable().scaledToFit()
                            } placeholder: {
                                ProgressView()
                            }
                            .frame(width: 64, height: 64)
                            .clipShape(.circle)
                        }
                        Text(user.name ?? user.email ?? user.subject)
                        if let email = user.email { Text(email).foregroundStyle(.secondary) }
                    }
                    ScreenStatus(screen: model)
                    Section {
                        if let devices = studio.devices {
                            NavigationLink("Devices") { SessionsView(source: devices, studio: studio) }
                        }
                        NavigationLink("Privacy") { ConsentView(studio: studio) }
                    }
                    Section {
                        Button {
                            Task { await signingOut.ask() }
                        } label: {
                            MessageText(.signOutTitle)
                        }
                        Button(role: .destructive) {
                            deleting.ask()
                        } label: {
                            MessageText(.deleteTitle)
                        }
                        .disabled(!offline.allowsChanges)
                    }
                }
                .refreshable { await model.refresh() }
            }
            .task { await model.follow() }
            .sheet(isPresented: isAsking) { SignOutDialog(model: signingOut) }
            .sheet(isPresented: isDeleting) { DeleteAccountView(model: deleting) }
        }

        private var isAsking: Binding<Bool> {
            Binding(get: { signingOut.isAsking }, set: { if !$0 { signingOut.cancel() } })
        }

        private var isDeleting: Binding<Bool> {
            Binding(get: { deleting.stage != .closed }, set: { if !$0 { deleting.cancel() } })
        }
    }
#endif
