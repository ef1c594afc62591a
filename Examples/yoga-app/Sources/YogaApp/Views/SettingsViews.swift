// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    /// The user's devices: this one first.
    struct SessionsView: View {
        @State private var model: SessionsModel

        init(source: any DeviceSessions, studio: Studio) {
            _model = State(
                initialValue: SessionsModel(source: source, service: studio.service, support: studio.support))
        }

        var body: some View {
            List {
                ForEach(model.sessions) { session in
                    HStack {
                        if let device = session.device { Text(device) }
                        if let label = session.label { MessageText(label).foregroundStyle(.secondary) }
                        Spacer()
                        if !session.isCurrent {
                            Button {
                                Task { await model.revoke(session) }
                            } label: {
                                MessageText(.sessionRevoke)
                            }
                            .disabled(model.isInProgress)
                        }
                    }
                }
                ScreenStatus(screen: model)
                Button {
                    Task { await model.revokeOthers() }
                } label: {
                    MessageText(.sessionRevokeOthers)
                }
                .disabled(!model.canRevokeOthers)
            }
            .task { await model.load() }
            .task { await model.follow() }
            .onDisappear { model.leave() }
        }
    }

    /// What may leave the device. Each switch shows what holds.
    struct ConsentView: View {
        @State private var model: ConsentModel

        init(studio: Studio) {
            _model = State(initialValue: ConsentModel(gate: studio.consent, support: studio.support))
        }

        var body: some View {
            Form {
                ForEach(ConsentModel.choices.indices, id: \.self) { index in
                    let choice = ConsentModel.choices[index]
                    Toggle(
                        isOn: Binding(
                            get: { model.consent[keyPath: choice.field] },
                            set: { value in Task { await model.set(choice.field, to: value) } })
                    ) { MessageText(choice.message) }
                }
                ScreenStatus(screen: model)
            }
        }
    }
#endif
