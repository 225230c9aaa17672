/// How a command ended. Codes from 64 up are those of sysexits(3).
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

  /// Nothing was measured, for a reason that may be gone tomorrow.
  static let tryTomorrow: Set<ExitCode> = [.spaceShort, .batteryLow, .backupRunning, .limitReached, .alreadyRunning]

  /// Meaning, for the help text.
  var meaning: String {
    switch self {
    case .success: "done"
    case .failure: "failed; the message says why"
    case .problemsFound: "`macmeter doctor` found a problem and says what to do"
    case .doubtfulConditions: "not measured: doubtful conditions, and --strict was given"
    case .spaceShort: "not measured: not enough free space"
    case .batteryLow: "not measured: the battery is low"
    case .backupRunning: "not measured: Time Machine is backing up"
    case .limitReached: "not measured: it would exceed the weekly limit on bytes written"
    case .usage: "invalid command line"
    case .refusedByServer: "the server refused a run, or a run's file is damaged; `macmeter runs` shows why"
    case .notPossibleHere: "not possible on this machine or for this user; the message says why"
    case .alreadyRunning: "another macmeter is measuring or uploading here"
    case .keptForLater: "runs are kept but not uploaded; run `macmeter upload` later"
    case .enrolAgain: "the server does not accept the token or this machine, or has moved; the message says what to do"
    case .notEnrolled: "not enrolled; run `macmeter enroll`"
    case .interrupted: "stopped by Ctrl-C or a signal; test files were removed"
    }
  }
}
