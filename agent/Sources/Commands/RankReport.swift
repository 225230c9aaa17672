import Base
import Document
import LocalState
import Measure
import Upload

/// The last lines about uploaded runs of graded files: their rank among similar Macs, and what the
/// full test adds to a quick one.
enum RankReport {
  /// Seconds to wait for an answer: the runs are safe already.
  private static let timeout = 10.0

  /// Never fails: a server that is older or out of reach has no rank.
  static func say(_ runs: [String], _ session: Session, _ enrolment: Enrolment) {
    guard let address = ServerAddress(enrolment.server) else { return }
    let terminal = session.world.terminal
    let methods = [GradedFiles.full.name, GradedFiles.quick.name]
    let measured = runs.compactMap { session.spool.document($0, .sent).flatMap { try? RunDocument(json: $0) } }
    for run in measured where run.source == "measured" && methods.contains(run.method.name) {
      // The upload may have renewed the token.
      let token = (session.readableEnrolment ?? enrolment).token
      let server = Server(address: address, token: token, world: session.world, timeout: timeout)
      do {
        try server.rank(run: run.id).forEach(terminal.say)
      } catch {
        terminal.say("No rank among similar Macs: \(error)")
      }
    }
    if measured.contains(where: { $0.method.name == GradedFiles.quick.name }) { terminal.say(offer) }
  }

  /// What the full test adds.
  static var offer: String {
    let full = GradedFiles.full
    let bytes = full.bytesPerSet * full.defaultSets
    return "For files up to \(Figures.bytes(full.sizes.last ?? 0)), \(full.defaultSets) of each size, and averages over all of them, "
      + "measure again with `macmeter disk`, without --quick: it writes \(Figures.bytes(bytes))."
  }
}
