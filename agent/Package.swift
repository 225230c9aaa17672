// swift-tools-version: 6.0
import PackageDescription

// tools/agent-build passes the commit; other builds record none.
let commit = Context.environment["MACMETER_COMMIT"] ?? ""

// Targets that measure nothing are optimised for size: several targets would otherwise make a
// larger program than one.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
// Parser tests run on thousands of truncated outputs: optimised, they take a quarter less time.
let fast: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Dependencies point one way: a target imports only targets listed above it, and only those it
// declares. An undeclared import fails the build (tools/swift).
let package = Package(
  name: "macmeter",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "macmeter", targets: ["macmeter"])],
  targets: [
    // zlib, present on every Mac and Linux: uploads are gzipped.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // libcrypto, used to measure SHA-256 on Linux; macOS has CryptoKit.
    .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
    // O_DIRECT, a macro that Swift can't import.
    .target(name: "DirectIO"),
    // Loops that stay inside a core: assembly on arm64, C elsewhere.
    .target(name: "CoreKernels"),
    // Spawning other programs, because Swift can't bridge posix_spawn's types.
    .target(name: "CommandSpawn"),
    // Threads of this process, whose headers differ between SDKs.
    .target(name: "OwnThreads"),
    // A wrapper that stops Foundation on Linux from keeping a core busy while libcurl waits.
    .target(name: "SocketPolling"),
    // The commit this binary was built from.
    .target(name: "BuildRecord", cSettings: [.define("MACMETER_COMMIT", to: "\"\(commit)\"")]),

    // The world outside this program, and what every target needs from it: terminal, files, locks,
    // HTTP.
    .target(
      name: "Base", dependencies: [.target(name: "SocketPolling", condition: .when(platforms: [.linux]))],
      swiftSettings: small),
    // The run document's model, and every name in it.
    .target(name: "Document", dependencies: ["BuildRecord"], swiftSettings: small),
    // Formats that tools write: JSON, property lists, labelled lines, quantities.
    .target(name: "Formats", dependencies: ["Base", "Document"], swiftSettings: fast),
    // Readers for each macOS tool.
    .target(name: "MacTools", dependencies: ["Base", "Document", "Formats"], swiftSettings: fast),
    // State kept on this machine: its identity, the spool, the server it knows.
    .target(name: "LocalState", dependencies: ["Base", "Document"], swiftSettings: small),
    // Facts about this machine and the storage under test.
    .target(
      name: "Machine", dependencies: ["Base", "Document", "Formats", "LocalState", "MacTools"], swiftSettings: small),
    // Administration: preferences, and jobs of the system's scheduler.
    .target(name: "Administration", dependencies: ["Base", "Document", "Formats", "LocalState"], swiftSettings: small),
    // The server client: sending runs and enrolling.
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
    // Imports: other tools' results as documents.
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
