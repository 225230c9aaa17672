import Base
import Document
import Formats
import Foundation

/// An administrator's settings for this machine. Managed preferences override the command line,
/// which overrides local ones.
package struct Preferences: Equatable, Sendable {
  package static let domain = "org.macmeter.agent"

  package var server: ServerAddress?
  package var secret: String?
  /// The administrator has accepted the server's terms.
  package var accept = false
  package var schedule: Schedule.Interval?
  /// What scheduled runs measure.
  package var suites = ["disk"]
  /// Whether scheduled runs are the quick ones, which write little.
  package var quick = false
  package var bytesPerWeek: Int?
  package var labels: [String: String] = [:]
  /// The fleet's name for this machine.
  package var name: String?
  /// The file that each of these settings comes from, by name.
  private var places: [String: String] = [:]
  /// The file that sets each label.
  private var labelPlaces: [String: Place] = [:]
  /// Settings that can't be overridden here, by name, with the file that sets them.
  package private(set) var managed: [String: String] = [:]

  package init(
    server: ServerAddress? = nil, secret: String? = nil, accept: Bool = false,
    schedule: Schedule.Interval? = nil, bytesPerWeek: Int? = nil, labels: [String: String] = [:],
    name: String? = nil, managed: [String: String] = [:]
  ) {
    self.server = server
    self.secret = secret
    self.accept = accept
    self.schedule = schedule
    self.bytesPerWeek = bytesPerWeek
    self.labels = labels
    self.name = name
    self.managed = managed
  }

  /// A file of preferences.
  package struct Place: Equatable, Sendable {
    package let path: String
    let isManaged: Bool

    package init(path: String, isManaged: Bool) {
      self.path = path
      self.isManaged = isManaged
    }
  }

  /// Lowest precedence first.
  static func places(_ system: SystemKind) -> [Place] {
    switch system {
    case .macOS:
      [
        Place(path: "/Library/Preferences/\(domain).plist", isManaged: false),
        Place(path: "/Library/Managed Preferences/\(domain).plist", isManaged: true),
      ]
    case .linux: [Place(path: "/etc/macmeter/preferences.json", isManaged: true)]
    }
  }

  package static func read(_ world: World, from places: [Place]? = nil) throws -> Preferences {
    var preferences = Preferences()
    for place in places ?? Self.places(world.system) {
      guard let data = try contents(place.path, world) else { continue }
      guard case .dictionary(let entries)? = ToolValue(data) else {
        throw PreferencesError("\(place.path) is not a valid list of preferences; write it as docs/fleet-deployment.md shows")
      }
      for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
        try preferences.take(name, value, place)
      }
    }
    return preferences
  }

  /// Names and their file ("server and secret in FILE"), for errors found only when they are used.
  package func origin(of names: [String]) -> String {
    let places = Set(names.compactMap { self.places[$0] }).sorted().joined(separator: " and ")
    return "\(names.joined(separator: " and ")) in \(places)"
  }

  /// Throw if `option` would change a managed setting.
  package func refuse(_ option: String, against name: String) throws {
    guard let place = managed[name] else { return }
    throw UsageError("--\(option) can't be used here: your administrator has set \(name) in \(place)")
  }

  /// Labels from the command line and from here; the command line overrides local preferences.
  /// - Parameter privateNames: names of the user and the host, which no label may contain.
  package func labels(with given: [String: String], privateNames: [String] = []) throws -> [String: String] {
    var all = given
    for (key, value) in labels.sorted(by: { $0.key < $1.key }) {
      guard let place = labelPlaces[key] else { continue }
      guard given[key] == nil else {
        if place.isManaged { try refuse("label \(key)", against: "labels") }
        continue
      }
      if let name = Labels.privateName(in: key, privateNames) ?? Labels.privateName(in: value, privateNames) {
        throw PreferencesError(
          "labels in \(place.path): \(key)=\(value) contains \(name), the name of this user or host, and would be public")
      }
      all[key] = value
    }
    guard all.count <= Labels.most else {
      let places = Set(labelPlaces.values.map(\.path)).sorted().joined(separator: " and ")
      throw PreferencesError("labels in \(places): \(all.count) with those of the command line; at most \(Labels.most) are allowed")
    }
    return all
  }

  private static func contents(_ path: String, _ world: World) throws -> Data? {
    let path = path as NSString
    guard world.list(path.deletingLastPathComponent).contains(path.lastPathComponent) else { return nil }
    let unreadable = PreferencesError("cannot read \(path): it must be readable by every user")
    guard path.pathExtension == "plist" else {
      guard let text = world.readText(path as String) else { throw unreadable }
      return Data(text.utf8)
    }
    // Profiles are installed as binary property lists.
    guard let result = world.run("plutil", ["-convert", "xml1", "-o", "-", path as String], nil),
      result.status == 0
    else { throw unreadable }
    return result.output
  }

  private mutating func take(_ name: String, _ value: ToolValue, _ place: Place) throws {
    func wrong(_ wish: String) -> PreferencesError {
      PreferencesError("\(name) in \(place.path): \(wish)")
    }
    switch name {
    case "server":
      guard let address = value.text.flatMap({ ServerAddress($0) }) else {
        throw wrong("give a server's address such as https://example.org")
      }
      server = address
    case "secret":
      guard let text = value.text, HTTPRequest.isHeaderSafe(text) else {
        throw wrong("give the fleet's secret, without spaces")
      }
      secret = text
    case "accept":
      guard case .bool(let agreed) = value else { throw wrong("give true or false") }
      accept = agreed
    case "schedule":
      guard let interval = value.text.flatMap({ Schedule.Interval(rawValue: $0) }) else {
        throw wrong("give day or week")
      }
      schedule = interval
    case "suites":
      let names = value.items.compactMap(\.text)
      guard !names.isEmpty, names.count == value.items.count, names.allSatisfy(Schedule.suites.contains) else {
        throw wrong("give a list of suites: \(Schedule.suites.joined(separator: ", "))")
      }
      suites = names
    case "quick":
      guard case .bool(let isQuick) = value else { throw wrong("give true or false") }
      quick = isQuick
    case "bytes_per_week":
      let bytes = value.text.flatMap { ByteCount.read($0) } ?? value.bytes
      guard let bytes, bytes > 0 else { throw wrong("give a size such as \"100GB\", or a number of bytes") }
      bytesPerWeek = bytes
    case "labels":
      guard case .dictionary(let entries) = value else { throw wrong("give names with their values") }
      for (key, value) in entries {
        guard documentText(key) == key, !key.contains("=") else {
          throw wrong("a label's name is up to 256 characters without =, not \(documentText(key) ?? "nothing")")
        }
        guard case .string(let text) = value, documentText(text) == text else {
          throw wrong("the label \(key) needs a text of up to 256 characters, without spaces around it")
        }
        labels[key] = text
        labelPlaces[key] = place
      }
    case "name":
      guard let text = value.text, Self.isName(text) else {
        throw wrong("give a name of up to \(Self.longestName) characters on one line")
      }
      self.name = text
    default:
      throw wrong("there is no such preference; use \(Self.names.joined(separator: ", "))")
    }
    places[name] = place.path
    if place.isManaged { managed[name] = place.path }
  }

  package static let names = ["server", "secret", "accept", "schedule", "suites", "quick", "bytes_per_week", "labels", "name"]
  package static let longestName = 60

  /// Whether the server takes this as a machine's name.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.count <= longestName
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

/// An invalid preference, with its name and file.
struct PreferencesError: Error, CustomStringConvertible, Equatable {
  let description: String
  init(_ description: String) { self.description = description }
}
