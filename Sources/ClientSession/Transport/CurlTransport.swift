// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

    import AuthTypes

    /// HTTP/1.1 and HTTP/2 by libcurl, for systems other than Apple's: no redirect, no cookie, no cache, no stored
    /// credential, TLS 1.2 or later to whom the system's authorities vouch for. A proxy of the environment's
    /// (`https_proxy`) is asked for what is encrypted, and for nothing else.
    ///
    /// Only what may be repeated without harm (RFC 9110, section 9.2.1) goes on a connection that was kept: libcurl
    /// asks again, and tells nobody, where a kept one turns out to be over.
    public final class CurlTransport: HTTPTransport {
        private let exchanges: CurlExchanges

        /// - Parameter limit: the longest answer that is read, in bytes. Its fields may be 128 KiB beside that.
        public init(limit: Int = 16 << 20) {
            exchanges = CurlExchanges(limit: limit)
        }

        public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            guard let origin = ServiceOrigin(of: request.url), request.isWritable else { throw .invalidRequest }
            // Before any byte leaves (F-8).
            guard origin.isSecure else { throw .insecure }
            return try await exchanges.outcome(of: request, isEncrypted: origin.scheme == "https").get()
        }
    }

#endif
