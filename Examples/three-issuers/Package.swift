// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "three-issuers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "latchkey", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "ThreeIssuers",
            dependencies: [
                .product(name: "HummingbirdTokenAuth", package: "latchkey"),
                .product(name: "TokenVerifier", package: "latchkey"),
                .product(name: "AuthTypes", package: "latchkey"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
