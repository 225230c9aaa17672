# The Homebrew formula, filled in by tools/release/formula.py for each release. It installs the
# program that the release built, and belongs in a tap: OWNER/homebrew-NAME.
class Macmeter < Formula
  desc "Measures a Mac and uploads what it measured, to be compared"
  homepage "@HOMEPAGE@"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on arch: :arm64
  depends_on macos: :ventura

  def install
    prefix.install Dir["*"]
  end

  def caveats
    <<~EOS
      Before `brew uninstall macmeter`, `macmeter uninstall` removes its schedule and what it keeps.
    EOS
  end

  test do
    ENV["MACMETER_HOME"] = (testpath/"state").to_s
    assert_match version.to_s, shell_output("#{bin}/macmeter --version")
    system bin/"macmeter", "info"
  end
end
