# A Homebrew formula for a tap of your own (HOMEPAGE/homebrew-macmeter). Fill in, for each release, the
# address of its source archive and that archive's SHA-256.
class Macmeter < Formula
  desc "Measures a Mac and uploads what it measured, to be compared"
  homepage "https://macs.example.org"
  url "https://macs.example.org/releases/macmeter-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on xcode: ["16.0", :build]
  depends_on arch: :arm64
  depends_on :macos

  def install
    system "swift", "build", "--disable-sandbox", "--package-path", "agent",
           "--configuration", "release", "--product", "macmeter"
    bin.install "agent/.build/release/macmeter"
    (buildpath/"macmeter.1").write Utils.safe_popen_read(bin/"macmeter", "help", "--man")
    man1.install "macmeter.1"
    generate_completions_from_executable(bin/"macmeter", "completions")
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
