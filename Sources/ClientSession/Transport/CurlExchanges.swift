// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

    import AuthTypes
    import CCurl
    import Foundation

    /// The requests of a ``CurlTransport`` that are under way. One thread carries all of them, as long as there are
    /// any; the connections that are kept outlive it.
    final class CurlExchanges: Sendable {
        typealias Outcome = Result<HTTPResponse, TransportError>

        /// One request, until the thread has it.
        private struct Waiting: Sendable {
            let request: HTTPRequest
            let isEncrypted: Bool
            let cancellation: Cancellation
            let waiter: CheckedContinuation<Outcome, Never>
        }

        private struct State {
            var waiting: [Waiting] = []
            var hasThread = false
        }

        final class Cancellation: Sendable {
            private let flag = AtomicFlag()
            var isRequested: Bool { flag.load() }
            func request() { flag.store(true) }
        }

        private let limit: Int
        private let state = Guarded(State())
        /// Unchecked, since libcurl's handles are for one thread at a time. That is the one that ``State/hasThread``
        /// stands for: it is set before a thread begins and unset, under the same lock, as the last thing that it does,
        /// and everything but `curl_multi_wakeup`, which any thread may call, is called by it. `deinit` runs when
        /// neither a thread nor a request has hold of this any more. It is never replaced.
        nonisolated(unsafe) private let multi: UnsafeMutableRawPointer?

        /// libcurl wants to be set up once, before any thread uses it.
        private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

        init(limit: Int) {
            self.limit = limit
            multi = Self.isReady ? curl_multi_init() : nil
            // How many connections are kept when nothing is asked.
            if let multi { latchkey_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 8) }
        }

        deinit {
            if let multi { curl_multi_cleanup(multi) }
        }

        /// Sends the request and collects its answer. A task that is cancelled breaks it off.
        func outcome(of request: HTTPRequest, isEncrypted: Bool) async -> Outcome {
            guard multi != nil else { return .failure(.offline) }
            let cancellation = Cancellation()
            return await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    let waiting = Waiting(
                        request: request, isEncrypted: isEncrypted, cancellation: cancellation, waiter: waiter)
                    let needsThread = state.withLock { state in
                        state.waiting.append(waiting)
                        defer { state.hasThread = true }
                        return !state.hasThread
                    }
                    if needsThread { Thread.detachNewThread { self.run() } } else { wakeUp() }
                }
            } onCancel: {
                cancellation.request()
                wakeUp()
            }
        }

        private func wakeUp() {
            if let multi { curl_multi_wakeup(multi) }
        }

        // MARK: On the thread

        private func run() {
            Self.blockBrokenPipes()
            guard let multi else { return }
            var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
            while let waiting = next(isIdle: transfers.isEmpty) {
                for one in waiting {
                    let transfer = CurlTransfer(
                        one.request, isEncrypted: one.isEncrypted, limit: limit, cancellation: one.cancellation,
                        waiter: one.waiter)
                    guard !one.cancellation.isRequested else {
                        transfer.end(.failure(.cancelled))
                        continue
                    }
                    guard let handle = transfer.begin(), curl_multi_add_handle(multi, handle) == CURLM_OK else {
                        transfer.end(.failure(.invalidRequest))
                        continue
                    }
                    transfers[handle] = transfer
                }
                for (handle, transfer) in transfers where transfer.cancellation.isRequested {
                    transfers[handle] = nil
                    transfer.end(.failure(.cancelled), in: multi)
                }
                var count: Int32 = 0
                var isWorking = curl_multi_perform(multi, &count) == CURLM_OK
                while let message = curl_multi_info_read(multi, &count) {
                    guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                        let transfer = transfers.removeValue(forKey: handle)
                    else { continue }
                    transfer.end(transfer.outcome(message.pointee.data.result), in: multi)
                }
                if isWorking, !transfers.isEmpty {
                    // Woken up by whoever asks or cancels, and by libcurl's own deadlines.
                    isWorking = curl_multi_poll(multi, nil, 0, 60_000, nil) == CURLM_OK
                }
                guard !isWorking else { continue }
                // The system gives libcurl nothing to wait with; whoever asks next begins anew.
                for transfer in transfers.values { transfer.end(.failure(.interrupted), in: multi) }
                transfers = [:]
            }
        }

        /// What has come to be sent. `nil` once there is nothing and nobody waits for anything: the thread is over.
        private func next(isIdle: Bool) -> [Waiting]? {
            state.withLock { state in
                if isIdle, state.waiting.isEmpty {
                    state.hasThread = false
                    return nil
                }
                defer { state.waiting = [] }
                return state.waiting
            }
        }

        /// A connection that ends while TLS writes to it is an error of that request. Its signal would end the app; it
        /// stays with this thread.
        private static func blockBrokenPipes() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }

#endif
