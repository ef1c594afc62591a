// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A terminal app around the app's library. `traits: []` leaves the server out.
let package = Package(
    name: "yoga",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "latchkey", path: "../..", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "yoga",
            dependencies: [
                .product(name: "LatchkeyClient", package: "latchkey"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ]
)
