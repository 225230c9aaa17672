import Administration
import Base
import Document
import Foundation
import Measure

/// A validated `disk` command line.
struct DiskRequest {
  let path: String
  let plan: DiskPlan
  let images: [ImageRequest]
  let remounts: Bool
  let labels: [String: String]?

  static let planOptions = [
    Option(name: "sets", value: "N", help: "sets of 16 files from 2 MB to 2 GB, 5.33 GB per set (default: 5)"),
    Option(name: "quick", help: "one set of 11 files up to 200 MB, 0.53 GB; speeds by file size count with those of full runs, averages don't"),
    .seed, .blockSize,
    Option(name: "no-remount", help: "keep an external volume mounted between writing and reading"),
    Option(name: "rest", value: "SECONDS", help: "pause after writing each set (default: 0)"),
    Option(
      name: "image", value: "FORMAT,…", repeats: true,
      help: "measure a new disk image in PATH: raw, asif, sparsebundle or sparseimage"),
    Option(name: "image-encryption", value: "KIND", help: "none, aes128 or aes256 (default: none)"),
    Option(name: "image-size", value: "SIZE", help: "the image's capacity (default: what the run needs)"),
    Option(
      name: "image-states", value: "STATE,…", repeats: true,
      help: "new, part_filled (half full) or emptied (filled, then emptied), one run each (default: new)"),
  ]

  init(_ invocation: Invocation, _ world: World) throws {
    path = try InfoCommand.directory(invocation.operands.first ?? ".", world)
    let method = invocation.has("quick") ? GradedFiles.quick : .full
    if invocation.has("quick"), invocation.has("sets") {
      throw UsageError("--quick measures one set; leave out --sets")
    }
    plan = DiskPlan(
      method: method,
      sets: try invocation.integer("sets", in: 1...100) ?? method.defaultSets,
      seed: try invocation.seed(world),
      blockSize: try invocation.blockSize(),
      rest: try invocation.seconds("rest", upTo: 3600) ?? 0)
    labels = try invocation.labels(Preferences.read(world), world)
    remounts = !invocation.has("no-remount")
    images = try Self.images(invocation, needed: plan.bytes, world)
  }

  private static func images(_ invocation: Invocation, needed: Int, _ world: World) throws -> [ImageRequest] {
    let names = Self.words(invocation, "image")
    guard !names.isEmpty else {
      for option in ["image-encryption", "image-size", "image-states"] where invocation.has(option) {
        throw UsageError("--\(option) needs --image")
      }
      return []
    }
    let encryption = try encryption(invocation.text("image-encryption") ?? "none")
    let states = try states(Self.words(invocation, "image-states"))
    // Leave room for the file system's own tables, in whole gigabytes; twice that if half is to be
    // filled.
    let gigabytes = (needed + needed / 20 + 300_000_000 + 999_999_999) / 1_000_000_000
    let smallest = gigabytes * 1_000_000_000 * (states == [.new] ? 1 : 2)
    let capacity = try invocation.bytes("image-size") ?? smallest
    guard capacity >= smallest, capacity % 4096 == 0 || capacity == smallest else {
      throw UsageError("--image-size: this run needs at least \(Figures.bytes(smallest)), in multiples of 4 KiB")
    }
    return try names.flatMap { name in
      let format = ImageFormat(name)
      guard ImageFormat.known.contains(format) else {
        let known = ImageFormat.known.map(\.rawValue).joined(separator: ", ")
        throw UsageError("unknown image format \(name); use \(known)")
      }
      try DiskImage.check(format, encryption, world: world)
      return states.map { ImageRequest(format: format, encryption: encryption, capacity: capacity, state: $0) }
    }
  }

  private static func words(_ invocation: Invocation, _ option: String) -> [String] {
    invocation.texts(option).flatMap { $0.split(separator: ",").map(String.init) }
  }

  private static func states(_ names: [String]) throws -> [ImageState] {
    let known: [ImageState] = [.new, .partFilled, .emptied]
    for name in names where !known.contains(ImageState(name)) {
      throw UsageError("--image-states takes \(known.map(\.rawValue).joined(separator: ", ")), not \(name)")
    }
    return names.isEmpty ? [.new] : known.filter { names.contains($0.rawValue) }
  }

  private static func encryption(_ name: String) throws -> Encryption {
    switch name {
    case "none": .unencrypted
    case "aes128": .imageAES128
    case "aes256": .imageAES256
    default: throw UsageError("--image-encryption takes none, aes128 or aes256")
    }
  }

  /// One run, or one for each image and state.
  var plannedRuns: [PlannedRun] {
    images.isEmpty ? [plannedRun(nil)] : images.map(plannedRun)
  }

  private func plannedRun(_ image: ImageRequest?) -> PlannedRun {
    let place = image.map { "\($0.words) in \(path)" }
    let sets = plan.sets == 1 ? "1 set" : "\(plan.sets) sets"
    let fill = image?.fill ?? 0
    let filling = fill > 0 ? "Fills half of the image (\(Figures.bytes(fill))). " : ""
    return PlannedRun(
      title: ["disk", plan.method.name, image.map { "on \($0.words)" }].compactMap { $0 }
        .joined(separator: " "),
      announcement: filling + "Writes \(Figures.bytes(plan.bytes)) in \(plan.files.count) files (\(sets)) to "
        + "\(place ?? path), reads them back, then removes them. Seed \(plan.seed).",
      paths: [path], bytesWritten: plan.bytes + fill, bytesNeeded: image?.capacity ?? plan.bytes,
      bytesMoved: 2 * plan.bytes + fill, seconds: plan.rest * Double(plan.sets - 1), remounts: remounts && image == nil
    ) { context in
      let run = DiskRun(
        plan: plan, path: path, image: image, target: context.targets[0], frame: context.frame(),
        locks: context.locks, remounts: remounts, progress: context.progress(phases: fill > 0 ? 3 : 2))
      let result = try run.perform()
      return [MeasuredRun(
        document: result.document, ending: result.outcome.ending, figures: DiskReport.figures(result))]
    }
  }
}
