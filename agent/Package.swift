// swift-tools-version: 6.0
import PackageDescription

// The commit is passed by tools/agent-build; a build without it says nothing about its commit.
let commit = Context.environment["MACMETER_COMMIT"] ?? ""

// For what measures nothing: several targets would otherwise make a larger program than one.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
// Parsers are tested on thousands of outputs that are cut anywhere: optimised, they take a quarter less time.
let fast: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

// One direction: a target imports what stands above it here, and of that only what it names. An import
// that is not declared fails the build (tools/swift).
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
    // Threads of this process, of which headers differ between SDKs.
    .target(name: "OwnThreads"),
    // Between Foundation and libcurl on Linux, which would wait for a server on a busy core.
    .target(name: "SocketPolling"),
    // The commit this binary was built from.
    .target(name: "BuildRecord", cSettings: [.define("MACMETER_COMMIT", to: "\"\(commit)\"")]),

    // The world outside this program, and what every part needs of it: terminal, files, locks, HTTP.
    .target(
      name: "Base", dependencies: [.target(name: "SocketPolling", condition: .when(platforms: [.linux]))],
      swiftSettings: small),
    // What a run document says, and every name in it.
    .target(name: "Document", dependencies: ["BuildRecord"], swiftSettings: small),
    // How tools write: JSON, property lists, labelled lines, quantities.
    .target(name: "Formats", dependencies: ["Base", "Document"], swiftSettings: fast),
    // How each tool of macOS is read.
    .target(name: "MacTools", dependencies: ["Base", "Document", "Formats"], swiftSettings: fast),
    // What the agent keeps on this machine: its identity, the spool, the server it knows.
    .target(name: "LocalState", dependencies: ["Base", "Document"], swiftSettings: small),
    // What this machine and the storage under test are.
    .target(
      name: "Machine", dependencies: ["Base", "Document", "Formats", "LocalState", "MacTools"], swiftSettings: small),
    // What an administrator lays down: preferences, and jobs of the system's scheduler.
    .target(name: "Administration", dependencies: ["Base", "Document", "Formats", "LocalState"], swiftSettings: small),
    // The server: sending runs and enrolling.
    .target(
      name: "Upload", dependencies: ["Administration", "Base", "CZlib", "Document", "Formats", "LocalState"],
      swiftSettings: small),
    // Runs, from the plan to the document.
    .target(
      name: "Measure",
      dependencies: [
        "Base", "CZlib", "CommandSpawn", "CoreKernels", "DirectIO", "Document", "Formats", "LocalState", "MacTools", "Machine", "OwnThreads",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ]),
    // What other tools measured, as documents.
    .target(name: "Imports", dependencies: ["Base", "Document", "Formats", "MacTools"], swiftSettings: small),
    // The command line.
    .target(
      name: "Commands",
      dependencies: ["Administration", "Base", "Document", "Imports", "LocalState", "Machine", "Measure", "Upload"],
      swiftSettings: small),
    .executableTarget(name: "macmeter", dependencies: ["Base", "Commands"]),

    // Worlds, captures and examples that tests share.
    .target(name: "TestSupport", dependencies: ["Base", "Document", "Imports", "MacTools"], path: "Tests/TestSupport"),
    .testTarget(name: "BaseTests", dependencies: ["Base", "Document"]),
    .testTarget(name: "DocumentTests", dependencies: ["Document", "TestSupport"]),
    .testTarget(name: "MacToolsTests", dependencies: ["Document", "Formats", "MacTools", "TestSupport"]),
    .testTarget(name: "LocalStateTests", dependencies: ["Base", "LocalState", "TestSupport"]),
    .testTarget(name: "MachineTests", dependencies: ["Base", "Document", "Formats", "MacTools", "Machine", "TestSupport"]),
    .testTarget(name: "UploadTests", dependencies: ["Base", "Document", "LocalState", "TestSupport", "Upload"]),
    .testTarget(
      name: "MeasureTests",
      dependencies: ["Base", "Document", "LocalState", "MacTools", "Measure", "TestSupport", "Upload"]),
    .testTarget(name: "ImportsTests", dependencies: ["Base", "Document", "Imports", "MacTools", "TestSupport"]),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "Administration", "Base", "Commands", "Document", "Formats", "LocalState", "MacTools", "Machine", "Measure", "TestSupport",
        "Upload",
      ]),
  ]
)
