// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Apart from the main package, so that the peer it measures against is no dependency of Latchkey.
let package = Package(
    name: "token-bench",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "latchkey", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "CountAllocations"),
        .executableTarget(
            name: "token-bench",
            dependencies: [
                "CountAllocations", .product(name: "AuthTypes", package: "latchkey"),
                .product(name: "TokenVerifier", package: "latchkey"),
                .product(name: "JOSE", package: "latchkey"), .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        .executableTarget(
            name: "route-bench",
            dependencies: [
                .product(name: "HummingbirdTokenAuth", package: "latchkey"),
                .product(name: "TokenVerifier", package: "latchkey"), .product(name: "JOSE", package: "latchkey"),
                .product(name: "AuthTypes", package: "latchkey"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ]),
    ]
)
