// Runs before the first paint, so that a chosen appearance never flashes the other one.
try {
  const chosen = localStorage.getItem("macmeter.appearance");
  if (chosen === "light" || chosen === "dark") document.documentElement.style.colorScheme = chosen;
} catch {
  // Storage may be refused; the system's appearance holds then.
}
