/** Finds the names a person or a model most likely meant. It only suggests; nobody runs a guess. */
export function nearest(wanted: string, names: readonly string[], limit = 3): readonly string[] {
  const folded = fold(wanted);
  return names
    .map((name) => ({ name, distance: distance(folded, fold(name)) }))
    .filter(
      ({ name, distance }) => distance <= Math.max(2, Math.ceil(Math.max(name.length, wanted.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

const MAX_COMPARED = 128;

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase().slice(0, MAX_COMPARED);
}

/** Levenshtein distance; a name that contains the other is near whatever its length. */
function distance(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      current.push(
        Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost),
      );
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
