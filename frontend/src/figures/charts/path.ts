/** A line through values, broken at missing ones. */
export function linePath(points: readonly (readonly [number, number | undefined])[]): string {
  let path = "";
  let joined = false;
  for (const [x, y] of points) {
    if (y === undefined) joined = false;
    else {
      path += `${joined ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
      joined = true;
    }
  }
  return path;
}

/** The area between two lines, broken where either is. */
export function areaPath(
  points: readonly (readonly [x: number, low: number | undefined, high: number | undefined])[],
): string {
  let path = "";
  let back = "";
  for (const [x, low, high] of points) {
    if (low === undefined || high === undefined) {
      if (back) path += `${back}z`;
      back = "";
      continue;
    }
    path += `${back ? "L" : "M"}${x.toFixed(1)} ${high.toFixed(1)}`;
    back = `L${x.toFixed(1)} ${low.toFixed(1)}${back}`;
  }
  return back ? `${path}${back}z` : path;
}
