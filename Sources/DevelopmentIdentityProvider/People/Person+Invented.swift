// SPDX-License-Identifier: Apache-2.0

extension Person {
    /// A few people with an account at each vendor's, who differ in what the vendor says of their address. They are the
    /// same after each start.
    static func invented(at vendor: Vendor) -> [Person] {
        var people = [
            Person(
                subject: subject(1, at: vendor), email: "ada@example.com", isEmailVerified: true,
                hostedDomain: "example.com", isDomainOwnerVerified: true, givenName: "Ada", familyName: "Lind"),
            // A verified address that the vendor is no authority for.
            Person(
                subject: subject(2, at: vendor), email: "bruno@example.net", isEmailVerified: true,
                tenant: consumers, givenName: "Bruno", familyName: "Costa"),
            Person(subject: subject(3, at: vendor), email: "chen@example.org", givenName: "Chen", familyName: "Wei"),
            // Who has signed up here already, in development mode.
            Person(
                subject: subject(4, at: vendor), email: "demo@example.com", isEmailVerified: true,
                hostedDomain: "example.com", isDomainOwnerVerified: true, givenName: "Demo", familyName: "User"),
        ]
        if vendor == .apple {
            people[1].email = "k7x2v9qwme@privaterelay.appleid.com"
            people[2].isEmailVerified = true
        } else {
            people.append(Person(subject: subject(5, at: vendor), givenName: "Noor"))
        }
        return people
    }

    /// In the vendor's own form.
    private static func subject(_ number: Int, at vendor: Vendor) -> String {
        switch vendor {
        case .google: "10000000000000000000\(number)"
        case .apple: "00000\(number).0f1e2d3c4b5a69788796a5b4c3d2e1f0.000\(number)"
        case .microsoft: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbt\(number)Q"
        case .openID: "user-\(number)"
        case .gitHub: "900000\(number)"
        case .facebook: "1000000000000\(number)"
        }
    }
}
