// SPDX-License-Identifier: Apache-2.0

/// The transport that an app has by itself: Apple's HTTP client on Apple's systems, and libcurl elsewhere.
///
/// Foundation's own client is not used elsewhere: an answer that ends inside its head ends the process there (ADR 0060).
#if canImport(Darwin)
    public typealias SystemTransport = URLSessionTransport
#else
    public typealias SystemTransport = CurlTransport
#endif
