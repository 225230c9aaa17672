import type { components } from "../../api/schema";
import { Command } from "../../ui/Command";

/** Every way this server offers to get the agent, the shortest first and the source last. */
export function GetAgent({ offer }: { offer?: components["schemas"]["AgentOffer"] }) {
  return (
    <>
      {offer?.install && (
        <>
          <p>
            For a Mac with Apple silicon, or Linux. Installs agent {offer.version} for your account,
            without sudo, and says what it checks. <a href="/install.sh">Read the script</a> first
            if you like; <a href="/uninstall.sh">another one</a> removes everything again.
          </p>
          <Command text={offer.install} />
          <p>
            Then run <code>macmeter</code>: it asks, connects your Mac to this server and takes the
            quick test. The steps below do the same one by one.
          </p>
        </>
      )}
      {offer?.tap && (
        <>
          <p>With Homebrew:</p>
          <Command text={`brew install ${offer.tap}/macmeter`} />
        </>
      )}
      {offer?.package && (
        <p>
          For many Macs: <a href={offer.package}>the installer package</a>.
        </p>
      )}
      <p>
        From the source: run this in a checkout, on a Mac with Apple silicon or on Linux. The last
        line it prints is the command that runs the agent.
      </p>
      <Command text="make agent" />
    </>
  );
}
