// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

    import CCurl

    extension TransportError {
        /// What libcurl says, as far as a caller acts by it. `nil` where it says that all is well.
        init?(_ result: CURLcode) {
            switch result {
            case CURLE_OK: return nil
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: self = .offline
            case CURLE_OPERATION_TIMEDOUT: self = .timedOut
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
                self = .untrusted
            case CURLE_URL_MALFORMAT: self = .invalidRequest
            // A client's certificate is wanted; older headers have no name for it.
            case CURLcode(rawValue: 98): self = .untrusted
            // libcurl's words for a head that is longer than it reads, the older one and `CURLE_TOO_LARGE`.
            case CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100): self = .tooLarge
            // An answer in a protocol that is none among the others: the request was one.
            default: self = .interrupted
            }
        }
    }

#endif
