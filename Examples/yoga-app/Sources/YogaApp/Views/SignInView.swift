// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    struct SignInView: View {
        private let studio: Studio
        @State private var model: SignInModel
        @State private var isSigningUp = false
        @State private var reset: ResetRequestModel?
        /// What the service wants next, while its screen is there. That screen follows what is wanted after it.
        @State private var asked: Awaited?

        init(studio: Studio) {
            self.studio = studio
            _model = State(
                initialValue: SignInModel(
                    service: studio.service, failures: studio.failures, support: studio.support
                ) { _ in })
        }

        var body: some View {
            NavigationStack {
                Form {
                    if let reason = model.reason { MessageText(reason) }
                    TextField("Email", text: $model.identifier)
                        .textContentType(.username)
                        .autocorrectionDisabled()
                    SecureField("Password", text: $model.password)
                        .textContentType(.password)
                    ScreenStatus(screen: model)
                    if let page = model.terms?.page, let link = URL(string: page) {
                        Link(destination: link) { MessageText(UserMessage(.wayTerms)) }
                    }
                    Button("Sign in") { Task { await model.submit() } }
                        .disabled(!model.canSubmit)
                    Section {
                        ForEach(studio.kits, id: \.provider) { kit in
                            Button("Sign in with \(kit.provider.capitalized)") {
                                Task { await model.signIn(by: kit, random: SystemRandomSource()) }
                            }
                        }
                        ForEach(studio.pages, id: \.self) { provider in
                            Button("Sign in with \(provider.capitalized)") {
                                Task { await model.signIn(provider: provider) }
                            }
                        }
                    }
                    .disabled(model.isInProgress)
                    Section {
                        Button("New here?") { isSigningUp = true }
                        Button("Forgot the password?") { reset = model.forgottenPassword() }
                    }
                }
                .navigationDestination(isPresented: $isSigningUp) { SignUpView(studio: studio) }
                .navigationDestination(isPresented: isResetting) {
                    if let reset { ResetView(studio: studio, model: reset) }
                }
                .navigationDestination(item: $asked) { asked in StepView(studio: studio, awaited: asked) }
            }
            // After a restart too: a step outlives the app. A sign-up has a screen of its own for it.
            .onChange(of: awaited, initial: true) { _, now in
                if let now, asked == nil, !isSigningUp { asked = now }
            }
            .onChange(of: asked) { _, now in if now == nil { Task { await studio.service.abandonStep() } } }
            .onDisappear { model.leave() }
        }

        private var isResetting: Binding<Bool> {
            Binding(get: { reset != nil }, set: { if !$0 { reset = nil } })
        }

        private var awaited: Awaited? {
            guard case .awaiting(let step) = studio.session.state else { return nil }
            return Awaited(step: step, identifier: step.identifier ?? model.identifier)
        }
    }

    /// What the service wants next, of whom.
    struct Awaited: Hashable {
        let step: AwaitedStep
        let identifier: String

        static func == (one: Self, other: Self) -> Bool {
            one.step.kind == other.step.kind && one.identifier == other.identifier
        }
        func hash(into hasher: inout Hasher) { hasher.combine(step.kind) }
    }
#endif
