interface Granted {
  role: "viewer" | "admin";
  /** Filter of the group that a viewer is limited to; empty for the whole fleet. */
  where: string;
}

interface Props {
  value: Granted;
  /** Filters of the groups that a role may be limited to. */
  groups: readonly string[];
  id?: string;
  label?: string;
  disabled?: boolean;
  onChange: (granted: Granted) => void;
}

/** Choice of a role in a fleet: of all its Macs, or only of a group's. */
export function RoleChoice({ value, groups, id, label, disabled = false, onChange }: Props) {
  const listed = [...new Set([...groups, value.where])].filter(Boolean);
  return (
    <select
      className="field"
      id={id}
      aria-label={label}
      value={value.where || value.role}
      disabled={disabled}
      onChange={({ target: { value: chosen } }) =>
        onChange(
          chosen === "viewer" || chosen === "admin"
            ? { role: chosen, where: "" }
            : { role: "viewer", where: chosen },
        )
      }
    >
      <option value="viewer">Viewer</option>
      <option value="admin">Admin</option>
      {listed.length > 0 ? (
        <optgroup label="Only the Macs of a group">
          {listed.map((where) => (
            <option key={where} value={where}>
              {roleWords({ role: "viewer", where })}
            </option>
          ))}
        </optgroup>
      ) : null}
    </select>
  );
}

/** A role in words, such as "Viewer of rack: B". */
export function roleWords({ role, where }: Granted): string {
  if (where) return `Viewer of ${groupWords(where)}`;
  return role === "admin" ? "Admin" : "Viewer";
}

/** A group in words, such as "rack: B". */
export function groupWords(where: string): string {
  return where.replace(/^label:([^:]*):/, "$1: ");
}
