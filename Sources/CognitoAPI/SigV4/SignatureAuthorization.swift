// SPDX-License-Identifier: Apache-2.0

/// The `Authorization` header of a request signed with AWS Signature Version 4 (IAM User Guide, "Elements of an AWS API
/// request signature"):
/// `AWS4-HMAC-SHA256 Credential={key}/{date}/{region}/{service}/aws4_request, SignedHeaders={a;b}, Signature={hex}`.
struct SignatureAuthorization: Sendable, Equatable {
    static let algorithm = "AWS4-HMAC-SHA256"
    private static let terminator = "aws4_request"
    private static let limit = 4096

    let keyID: String
    /// `YYYYMMDD`
    let date: String
    let region: String
    let service: String
    /// Lower case, sorted, each once.
    let signedHeaders: [String]
    /// As it was sent; a right one is 64 hexadecimal digits.
    let signature: String

    /// `nil` for every other form.
    init?(_ header: String) {
        guard header.utf8.count <= Self.limit, header.hasPrefix(Self.algorithm + " ") else { return nil }
        var fields: [Substring: Substring] = [:]
        for field in header.dropFirst(Self.algorithm.count + 1).split(separator: ",") {
            let pair = field.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, fields.updateValue(pair[1], forKey: pair[0]) == nil else { return nil }
        }
        guard fields.count == 3, let credential = fields["Credential"], let headers = fields["SignedHeaders"],
            let signature = fields["Signature"]
        else { return nil }
        // The key's identifier comes first, and is all that may contain a slash.
        let scope = credential.split(separator: "/", omittingEmptySubsequences: false)
        guard scope.count >= 5, scope.suffix(4).allSatisfy({ !$0.isEmpty }), scope.last == Substring(Self.terminator)
        else { return nil }
        keyID = scope.dropLast(4).joined(separator: "/")
        date = String(scope[scope.count - 4])
        region = String(scope[scope.count - 3])
        service = String(scope[scope.count - 2])
        signedHeaders = headers.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        self.signature = String(signature)
        guard !keyID.isEmpty, signedHeaders.allSatisfy({ !$0.isEmpty && $0 == $0.lowercased() }),
            signedHeaders == signedHeaders.sorted(by: Self.precedes), Set(signedHeaders).count == signedHeaders.count
        else { return nil }
    }

    /// `{date}/{region}/{service}/aws4_request`
    var scope: String { [date, region, service, Self.terminator].joined(separator: "/") }

    /// In the order of the names' bytes.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
