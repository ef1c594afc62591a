// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Apart from the main package, so that the app's library is measured optimised as an app builds it, without the server
/// (`traits: []`), and so that the big integers it is measured against are no dependency of Latchkey's apps.
let package = Package(
    name: "client-bench",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "latchkey", path: "../..", traits: []),
        .package(url: "https://github.com/attaswift/BigInt", from: "6.0.1"),
    ],
    targets: [
        .systemLibrary(name: "CBigNumber", pkgConfig: "libcrypto"),
        .executableTarget(
            name: "client-bench",
            dependencies: [
                "CBigNumber", .product(name: "LatchkeyClient", package: "latchkey"),
                .product(name: "BigInt", package: "BigInt"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]),
    ]
)
