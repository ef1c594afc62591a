// SPDX-License-Identifier: Apache-2.0

// Foundation's own client is not used elsewhere: an answer that ends inside its head ends the process there (ADR 0060).
#if canImport(Darwin)
    /// The transport that an app has by itself: Apple's HTTP client.
    public typealias SystemTransport = URLSessionTransport
#else
    /// The transport that an app has by itself: libcurl.
    public typealias SystemTransport = CurlTransport
#endif
