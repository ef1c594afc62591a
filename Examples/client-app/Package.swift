// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// An app that signs its users in. `traits: []` leaves the server out: what is fetched is swift-crypto and swift-asn1.
let package = Package(
    name: "client-app",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(name: "latchkey", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "ClientApp", dependencies: [.product(name: "LatchkeyClient", package: "latchkey")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
