import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import {
  admitMachine,
  DEVICES_AT_ONCE,
  type Device,
  devicesQuery,
  revokeDevice,
  rotateDevice,
} from "../../api/fleetSettings";
import { Section } from "../../ui/Section";
import { counted, day, shortId } from "../../ui/format";
import { Offsets } from "../../ui/Offsets";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import { NewUploader } from "./NewUploader";
import { Refused } from "./Refused";
import styles from "../../ui/Manage.module.css";

type Way = "rotate" | "revoke" | "admit";

/** Tokens with which Macs and uploaders write, page by page. */
export function Devices({ fleet }: { fleet: string }) {
  const [offset, setOffset] = useState(0);
  const devices = useQuery(devicesQuery(fleet, offset));
  const ending = useChange(
    ({ device, way }: { device: Device; way: Way }) => {
      if (way === "rotate") return rotateDevice(fleet, device.id);
      if (way === "revoke" || device.machine_id === null) return revokeDevice(fleet, device.id);
      return admitMachine(device.machine_id);
    },
    ["fleets", fleet, "devices"],
  );
  const total = devices.data?.total ?? 0;
  return (
    <Section id="devices" title="Enrolled Macs and uploaders" error={devices.error}>
      <p>
        Each has a token to upload with. Renew a token that somebody else may have seen: a Mac that
        has the fleet’s secret enrols again by itself. Revoke it to stop uploads. Runs are kept
        either way.
      </p>

      {devices.data && total === 0 ? <p>No Mac has enrolled yet.</p> : null}
      <ul>
        {devices.data?.items.map((device) => (
          <li key={device.id} className={styles.row}>
            <div>
              <Called device={device} />
              <span className={styles.under}>{aboutDevice(device)}</span>
            </div>
            <div className={styles.actions}>
              <Ways
                device={device}
                isBusy={ending.isPending}
                onWay={(way) => ending.mutate({ device, way })}
              />
            </div>
          </li>
        ))}
      </ul>
      <Failed error={ending.error} />
      {offset === 0 ? <Refused refused={devices.data?.refused ?? []} /> : null}
      <NewUploader fleet={fleet} />
      <Offsets
        step={DEVICES_AT_ONCE}
        total={total}
        counted={counted(total, "token")}
        offset={offset}
        onOffset={setOffset}
      />
    </Section>
  );
}

function Called({ device: { name, chip, machine_id, scope } }: { device: Device }) {
  if (machine_id === null) {
    if (scope !== "fleet") return "A Mac that has not uploaded";
    return name ? <bdi>{name} (uploader)</bdi> : "Uploader";
  }
  return (
    <Link to="/machines/$id" params={{ id: machine_id }} title={machine_id}>
      <bdi>{name ?? chip ?? `Mac ${shortId(machine_id)}`}</bdi>
    </Link>
  );
}

function aboutDevice({ secret, created_at, renewed, last_used_at, revoked }: Device): string {
  const from = secret ? `${secret} · ` : "";
  const since = `${renewed ? "token renewed" : "since"} ${day(created_at)}`;
  const used = last_used_at ? `last used ${day(last_used_at)}` : "not used yet";
  return `${from}${since} · ${revoked ? "revoked" : used}`;
}

function Ways(props: { device: Device; isBusy: boolean; onWay: (way: Way) => void }) {
  const { device, isBusy, onWay } = props;
  const about = device.name ?? device.chip ?? `the token of ${day(device.created_at)}`;
  if (device.revoked) {
    return (
      <Confirmed
        label="Allow again"
        confirm="Allow it to enrol again"
        about={about}
        isBusy={isBusy}
        onConfirm={() => onWay("admit")}
      />
    );
  }
  if (device.scope === "fleet") {
    return (
      <Confirmed
        label="Revoke"
        confirm="Revoke this token"
        about={about}
        isBusy={isBusy}
        onConfirm={() => onWay("revoke")}
      />
    );
  }
  return (
    <>
      <Confirmed
        label="Renew"
        confirm="Renew its token"
        about={about}
        isBusy={isBusy}
        onConfirm={() => onWay("rotate")}
      />
      <Confirmed
        label="Revoke"
        confirm="Stop its uploads"
        about={about}
        isBusy={isBusy}
        onConfirm={() => onWay("revoke")}
      />
    </>
  );
}
