// swift-tools-version: 6.0
import PackageDescription

// The commit is passed by tools/agent-build; a build without it says nothing about its commit.
let commit = Context.environment["MACMETER_COMMIT"] ?? ""

let package = Package(
  name: "macmeter",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "macmeter", targets: ["macmeter"])],
  targets: [
    // zlib, present on every Mac and every Linux: uploads are gzipped.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // libcrypto, against which SHA-256 is measured on Linux; macOS has CryptoKit.
    .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
    // O_DIRECT, a macro that Swift cannot import.
    .target(name: "DirectIO"),
    // Loops that stay inside a core: assembly on arm64, C elsewhere.
    .target(name: "CoreKernels"),
    // Starting other programs, whose types Swift cannot bridge.
    .target(name: "CommandSpawn"),
    // The commit this binary was built from.
    .target(name: "BuildRecord", cSettings: [.define("MACMETER_COMMIT", to: "\"\(commit)\"")]),
    .target(
      name: "AgentKit",
      dependencies: [
        "CZlib", "DirectIO", "CoreKernels", "CommandSpawn", "BuildRecord",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ]),
    .executableTarget(name: "macmeter", dependencies: ["AgentKit"]),
    .testTarget(name: "AgentKitTests", dependencies: ["AgentKit"]),
  ]
)
