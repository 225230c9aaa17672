import Base
import Foundation

/// How this program came to this machine, which decides how it is updated and removed.
package enum Installation: Equatable {
  case homebrew
  /// The installer package.
  case package
  /// That server's `install.sh`, below the folder `prefix`.
  case script(server: ServerAddress, prefix: String)
  /// Built from source, or copied.
  case other(program: String)

  /// Written by `install.sh`, relative to the folder that it installed in.
  private static let note = "share/macmeter/server"

  /// - Throws: if this program's own file can't be found.
  package static func find(_ world: World) throws -> Installation {
    let named = try ProgramFile.path(world)
    let program = world.resolve(named) ?? named
    if program.contains("/Cellar/") || program.contains("/homebrew/") { return .homebrew }
    let package = InstalledPackage(world: world)
    if package.files.contains(program), package.isInstalled { return .package }
    let prefix = ((program as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
    let noted = world.readText("\(prefix)/\(note)")?.trimmingCharacters(in: .whitespacesAndNewlines)
    if let server = noted.flatMap(ServerAddress.init) { return .script(server: server, prefix: prefix) }
    return .other(program: program)
  }

  /// The command that updates this program; nil if there is none.
  package var command: String? {
    switch self {
    case .homebrew: "brew upgrade macmeter"
    case .script: "macmeter update"
    case .package, .other: nil
    }
  }
}

/// The installer package on this Mac (agent/Packaging/build-pkg.sh).
package struct InstalledPackage {
  package static let identifier = "org.macmeter.agent"
  package let world: World

  package init(world: World) { self.world = world }

  package let files = [
    "/usr/local/bin/macmeter", "/usr/local/share/man/man1/macmeter.1",
    "/usr/local/share/zsh/site-functions/_macmeter", "/usr/local/share/bash-completion/completions/macmeter",
    "/usr/local/share/fish/vendor_completions.d/macmeter.fish",
  ]

  package var isInstalled: Bool { world.run("pkgutil", ["--pkg-info", Self.identifier], nil)?.status == 0 }
  package var isRemovable: Bool { geteuid() == 0 }

  package func remove() {
    for file in files { unlink(file) }
    _ = world.run("pkgutil", ["--forget", Self.identifier], nil)
  }
}
