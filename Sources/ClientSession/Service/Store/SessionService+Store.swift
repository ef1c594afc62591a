// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// What the machine wants of the store. A store that does not answer has failed, as far as anybody waits for it; what it
// does later is no surprise, since nothing else was asked of it meanwhile.
extension SessionService {
    private static let silence = SecureStoreError.unavailable(reason: "no answer in time")

    func ask(_ action: SessionAction) async {
        switch action {
        case .readStore(let call): await read(call)
        case .write(let kept, let call):
            // Nobody has been told yet of who signs in: what is another's goes once they have come.
            if core.withLock({ $0.machine.isUntold(call) }) {
                await claimLocalDataForFormer()
            } else {
                await claimLocalData(for: kept)
            }
            let isOutdated = Guarded(false)
            let failure = await attempt { service throws(SecureStoreError) in
                let outcome = try await service.write(kept, call)
                isOutdated.withLock { $0 = outcome == .outdated }
            }
            if isOutdated.value {
                post(.outdated(call))
                post(.storeChanged)
            } else {
                post(failure.map { .writeFailed(call, $0) } ?? .written(call))
            }
        case .erase(let family): await erase(family)
        case .keepStanding(let standing): _ = await attempt { service in await service.store.keep(standing) }
        case .beginLeaving(let asked):
            guard let leaving = await named(asked) else { return }
            core.withLock { $0.leaving = leaving }
            // Where that fails, erasing does too, which is reported and tried again.
            _ = await attempt { service throws(SecureStoreError) in try await service.store.begin(leaving) }
        case .keepStep(let step):
            var step = step
            let wasKept = core.withLock { core in
                // Whose session it may lead to is known in this process alone.
                if core.stepSubject != nil { step.lifetime = nil }
                defer { core.keepsStep = step.lifetime != nil }
                return core.keepsStep
            }
            // One that is not kept needs no room made for it where none was.
            guard step.lifetime != nil || wasKept else { return }
            let kept = KeptStep(backend: backend.name, keptAt: clock.now, step: step)
            _ = await attempt { service throws(SecureStoreError) in try await service.store.keep(kept) }
        case .forgetStep:
            guard core.withLock({ $0.keepsStep }) else { return }
            core.withLock { $0.keepsStep = false }
            _ = await attempt { service throws(SecureStoreError) in try await service.store.forgetStep() }
        case .endLeaving:
            // Not before the session is gone, and what is beside it.
            guard core.withLock({ $0.machine.unerased == nil && $0.machine.tellings.isEmpty }) else { return }
            _ = await attempt { service throws(SecureStoreError) in try await service.endLeaving() }
        default: break
        }
    }

    func attempt(
        _ body: @escaping @Sendable (SessionService) async throws(SecureStoreError) -> Void
    ) async -> SecureStoreError? {
        let outcome = await call { service -> SecureStoreError? in
            do throws(SecureStoreError) { try await body(service) } catch { return error }
            return nil
        }
        guard case .answer(let failure) = outcome else { return Self.silence }
        return failure
    }

    /// - Parameter late: gets an answer that comes when nobody waits for it any more.
    func call<Answer: Sendable>(
        _ body: @escaping @Sendable (SessionService) async -> Answer,
        late: @escaping @Sendable (SessionService, Answer) -> Void = { _, _ in }
    ) async -> StoreCalls.Outcome<Answer> {
        await storeCalls.call(within: SessionMachine.storeDeadline, by: clock) { [self] in
            await body(self)
        } late: { [weak self] answer in
            guard let self else { return }
            late(self, answer)
            // What failed meanwhile can be tried again.
            post(.storeUnlocked)
        }
    }

    private func read(_ call: StoreCallID) async {
        let outcome = await self.call { service -> StoreContents in
            await service.contents()
        } late: { service, contents in
            service.tell(call, contents)
        }
        switch outcome {
        case .answer(let contents): tell(call, contents)
        // It may be the user's to answer: the machine waits for it.
        case .overdue: break
        case .refused: post(.storeRead(call, .unreadable(Self.silence)))
        }
    }

    /// A step that was kept is answered once it is awaited, and not where somebody signs in meanwhile.
    private func tell(_ call: StoreCallID, _ contents: StoreContents) {
        let moment = moment
        let mustRun = core.withLock { core in
            let wasRestoring = core.machine.phase.isRestoring
            let mustRun = Self.post(.storeRead(call, contents), to: &core, at: moment)
            if wasRestoring, case .step(let step) = contents, case .awaiting = core.machine.phase {
                (core.step, core.stepSubject) = (step, nil)
            }
            return mustRun
        }
        if mustRun { run() }
    }

