// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

    import AuthTypes
    import CCurl

    /// One request on its way, and as much of its answer as is there. It stays on the thread of ``CurlExchanges``.
    final class CurlTransfer {
        private let request: HTTPRequest
        private let isEncrypted: Bool
        private let limit: Int
        let cancellation: CurlExchanges.Cancellation
        private var waiter: CheckedContinuation<CurlExchanges.Outcome, Never>?

        private var handle: UnsafeMutableRawPointer?
        private var fields: UnsafeMutablePointer<curl_slist>?
        private var head = CurlHead()
        private var body: [UInt8] = []
        private var isTooLarge = false

        init(
            _ request: HTTPRequest, isEncrypted: Bool, limit: Int, cancellation: CurlExchanges.Cancellation,
            waiter: CheckedContinuation<CurlExchanges.Outcome, Never>
        ) {
            self.request = request
            self.isEncrypted = isEncrypted
            self.limit = limit
            self.cancellation = cancellation
            self.waiter = waiter
        }

        deinit {
            if let handle { curl_easy_cleanup(handle) }
            curl_slist_free_all(fields)
        }

        /// - Returns: what libcurl is to carry out, which lives as long as this does. `nil` where it can't be set up.
        func begin() -> UnsafeMutableRawPointer? {
            guard let handle = curl_easy_init() else { return nil }
            self.handle = handle
            let milliseconds = min(max(1, request.timeout.microseconds / 1000), 86_400_000)
            let results = [
                latchkey_curl_set_string(handle, CURLOPT_URL, request.url), latchkey_curl_limit_to_http(handle),
                latchkey_curl_keep_sockets(handle),
                latchkey_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0),
                latchkey_curl_set_long(handle, CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
                latchkey_curl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1),
                latchkey_curl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 2),
                latchkey_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
                latchkey_curl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(milliseconds)),
                latchkey_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(min(milliseconds, 10_000))),
                latchkey_curl_set_long(handle, CURLOPT_NOSIGNAL, 1),
                latchkey_curl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
                // What does not leave the device, or would in the clear, is nobody else's to see.
                isEncrypted ? CURLE_OK : latchkey_curl_set_string(handle, CURLOPT_PROXY, ""),
                // Nothing but what is safe to ask twice goes where libcurl may do so by itself.
                latchkey_curl_set_long(handle, CURLOPT_FRESH_CONNECT, isSafe ? 0 : 1),
                setMethod(of: handle), setFields(of: handle),
                latchkey_curl_receive(
                    handle,
                    { CurlTransfer.received($0, $1 * $2, $3, CurlTransfer.take(line:)) },
                    { CurlTransfer.received($0, $1 * $2, $3, CurlTransfer.take(part:)) },
                    Unmanaged.passUnretained(self).toOpaque()),
            ]
            latchkey_curl_leave_resolver(handle)
            return results.allSatisfy { $0 == CURLE_OK } ? handle : nil
        }

        /// RFC 9110, section 9.2.1.
        private var isSafe: Bool { ["GET", "HEAD", "OPTIONS"].contains(request.method) }

        private func setMethod(of handle: UnsafeMutableRawPointer) -> CURLcode {
            if request.method == "HEAD" { return latchkey_curl_set_long(handle, CURLOPT_NOBODY, 1) }
            // One of these without a body says that its length is nothing (RFC 9110, section 8.6).
            if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
                let body = request.body.isEmpty ? [0] : request.body
                let result = body.withUnsafeBytes {
                    latchkey_curl_set_body(handle, $0.baseAddress, request.body.count)
                }
                guard result == CURLE_OK else { return result }
            }
            return latchkey_curl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
        }

        private func setFields(of handle: UnsafeMutableRawPointer) -> CURLcode {
            // To libcurl a name and a colon alone are a field to be left out, and a semicolon in its place an empty
            // one.
            var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
            lines.append("Expect:")
            if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                lines.append("Content-Type:")
            }
            for line in lines {
                guard let longer = curl_slist_append(fields, line) else { return CURLE_OUT_OF_MEMORY }
                fields = longer
            }
            return latchkey_curl_set_list(handle, CURLOPT_HTTPHEADER, fields)
        }

        // MARK: The answer

        private static func received(
            _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
            _ take: (CurlTransfer) -> (UnsafeRawBufferPointer) -> Bool
        ) -> Int {
            // Set with the function itself, by a transfer that outlives its handle.
            guard let context else { return 0 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            // Anything but its count breaks the transfer off.
            return take(transfer)(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : count &+ 1
        }

        private func take(line: UnsafeRawBufferPointer) -> Bool {
            isTooLarge = !head.take(line: line)
            return !isTooLarge
        }

        private func take(part: UnsafeRawBufferPointer) -> Bool {
            isTooLarge = part.count > limit - body.count
            if !isTooLarge { body.append(contentsOf: part) }
            return !isTooLarge
        }

        func outcome(_ result: CURLcode) -> CurlExchanges.Outcome {
            if isTooLarge { return .failure(.tooLarge) }
            if let error = TransportError(result) { return .failure(error) }
            // To libcurl a head that ends in its midst is one.
            guard head.isComplete, let handle else { return .failure(.interrupted) }
            return .success(
                HTTPResponse(
                    status: latchkey_curl_response_code(handle), headers: head.fields, body: body))
        }

        /// Tells whoever waits, once, and takes the transfer from libcurl.
        func end(_ outcome: CurlExchanges.Outcome, in multi: UnsafeMutableRawPointer? = nil) {
            waiter?.resume(returning: outcome)
            waiter = nil
            if let multi, let handle { curl_multi_remove_handle(multi, handle) }
        }
    }

#endif
