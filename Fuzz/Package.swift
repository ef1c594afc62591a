// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// A package of its own, of the same sources, whose every branch tells libFuzzer that it was taken. The cryptography
/// is left as it is. `scripts/fuzz` builds and runs it.
let watched: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer"]),
]

let package = Package(
    name: "latchkey-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "AuthTypes", swiftSettings: watched),
        .target(
            name: "JOSE",
            dependencies: [
                "AuthTypes", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: watched),
        // What answers of authenticators are judged by, with its insides: a reader of CBOR is not to be seen from
        // outside.
        .target(
            name: "Factors",
            dependencies: [
                "AuthTypes", "JOSE", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            sources: ["WebAuthn"], swiftSettings: watched + [.unsafeFlags(["-enable-testing"])]),
        .executableTarget(
            name: "latchkey-fuzz", dependencies: ["AuthTypes", "Factors", "JOSE"], swiftSettings: watched,
            linkerSettings: [
                .unsafeFlags(["-sanitize=fuzzer"]), .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
            ]),
    ]
)
