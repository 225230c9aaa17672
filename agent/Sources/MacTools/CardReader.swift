import Foundation

/// A card reader, recognised by the names of its device and medium. A card in it has its own link.
enum CardReader: Equatable {
  case forSD
  /// For other cards, for several kinds, or unstated.
  case forOthers

  private static let words: Set<String> = ["reader", "readers", "cardreader", "crw"]
  private static let sd: Set<String> = ["sd", "sdhc", "sdxc", "sduc", "microsd", "microsdhc", "microsdxc"]
  private static let others: Set<String> = [
    "cf", "cfast", "cfexpress", "compactflash", "flash", "xqd", "xd", "md", "ms", "sm", "stick",
  ]
  private static let cards: Set<String> = ["card", "cards", "cardreader", "memory", "slot", "crw"]

  /// nil unless the names are those of a card reader. A reader with several slots may name each
  /// slot's medium after its cards. Built-in readers read SD cards.
  init?(medium: String?, devices: [String], isInternal: Bool) {
    let (own, all) = (Self.words(in: [medium ?? ""]), Self.words(in: [medium ?? ""] + devices))
    let kinds = Self.sd.union(Self.others)
    guard !all.isDisjoint(with: Self.words), !all.isDisjoint(with: kinds.union(Self.cards)) else { return nil }
    let named = own.isDisjoint(with: kinds) ? all : own
    let isForSD = named.isDisjoint(with: Self.sd) ? isInternal : true
    self = isForSD && named.isDisjoint(with: Self.others) ? .forSD : .forOthers
  }

  /// All words of names such as "Internal Memory Card Reader" and "USB3.0 SD/microSD Reader", in
  /// lower case.
  private static func words(in names: [String]) -> Set<String> {
    Set(names.flatMap { $0.lowercased().split { !$0.isLetter }.map(String.init) })
  }
}
