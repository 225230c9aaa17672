import Base
import Commands
import Foundation

exit(Agent.run(Array(CommandLine.arguments.dropFirst()), in: .live()).rawValue)
