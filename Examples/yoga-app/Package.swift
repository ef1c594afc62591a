// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The screens of a yoga studio's app. On Linux only what is no view is compiled. `traits: []` leaves the server out.
let package = Package(
    name: "yoga-app",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [.library(name: "YogaApp", targets: ["YogaApp"])],
    dependencies: [.package(name: "latchkey", path: "../..", traits: [])],
    targets: [
        .target(
            name: "YogaApp", dependencies: [.product(name: "LatchkeyClient", package: "latchkey")],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")])
    ]
)
