/// How a command ended. The numbers from 64 on are those of sysexits(3).
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case failure = 1
  case problemsFound = 2
  case doubtfulConditions = 3
  case spaceShort = 4
  case batteryLow = 5
  case backupRunning = 6
  case limitReached = 7
  case usage = 64
  case refusedByServer = 65
  case notPossibleHere = 69
  case alreadyRunning = 73
  case keptForLater = 75
  case enrolAgain = 77
  case notEnrolled = 78
  case interrupted = 130

  /// For the help text.
  var meaning: String {
    switch self {
    case .success: "done"
    case .failure: "something failed; the message says what"
    case .problemsFound: "`macmeter doctor` found something that does not work; it says what to do"
    case .doubtfulConditions: "conditions were doubtful and --strict was given; nothing was measured"
    case .spaceShort: "not enough free space; nothing was measured"
    case .batteryLow: "on battery with little left; nothing was measured"
    case .backupRunning: "Time Machine is backing up; nothing was measured"
    case .limitReached: "this week's limit on bytes written is reached; nothing was measured"
    case .usage: "the command line was not understood"
    case .refusedByServer: "the server refused a run; it is kept aside with the reason"
    case .notPossibleHere: "this machine or user cannot do that; the message says what it needs"
    case .alreadyRunning: "another macmeter measures or uploads here"
    case .keptForLater: "runs are kept, not yet uploaded; run `macmeter upload` later"
    case .enrolAgain: "the server does not take this token, or has moved; enrol again"
    case .notEnrolled: "no server is known; run `macmeter enroll`"
    case .interrupted: "stopped by Ctrl-C or a signal; test files are removed"
    }
  }
}
