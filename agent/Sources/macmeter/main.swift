import AgentKit
import Foundation

exit(Agent.run(Array(CommandLine.arguments.dropFirst()), in: .live()).rawValue)
