// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// What companions keep is one user's at a time, and whose it is is noted in the store: a session may have ended days
// and processes before another user comes.
extension SessionService {
    /// - Parameters:
    ///   - given: `nil` for what the store says that they chose.
    ///   - subject: whose; `nil` for whoever's is noted.
    func clearLocalData(_ given: SignOutOptions?, of subject: String?) async {
        var (options, subject) = (given ?? SignOutOptions(), subject)
        if subject == nil || given == nil, case .user(let note)? = await noted() {
            if given == nil { options.keepsLocalData = note.keeps(subject) }
            subject = subject ?? note.subject
        }
        // That it is kept is noted first: it is cleared for nobody while a companion takes its time.
        if options.keepsLocalData { await release(options, of: subject) }
        if await tellCompanions(options, of: subject), !options.keepsLocalData { await release(options, of: subject) }
    }

    private func release(_ options: SignOutOptions, of subject: String?) async {
        _ = await attempt { service throws(SecureStoreError) in
            try await service.store.release(localDataOf: subject, keeping: options.keepsLocalData)
        }
    }

    /// Those who have not come to an end with it in time, unless the user is back meanwhile.
    func tellAgain(_ unheard: Unheard) async {
        guard core.withLock({ $0.machine.isUnheard(unheard.subject) }),
            await tellCompanions(unheard.options, of: unheard.subject, among: unheard.companions)
        else { return }
        await release(unheard.options, of: unheard.subject)
        // Of data that was nobody knows whose, whoever came was not noted until it was cleared.
        let present = core.withLock { core -> KeptSession? in
            if case .storing = core.machine.phase { return nil }
            return core.machine.phase.session?.kept
        }
        if let present { await claimLocalData(for: present) }
    }

    /// Before a session is shown: what is another user's on the device goes, unless they chose to keep it. Where the
    /// store does not say whose it is, it is asked again when the session is written.
    func claimLocalData(for kept: KeptSession) async {
        guard core.withLock({ $0.claimed }) != kept.family, let noted = await noted() else { return }
        let subject = kept.user.subject
        var (former, next) = (LocalDataNote?.none, LocalDataNote(subject: subject))
        switch noted {
        case .user(let note):
            var uncleared: [String] = []
            for other in note.others(than: subject) {
                // Of whom they are told again anyway nobody waits for one more time.
                let isLater = note.isUncleared(other) && core.withLock { $0.machine.isUnheard(other) }
                let isCleared = isLater ? false : await tellCompanions(SignOutOptions(), of: other)
                if !isCleared { uncleared.append(other) }
            }
            (former, next) = (note, note.followed(by: subject, uncleared: uncleared))
        case .unreadable: guard await tellCompanions(SignOutOptions(), of: nil) else { return }
        case .nobody: break
        }
        let isNoted = former?.encoded == next.encoded
        let failure = await attempt { [next] service throws(SecureStoreError) in
            if !isNoted { try await service.store.note(next) }
        }
        if failure == nil { core.withLock { $0.claimed = kept.family } }
    }

    /// Before a session is stored in another user's place: where the store has not been told yet whose is on the
    /// device, it is now. A process that is killed once the session is stored leaves the next one nothing else to find
    /// them by.
    func claimLocalDataForFormer() async {
        let (former, claimed) = core.withLock { core in
            let present = core.machine.phase.session?.user.subject
            return (core.machine.replaced.last { !Subject.isSame($0.user.subject, present) }, core.claimed)
        }
        guard let former, claimed != former.family, let noted = await noted() else { return }
        // What they chose to keep in another process stays kept.
        if case .user(let note) = noted, Subject.isSame(note.subject, former.user.subject) { return }
        await claimLocalData(for: former)
    }

    /// What the user chose to keep, another process says: by its note of the sign-out, or by what it left.
    func followLeaving(of subject: String) async {
        core.withLock { $0.asksAgain = true }
        // One that is under way may be of who came after them.
        let leaving = await call { await $0.store.leaving() }.answer ?? nil
        let isTheirs = leaving?.subject.map { Subject.isSame($0, subject) } ?? (leaving != nil)
        var isKept = isTheirs && leaving?.keepsLocalData == true
        if !isTheirs || leaving?.keepsLocalData == nil, case .user(let note)? = await noted() {
            isKept = note.keeps(subject)
        }
        await tellCompanions(SignOutOptions(keepsLocalData: isKept), of: subject)
    }

    /// - Parameter places: of those who are told; `nil` for all.
    /// - Returns: whether they have done what they were told to. Who has not is told again.
    @discardableResult
    private func tellCompanions(
        _ options: SignOutOptions, of subject: String?, among places: [Int]? = nil
    ) async -> Bool {
        var late: [Int] = []
        for (place, companion) in companions.enumerated() where places?.contains(place) ?? true {
            let isDone = await patiently { await companion.sessionEnded(options, of: subject) }
            if !isDone { late.append(place) }
        }
        if !late.isEmpty {
            post(.unheard(Unheard(options: options, subject: subject, companions: late)))
        } else if core.withLock({ $0.machine.isUnheard(subject) }) {
            post(.heard(of: subject))
        }
        return late.isEmpty
    }

    /// - Returns: `nil` where the store can't say.
    private func noted() async -> LocalDataNote.Found? {
        let outcome = await call { service -> LocalDataNote.Found? in try? await service.store.localDataNote() }
        return outcome.answer ?? nil
    }

    // MARK: Asking again

    /// The next sign-in in a browser asks the user, whatever the browser remembers, after a restart too (H-5).
    func noteAskingAgain() async {
        core.withLock { $0.asksAgain = true }
        _ = await attempt { service throws(SecureStoreError) in try await service.store.keepAskingAgain() }
    }

    func asking(_ proof: SignInProof) -> SignInProof {
        guard case .browser(let provider, var options) = proof, core.withLock({ $0.asksAgain }) else { return proof }
        options.asksAgain = true
        return .browser(provider: provider, options: options)
    }
}