    /// Another process's note stays: what it is about may be kept there, and be cleared by its next start alone.
    private func endLeaving() async throws(SecureStoreError) {
        guard let own = core.withLock({ $0.leaving }) else { return }
        let noted = await store.leaving()
        if noted == nil || noted == own { try await store.endLeaving() }
        core.withLock { if $0.leaving == own { $0.leaving = nil } }
    }

    /// What is there, when everything is finished that a process which died has begun.
    private func contents() async -> StoreContents {
        let contents = await store.read()
        if case .nothing = contents, await store.asksAgain() { core.withLock { $0.asksAgain = true } }
        let (isOut, own) = core.withLock { ($0.machine.phase.session == nil, $0.leaving) }
        guard isOut else { return contents }
        guard let leaving = await store.leaving(), leaving != own else { return await awaited(instead: contents) }
        await finish(leaving)
        switch contents {
        case .nothing: return .left
        default: return contents
        }
    }

    /// Where there is no session: what is awaited still. One that is over is taken out.
    private func awaited(instead contents: StoreContents) async -> StoreContents {
        let isFirst = core.withLock { $0.machine.phase.isRestoring && $0.machine.attempt == nil }
        guard case .nothing = contents, isFirst else { return contents }
        guard let step = await store.keptStep(of: backend.name, at: clock.now) else {
            if (try? await store.store.read(.awaitedStep)) ?? nil != nil { try? await store.forgetStep() }
            return contents
        }
        core.withLock { $0.keepsStep = true }
        return .step(step)
    }

    private enum Written { case done, outdated }

    private func write(_ kept: KeptSession, _ call: StoreCallID) async throws(SecureStoreError) -> Written {
        let (own, isSignIn, isSeen) = core.withLock { core in
            let isSeen = core.machine.isRenewal(call) && core.seen == core.machine.generation
            core.seen = nil
            return (core.leaving, core.machine.isSignIn(call), isSeen)
        }
        // What another process has put there since would be lost, and what it has ended would be back. A refresh has
        // just looked, under the lock that it holds, and callers wait for it.
        if !isSeen, !isSignIn {
            let contents = await store.look()
            if core.withLock({ $0.machine.isOutdated(kept, call, by: contents) }) { return .outdated }
        }
        if !isSeen, let leaving = await store.leaving() {
            if leaving != own, leaving.family != kept.family { await finish(leaving) }
            if leaving.family == nil, await store.leaving() == leaving {
                let named = try await store.name(leaving)
                core.withLock { if $0.leaving == leaving { $0.leaving = named } }
            }
        }
        // Another process may be renewing what a sign-in replaces, and write it once more. What is written again later
        // ends nobody's: two processes would hold each other's session for over, and write their own in turns.
        let former = isSignIn ? await store.look() : .nothing
        try await store.write(kept)
        if isSignIn {
            core.withLock { $0.asksAgain = false }
            await store.forgetAskingAgain()
            try? await store.forgetStep()
            core.withLock { $0.keepsStep = false }
        }
        if let own, own.family != kept.family { try? await endLeaving() }
        if case .session(let former, _) = former, former.family != kept.family {
            core.withLock { $0.machine.note(overwritten: former) }
        }
        return .done
    }

    /// Where another user has come whom the store could not take, that names whose session the store holds, which is
    /// not always who was there before them: it may not have had room for that one either.
    ///
    /// - Returns: `nil` where a note says of that session already that it is over.
    private func named(_ leaving: Leaving) async -> Leaving? {
        guard leaving.keepsLocalData == nil else { return leaving }
        let contents = await call { await $0.store.look() }.answer
        if case .left? = contents { return nil }
        guard case .session(let kept, _)? = contents else { return leaving }
        let isOver = core.withLock { core in
            core.machine.ended.contains(kept.family)
                && !Subject.isSame(kept.user.subject, core.machine.phase.session?.user.subject)
        }
        return isOver ? Leaving(family: kept.family, subject: kept.user.subject) : leaving
    }

    private func erase(_ family: String?) async {
        // One that it took the place of is there where the store had no room for it.
        let ended = core.withLock { $0.machine.ended }
        let outcome = await call { service -> Result<KeptSession?, SecureStoreError> in
            do throws(SecureStoreError) {
                return .success(try await service.store.erase(family: family, orOneOf: ended))
            } catch { return .failure(error) }
        }
        switch outcome.answer ?? .failure(Self.silence) {
        case .success(let found): post(.erased(found: found))
        case .failure(let error): post(.eraseFailed(family: family, error))
        }
    }
}
