import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Commands
@testable import Document

/// Macs assembled from captured output, as far as it goes, up to whole documents.
@Suite(Captures.counted)
struct CapturedMacTests {
  private static let kernel = "sysctl hw hw.model machdep.cpu.brand_string sysctl.proc_translated kern.hv_vmm_present vm.loadavg"
  private static let hardware = "system_profiler -json -detailLevel mini SPHardwareDataType"
  private static let pmgr = "ioreg -w0 -rn pmgr"

  struct Assembled: Sendable {
    var chip: String?
    var tiers: [String]?
    var isVirtual = false
    var files: [String: String]
  }

  private static let macs = [
    Assembled(
      chip: "Apple M1", tiers: ["Performance", "Efficiency"],
      files: [
        kernel: "sysctl/Hehongyuanlove__m1air_14.3_sysctl_hw.txt", hardware: "system_profiler/EverydayOpen__tirekick_m1_SPHardware.json",
        pmgr: "ioreg_pmset_swvers/ThomasKaiser__m1air_macos11_ioreg_pmgr.txt",
        "pmset -g batt": "ioreg_pmset_swvers/ThomasKaiser__m1air_pmset_batt.txt",
      ]),
    Assembled(
      chip: "Apple M1 Pro", tiers: ["Performance", "Efficiency"], files: [kernel: "sysctl/ansible__m1pro_14.4.1_sysctl.txt"]),
    Assembled(
      chip: "Apple M2", tiers: ["Performance", "Efficiency"],
      files: [
        kernel: "sysctl/zacky1972__m2_sysctl_hw.txt", hardware: "system_profiler/unidentified-27345174405__m2mbp13_SPHardware.json",
      ]),
    Assembled(chip: "Apple M3 Max", tiers: ["Performance", "Efficiency"], files: [kernel: "sysctl/archspec__sequoia-m3.txt"]),
    Assembled(
      chip: "Apple M4 Pro", tiers: ["Performance", "Efficiency"],
      files: [
        kernel: "sysctl/zacky1972__m4pro_sysctl_hw.txt",
        hardware: "system_profiler/cdx-hbom-55177025291__m4pro_hw_nvme_tb_power_excerpt.json",
        "system_profiler -json SPNVMeDataType": "system_profiler/cdx-hbom-55177025291__m4pro_hw_nvme_tb_power_excerpt.json",
      ]),
    Assembled(
      chip: nil, tiers: ["Standard"], isVirtual: true,
      files: [
        kernel: "sysctl/EverydayOpen__tirekick_vm_macos26.txt",
        "system_profiler -json SPNVMeDataType": "system_profiler/EverydayOpen__tirekick_vm_macos26_SPNVMe.json",
        "sw_vers": "ioreg_pmset_swvers/EverydayOpen__tirekick_vm_sw_vers.txt",
      ]),
    Assembled(chip: nil, tiers: nil, isVirtual: true, files: [hardware: "system_profiler/veertu__ankavm_underRosetta_SPHardware.json"]),
  ]

  private func world(_ transcript: Transcript, _ home: String, _ answer: @escaping @Sendable ([String]) -> Data?) -> World {
    var world = World.real(["MACMETER_HOME": home + "/state"], transcript: transcript)
    world.system = .macOS
    world.isSimulated = true
    world.thermalState = { nil }
    world.run = { tool, arguments, _ in answer([tool] + arguments).map { ToolResult(status: 0, output: $0) } }
    world.stream = { command, take in
      guard let output = answer(command) else { return nil }
      take(output)
      return RunningTool { ToolResult(status: 0, output: Data()) }
    }
    return world
  }

  @Test("what can be assembled is a document of that Mac")
  func assembled() throws {
    let home = try TemporaryDirectory()
    for mac in Self.macs {
      let transcript = Transcript()
      let world = world(transcript, home.path) { command in
        mac.files[command.joined(separator: " ")].flatMap { try? Captures.data($0) }
      }
      #expect(Agent.run(["preview", home.path, "--json"], in: world) == .success)
      let document = try RunDocument(json: Data(transcript.printed.utf8))
      if let chip = mac.chip { #expect(document.machine.chip == chip) }
      if let tiers = mac.tiers { #expect(document.machine.coreTiers?.map(\.name) == tiers, "\(mac.files)") }
      #expect((document.environment?.virtualMachine != nil) == mac.isVirtual, "\(mac.files)")
    }
    print("captured Macs: \(Self.macs.count) assembled from \(Self.macs.map(\.files.count).reduce(0, +)) captures")
  }

  @Test("no serial, UUID, host's, user's or volume's name in any whole document, whichever capture a tool answers with")
  func privacy() throws {
    let home = try TemporaryDirectory()
    let names = Captures.all()
    for name in names {
      let data = try Captures.data(name)
      let secrets = Secrets.of(String(decoding: data, as: UTF8.self))
      var commands = [["preview", home.path, "--json"]]
      if name.hasPrefix("powermetrics/") { commands.append(["power", "--quick", "--no-upload", "--json"]) }
      if name.hasPrefix("powermetrics/") || name.hasPrefix("benchmarks/") {
        commands.append(["import", Captures.directory.appendingPathComponent(name).path, "--no-upload", "--json"])
      }
      for command in commands {
        let transcript = Transcript()
        let world = world(transcript, home.path) { asked in
          asked.first == "df" ? Data("Filesystem x\n/dev/disk3s5 1 1 1 1% /x\n".utf8) : data
        }
        _ = Agent.run(command, in: world)
        for secret in secrets where transcript.printed.contains(secret) {
          Issue.record("\(name): \(command[0]) lets \(secret) out")
        }
      }
    }
    print("privacy: whole documents of \(names.count) captures")
    #expect(names.count > 100)
  }
}
